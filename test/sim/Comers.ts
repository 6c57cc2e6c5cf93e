// Accounts that create a signal with followers, send alerts, and delete or change them as soon as the alerts are
// answered. An answered alert must be judged by the followers of its time.
import { Effect, Exit } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import { instruction } from "../../src/domain/Alert.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { requestOf } from "./extremes.ts"
import { receive } from "./People.ts"
import type { Services } from "./Server.ts"
import type { World } from "./World.ts"

/** An answered alert, with the strategies that followed its signal then, and those that did not yet. */
interface Expected {
  readonly alert: number
  readonly followed: ReadonlyArray<number>
  readonly later: Array<number>
}

/** What an account does after its alerts are answered. */
const ACTS = ["delete signal", "make private", "detach", "delete strategy", "follow anew", "attach"] as const

export class Comers {
  readonly expected: Array<Expected> = []
  readonly #world: World
  #count = 0

  constructor(world: World) {
    this.#world = world
  }

  begin(): void {
    const { chance, loom } = this.#world
    const dice = chance.of("comers")
    const again = () =>
      loom.after(dice.whole(2_000, 8_000), () => {
        if (!this.#world.calm) this.#come(dice)
        again()
      })
    again()
  }

  #come(dice: SeededRandom): void {
    const [carl, dora] = this.#world.neighbours
    const name = `Comer ${++this.#count}`
    const act = dice.pick(ACTS)
    const alerts = dice.whole(1, 25)
    const draft = { name, description: "", active: true, public: true }
    this.#asks(
      Effect.gen(function* () {
        const signal = yield* (yield* Signals).create(carl.account, draft)
        const strategies = yield* Strategies
        const make = (owner: Identity, followed: number | null) =>
          Effect.map(strategies.post(owner.account, requestOf(dice, followed, name)), (it) => it.strategy_id)
        const own = yield* make(carl, signal.id)
        const other = yield* make(dora, signal.id)
        const idle = yield* make(carl, null)
        return { signal: signal.id, own, other, idle }
      }),
      (it) => this.#alert(it, act, alerts, dice)
    )
  }

  /** Sends alerts, and acts as soon as the last is answered. */
  #alert(at: Place, act: (typeof ACTS)[number], count: number, dice: SeededRandom): void {
    const [carl] = this.#world.neighbours
    const own: Array<Expected> = []
    for (let index = 0; index < count; index++) {
      const type = dice.pick(["buy", "sell", "long", "short", "close_long"] as const)
      const told = instruction({
        signalId: SignalId.make(at.signal),
        coin: dice.pick(["BTC", "ETH"]),
        quoteCurrency: "USDT",
        type
      })
      this.#asks(receive(carl, told), ({ id }) => {
        const one = { alert: id, followed: [at.own, at.other], later: [] }
        own.push(one)
        this.expected.push(one)
        if (own.length === count) this.#act(at, act, own, dice)
      })
    }
  }

  #act(at: Place, act: (typeof ACTS)[number], answered: ReadonlyArray<Expected>, dice: SeededRandom): void {
    const [{ account: carl }, { account: dora }] = this.#world.neighbours
    const follows = (id: number) => {
      for (const { later } of answered) later.push(id)
    }
    const signals = <A, E>(ask: (it: typeof Signals.Service) => Effect.Effect<A, E>) =>
      Effect.flatMap(Signals, ask)
    const strategies = <A, E>(ask: (it: typeof Strategies.Service) => Effect.Effect<A, E>) =>
      Effect.flatMap(Strategies, ask)
    this.#world.trace(`after ${answered.length} alerts, the last ${answered.at(-1)?.alert}: ${act}`)
    switch (act) {
      case "delete signal":
        return this.#asks(signals((it) => it.remove(carl, at.signal)))
      case "make private":
        return this.#asks(
          signals((it) => it.update(carl, at.signal, { public: false })),
          () => this.#asks(signals((it) => it.update(carl, at.signal, { public: true })))
        )
      case "detach":
        return this.#asks(strategies((it) => it.update(dora, at.other, { signal_id: null })))
      case "delete strategy":
        return this.#asks(strategies((it) => it.remove(dora, at.other)))
      case "follow anew":
        return this.#asks(
          strategies((it) => it.post(dora, requestOf(dice, at.signal, "Late"))),
          ({ strategy_id }) => follows(strategy_id)
        )
      case "attach":
        follows(at.idle)
        return this.#asks(strategies((it) => it.put(carl, at.idle, { signal_id: at.signal })))
    }
  }

  /** Sends a request, without a retry after a crash or a rejection. */
  #asks<A, E>(asked: Effect.Effect<A, E, Services>, then: (answer: A) => void = () => {}): void {
    this.#world.call(asked, (exit) => {
      if (Exit.isSuccess(exit)) then(exit.value)
    })
  }
}

/** A signal, two strategies that follow it, and one that does not. */
interface Place {
  readonly signal: number
  readonly own: number
  readonly other: number
  readonly idle: number
}
