// Two accounts with signals and strategies, and twelve senders of alerts.
import { Effect, Exit, Option } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import { ALERT_TYPES, instruction } from "../../src/domain/Alert.ts"
import { Pair } from "../../src/domain/Market.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { PLACES } from "./Pace.ts"
import { extrasOf, requestOf, rulesOf, type Waits } from "./strategy.ts"
import type { World } from "./World.ts"

/** An alert that is sent until it is answered. */
interface Sent {
  readonly key: string
  readonly signal: number
  /** The id in the answer. */
  answered: number | undefined
  /** Whether a server ever received it. */
  handed: boolean
}

/** A strategy as its owner knows it. Times in ms. */
export interface Owned {
  readonly id: number
  readonly owner: Identity
  readonly signal: number
  readonly waits: Waits
  /** Since when it is off for certain; absent while it may be on. */
  offSince: number | undefined
  deleted: "no" | "maybe" | "yes"
}

const DAY_MS = 86_400_000
const ALERTING = 12
const RETRY_MS = 3_000

/** The time between two alerts of a storm in an even world (ms). */
const STORM_MS = 10

export class People {
  readonly strategies: Array<Owned> = []
  /** Alerts by idempotency key. */
  readonly keyed: Array<Sent> = []
  /** Alerts without a key that a server received, answered or not. */
  bare = 0
  readonly bareAnswered: Array<{ readonly id: number; readonly signal: number }> = []
  readonly signals: Array<{ readonly id: number; readonly owner: Identity; readonly isPublic: boolean }> = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Creates signals and strategies before faults begin. Ends by a time (ms). */
  async settleIn(until: number): Promise<boolean> {
    const world = this.#world
    const [ann, bob] = world.people
    for (const [owner, isPublic] of [
      [ann, true],
      [bob, false]
    ] as const) {
      const draft = { name: "Sim", description: "", active: true, public: isPublic }
      world.call(
        Effect.flatMap(Signals, (signals) => signals.create(owner.account, draft)),
        (exit) => {
          if (Exit.isSuccess(exit)) this.signals.push({ id: exit.value.id, owner, isPublic })
        }
      )
    }
    if (!(await world.awaits(until, () => this.signals.length === 2))) return false
    const count = world.chance.of("people").whole(2, 4)
    for (let index = 0; index < count; index++) this.#create(`Sim ${index}`)
    return world.awaits(until, () => this.strategies.length === count)
  }

  /** Begins the people's actions. */
  begin(): void {
    const world = this.#world
    for (let sender = 0; sender < ALERTING; sender++)
      world.every(`sender ${sender}`, 2_000, 20_000, (dice) => this.#alert(dice))
    world.every("storm", 10_000, 60_000, (dice) => {
      for (let sender = 0; sender < ALERTING; sender++)
        world.loom.after(world.pace.wait(0, PLACES.storm + STORM_MS * sender), () => this.#alert(dice))
    })
    world.every("waiter", 2_000, 6_000, (dice) => this.#alertInSilence(dice))
    world.every("operator", 5_000, 25_000, (dice) => this.#operate(dice))
  }

  get allAnswered(): boolean {
    return this.keyed.every(({ answered }) => answered !== undefined)
  }

  #create(name: string): void {
    const { chance, people } = this.#world
    const dice = chance.of(name)
    const owner = dice.chance(0.6) ? people[0] : people[1]
    const open = this.signals.filter((signal) => signal.isPublic || signal.owner === owner)
    const signal = open[dice.whole(0, open.length - 1)]?.id ?? 0
    const waits = { dcaMinutes: dice.pick([0, 1]), closeMinutes: dice.pick([undefined, 1, 2]) }
    const body = { ...requestOf(dice, signal, waits), name }
    this.#world.call(
      Effect.flatMap(Strategies, (strategies) => strategies.post(owner.account, body)),
      (exit) => {
        if (Exit.isFailure(exit)) return this.#world.fail("set-up", `a strategy was refused: ${exit.cause}`)
        const id = exit.value.strategy_id
        this.#world.names.set(id, name)
        this.strategies.push({ id, owner, signal, waits, offSince: undefined, deleted: "no" })
      }
    )
  }

  /** Sends two entries with stops in a row while the server has no price. */
  #alertInSilence(dice: SeededRandom): void {
    const world = this.#world
    const kind = dice.pick(["spot", "swap"] as const)
    const coin = dice.pick(["BTC", "ETH"] as const)
    const market = { exchange: "binance", kind, pair: pairOf(coin) } as const
    const signal = dice.pick(this.signals)
    if (world.calm || !world.prices.isStale(market)) return
    const type = kind === "spot" ? "buy" : "long"
    const sl = () => cents(world.prices.at(market) * dice.between(0.9, 0.96))
    const first = instruction({
      signalId: SignalId.make(signal.id),
      coin,
      quoteCurrency: "USDT",
      type,
      sl: sl()
    })
    const second = instruction({
      signalId: SignalId.make(signal.id),
      coin,
      quoteCurrency: "USDT",
      type,
      sl: sl()
    })
    this.#sendKeyed(signal, first)
    world.loom.after(world.pace.wait(1_000, world.now % 1000), () => this.#sendKeyed(signal, second))
  }

  /** Sends one alert, whatever the hour. */
  alertOnce(): void {
    this.#alertAny(this.#world.chance.of("alert in calm"))
  }

  #alert(dice: SeededRandom): void {
    if (!this.#world.calm) this.#alertAny(dice)
  }

  #alertAny(dice: SeededRandom): void {
    const signal = this.signals[dice.whole(0, this.signals.length - 1)]
    if (signal === undefined) return
    const pair = dice.pick(["BTC", "ETH"] as const)
    const type = dice.chance(0.4) ? dice.pick(["buy", "long", "short"] as const) : dice.pick(ALERT_TYPES)
    const price = this.#world.prices.at({ exchange: "binance", kind: "spot", pair: pairOf(pair) })
    const around = () => cents(price * (1 + (dice.next() - 0.5) * 0.04))
    const targets = {
      ...(dice.chance(0.15) ? { tp: around() } : {}),
      ...(dice.chance(0.15) ? { sl: around() } : {})
    }
    const extras = extrasOf(dice, type, price)
    const told = instruction({
      signalId: SignalId.make(signal.id),
      coin: pair,
      quoteCurrency: "USDT",
      type,
      ...targets,
      ...extras,
      // A ladder takes the place of a target.
      ...(extras.tps === undefined ? {} : { tp: undefined })
    })
    if (dice.chance(0.2)) this.#sendBare(signal, told)
    else this.#sendKeyed(signal, told)
  }

  #sendKeyed({ id, owner }: { readonly id: number; readonly owner: Identity }, told: Told): void {
    const sent: Sent = {
      key: `key-${this.keyed.length}`,
      signal: id,
      answered: undefined,
      handed: false
    }
    this.keyed.push(sent)
    this.#send(owner, sent, told)
  }

  #sendBare({ id, owner }: { readonly id: number; readonly owner: Identity }, told: Told): void {
    if (!this.#world.server.isReady) return
    this.bare++
    this.#world.call(receive(owner, told), (exit) => {
      if (Exit.isSuccess(exit)) this.bareAnswered.push({ id: exit.value.id, signal: id })
    })
  }

  /** Sends until there is an answer, and sometimes once more. */
  #send(owner: Identity, sent: Sent, told: Told): void {
    const world = this.#world
    sent.handed ||= world.server.isReady
    world.call(receive(owner, told, sent.key), (exit) => {
      if (Exit.isFailure(exit)) return
      const { id } = exit.value
      world.trace(`alert ${id} (${told.type} ${told.coin}) is answered`)
      if (sent.answered !== undefined && sent.answered !== id)
        world.fail("I2", `the alert ${sent.key} was answered as ${sent.answered}, and again as ${id}`)
      if (sent.answered !== undefined && exit.value._tag !== "Repeat" && world.plan.hasNodes !== true)
        world.fail("I2", `the alert ${sent.key} was sent again after its answer and recorded anew`)
      sent.answered = id
    })
    const dice = world.chance.of(`sending ${sent.key}`)
    const wait = world.pace.wait(dice.whole(RETRY_MS, 2 * RETRY_MS), world.now % 1000)
    world.loom.after(wait, () => {
      if (sent.answered === undefined || dice.chance(0.15)) this.#send(owner, sent, told)
    })
  }

  #operate(dice: SeededRandom): void {
    const owned = this.strategies[dice.whole(0, this.strategies.length - 1)]
    if (this.#world.calm || owned === undefined || owned.deleted !== "no" || !this.#world.server.isReady)
      return
    const { account } = owned.owner
    if (dice.chance(0.08)) {
      owned.deleted = "maybe"
      this.#world.trace(`strategy ${owned.id} is being deleted`)
      return this.#world.call(
        Effect.flatMap(Strategies, (it) => it.remove(account, owned.id)),
        (exit) => {
          if (Exit.isSuccess(exit)) owned.deleted = "yes"
        }
      )
    }
    const active = dice.chance(0.7)
    const before = owned.offSince
    if (active) owned.offSince = undefined
    const body = { active, ...(dice.chance(0.3) ? rulesOf(dice, owned.waits) : {}) }
    this.#world.trace(`strategy ${owned.id} is changed: ${JSON.stringify(body)}`)
    this.#world.call(
      Effect.flatMap(Strategies, (it) => it.put(account, owned.id, body)),
      (exit) => {
        if (Exit.isFailure(exit)) return
        if (exit.value.active !== active)
          this.#world.fail("I11", `strategy ${owned.id} did not take active: ${active}`)
        if (!active) owned.offSince ??= before ?? this.#world.now
      }
    )
  }
}

export type Told = ReturnType<typeof instruction>

const pairOf = (coin: "BTC" | "ETH") => PAIRS[coin]
const PAIRS = { BTC: Pair.make("BTC/USDT"), ETH: Pair.make("ETH/USDT") }

const cents = (price: number): number => Math.round(price * 100) / 100

export const receive = (owner: Identity, told: Told, key?: string) =>
  Effect.flatMap(Alerts, (alerts) =>
    alerts.receive(
      owner,
      told,
      key === undefined
        ? {}
        : {
            sameness: {
              key,
              body: JSON.stringify([told, Option.getOrNull(told.tp)]),
              spanMs: DAY_MS,
              onOtherBody: "warn"
            }
          }
    )
  )
