// Owners who close, cancel and set targets by hand, each request sent under its key until it is answered and sometimes
// once more. The invariant H1: a request acts once, and gets one answer.
import { Effect, Exit, Option } from "effect"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import type { ManualAct, ManualOrder } from "../../src/domain/position/ManualOrder.ts"
import { Bots } from "../../src/services/Bots.ts"
import type { ManualForm } from "../../src/services/engine/orders/ManualForms.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { Books } from "./Books.ts"
import type { Owned, People } from "./People.ts"
import type { World } from "./World.ts"

/** A request by hand; `answer` is what it was answered first, refusals excepted. */
interface Given {
  readonly key: string
  readonly owned: Owned
  readonly order: ManualOrder
  answer: string | undefined
}

const PAIRS = [Pair.make("BTC/USDT"), Pair.make("ETH/USDT")] as const
const RETRY_MS = 3_000
/** How often a request is sent at most: one that is refused may be right later. */
const MOST_TRIES = 6

export class Hands {
  readonly #world: World
  readonly #people: People
  readonly #books: Books
  /** By strategy: how many requests to close were given. */
  readonly #closes = new Map<number, number>()
  #count = 0

  constructor(world: World, people: People) {
    this.#world = world
    this.#people = people
    this.#books = new Books(world.disk)
  }

  begin(): void {
    this.#world.every("hand", 2_000, 10_000, (dice) => this.#act(dice))
  }

  /** H1: on paper there are no more sales by hand than requests; one that did not fill whole is made again. */
  anytime(): void {
    const rows = this.#world.disk.rows<{ strategy: number; sales: number }>(
      `SELECT strategy_id AS strategy, count(*) AS sales FROM orders
        WHERE json(intent) ->> 'exitReason' = 'manual' AND json(intent) ->> 'live' IS NULL
          AND status NOT IN ('rejected', 'cancelled') GROUP BY strategy_id`
    )
    for (const { sales, strategy } of rows) {
      const given = this.#closes.get(strategy) ?? 0
      if (sales > given)
        this.#world.fail("H1", `strategy ${strategy} sold ${sales} times by hand for ${given} requests`)
    }
  }

  #act(dice: SeededRandom): void {
    const { calm, server } = this.#world
    const { market, owned } = this.#place(dice)
    const price = this.#world.prices.at(market)
    const act = actOf(dice, price)
    if (calm || owned.deleted !== "no" || !server.isReady) return
    if (act._tag === "Close") this.#closes.set(owned.id, (this.#closes.get(owned.id) ?? 0) + 1)
    const given: Given = { key: `hand-${this.#count++}`, owned, order: { ...market, act }, answer: undefined }
    this.#send(given, 1)
  }

  /** A market where something is held or waits, if there is one, and else any. */
  #place(dice: SeededRandom): { readonly owned: Owned; readonly market: MarketId } {
    const { strategies } = this.#people
    const used = this.#books.bots().flatMap(({ state, strategy }) => {
      const owned = strategies.find(({ id }) => id === strategy)
      return owned === undefined ? [] : Object.values(state.slots).map((slot) => ({ owned, slot }))
    })
    const market = { exchange: "binance", pair: dice.pick(PAIRS), kind: dice.pick(["spot", "swap"]) } as const
    const any = { owned: dice.pick(strategies), market }
    if (used.length === 0 || dice.chance(0.1)) return any
    const { owned, slot } = dice.pick(used)
    return { owned, market: { exchange: slot.exchange, pair: slot.pair, kind: slot.kind } }
  }

  #send(given: Given, tries: number): void {
    const world = this.#world
    const { key, order, owned } = given
    const form: ManualForm = { name: "outcome", write: ({ result }) => result.outcome }
    const sent = Effect.gen(function* () {
      const strategy = yield* (yield* StrategyStore).get(owned.owner.account, owned.id)
      return yield* (yield* Bots).byHand(strategy, order, { form, once: { key, request: key } })
    })
    world.call(sent, (exit) => {
      if (Exit.isFailure(exit)) return
      const { body } = exit.value
      world.trace(`by hand: ${order.act._tag} ${order.pair} of strategy ${owned.id}: ${body}`)
      if (given.answer !== undefined && given.answer !== body)
        world.fail("H1", `the request ${key} was answered ${given.answer}, and again ${body}`)
      given.answer = body
    })
    const dice = world.chance.of(`sending ${key} ${tries}`)
    world.loom.after(world.pace.wait(dice.whole(RETRY_MS, 2 * RETRY_MS), world.now % 1000), () => {
      if (tries < MOST_TRIES && (given.answer === undefined || dice.chance(0.3))) this.#send(given, tries + 1)
    })
  }
}

const actOf = (dice: SeededRandom, price: number): ManualAct => {
  const near = (from: number, to: number) =>
    Option.some(Math.round(price * dice.between(from, to) * 100) / 100)
  if (dice.chance(0.6)) return { _tag: "Close", percent: dice.pick([10, 33.3, 50, 90, 100]) }
  if (dice.chance(0.3)) return { _tag: "Cancel" }
  return {
    _tag: "Targets",
    ...(dice.chance(0.6) ? { tp: dice.chance(0.3) ? Option.none() : near(0.97, 1.05) } : {}),
    ...(dice.chance(0.6) ? { sl: dice.chance(0.3) ? Option.none() : near(0.95, 1.03) } : {})
  }
}
