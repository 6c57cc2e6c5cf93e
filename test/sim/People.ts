import { Effect, Either, Exit, Option } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import { ALERT_TYPES, instruction } from "../../src/domain/Alert.ts"
import { Pair } from "../../src/domain/Market.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { failureOf } from "./Server.ts"
import { requestOf, rulesOf, type Waits } from "./strategy.ts"
import type { World } from "./World.ts"

/** An alert that somebody sends until it is answered. */
interface Sent {
  readonly key: string
  readonly signal: number
  /** The id it was answered with. */
  answered: number | undefined
  /** Whether it was ever handed to a server. */
  handed: boolean
}

/** A strategy as its owner knows it. Times in ms. */
export interface Owned {
  readonly id: number
  readonly owner: Identity
  readonly signal: number
  readonly waits: Waits
  /** From when on it certainly is switched off; absent where it may be on. */
  offSince: number | undefined
  deleted: "no" | "maybe" | "yes"
}

const DAY_MS = 86_400_000
const ALERTING = 12
const RETRY_MS = 3_000

/** Two accounts with signals and strategies, twelve senders of alerts, and somebody who reaches for what is not theirs. */
export class People {
  readonly strategies: Array<Owned> = []
  /** By the keys that name them. */
  readonly keyed: Array<Sent> = []
  /** Handed to a server without a key, answered or not. */
  bare = 0
  readonly bareAnswered: Array<{ readonly id: number; readonly signal: number }> = []
  readonly signals: Array<{ readonly id: number; readonly owner: Identity; readonly isPublic: boolean }> = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Makes signals and strategies, before anything can go wrong. Ends by a time (ms). */
  settleIn(until: number): boolean {
    const { dice, people } = this.#world
    const [ann, bob] = people
    const world = this.#world
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
    if (!world.awaits(until, () => this.signals.length === 2)) return false
    const count = dice.whole(2, 4)
    for (let index = 0; index < count; index++) this.#create()
    return world.awaits(until, () => this.strategies.length === count)
  }

  /** From now on they do what people do. */
  begin(): void {
    const world = this.#world
    for (let sender = 0; sender < ALERTING; sender++) world.every(2_000, 20_000, () => this.#alert())
    world.every(10_000, 60_000, () => {
      for (let sender = 0; sender < ALERTING; sender++) this.#alert()
    })
    world.every(5_000, 25_000, () => this.#operate())
    world.every(3_000, 15_000, () => this.#trespass())
  }

  get allAnswered(): boolean {
    return this.keyed.every(({ answered }) => answered !== undefined)
  }

  #create(): void {
    const { dice, people } = this.#world
    const owner = dice.chance(0.6) ? people[0] : people[1]
    const open = this.signals.filter((signal) => signal.isPublic || signal.owner === owner)
    const signal = open[dice.whole(0, open.length - 1)]?.id ?? 0
    const waits = { dcaMinutes: dice.pick([0, 1]), closeMinutes: dice.pick([undefined, 1, 2]) }
    const body = requestOf(dice, signal, waits)
    this.#world.call(
      Effect.flatMap(Strategies, (strategies) => strategies.create(owner.account, body)),
      (exit) => {
        if (Exit.isFailure(exit)) return this.#world.fail("set-up", `a strategy was refused: ${exit.cause}`)
        const id = exit.value.strategy_id
        this.strategies.push({ id, owner, signal, waits, offSince: undefined, deleted: "no" })
      }
    )
  }

  #alert(): void {
    const { dice } = this.#world
    if (this.#world.calm) return
    const signal = this.signals[dice.whole(0, this.signals.length - 1)]
    if (signal === undefined) return
    const pair = dice.pick(["BTC", "ETH"] as const)
    const type = dice.chance(0.4) ? dice.pick(["buy", "long", "short"] as const) : dice.pick(ALERT_TYPES)
    const around = () =>
      Math.round(
        this.#world.prices.at({ exchange: "binance", kind: "spot", pair: pairOf(pair) }) *
          (1 + (dice.next() - 0.5) * 0.04) *
          100
      ) / 100
    const targets = {
      ...(dice.chance(0.15) ? { tp: around() } : {}),
      ...(dice.chance(0.15) ? { sl: around() } : {})
    }
    const told = instruction(SignalId.make(signal.id), pair, "USDT", type, targets)
    if (dice.chance(0.2)) return this.#sendBare(signal, told)
    const sent: Sent = {
      key: `key-${this.keyed.length}`,
      signal: signal.id,
      answered: undefined,
      handed: false
    }
    this.keyed.push(sent)
    this.#send(signal.owner, sent, told)
  }

  #sendBare({ id, owner }: { readonly id: number; readonly owner: Identity }, told: Told): void {
    if (!this.#world.server.isReady) return
    this.bare++
    this.#world.call(receive(owner, told), (exit) => {
      if (Exit.isSuccess(exit)) this.bareAnswered.push({ id: exit.value.id, signal: id })
    })
  }

  /** Until it is answered, and sometimes once more after that. */
  #send(owner: Identity, sent: Sent, told: Told): void {
    const world = this.#world
    sent.handed ||= world.server.isReady
    world.call(receive(owner, told, sent.key), (exit) => {
      if (Exit.isFailure(exit)) return
      const { id } = exit.value
      world.trace(`alert ${id} (${told.type} ${told.coin}) is answered`)
      if (sent.answered !== undefined && sent.answered !== id)
        world.fail("I2", `the alert ${sent.key} was answered as ${sent.answered}, and again as ${id}`)
      if (sent.answered !== undefined && exit.value._tag !== "Repeat")
        world.fail("I2", `the alert ${sent.key} was sent again after its answer and recorded anew`)
      sent.answered = id
    })
    world.loom.after(world.dice.whole(RETRY_MS, 2 * RETRY_MS), () => {
      if (sent.answered === undefined || world.dice.chance(0.15)) this.#send(owner, sent, told)
    })
  }

  #operate(): void {
    const { dice } = this.#world
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
      Effect.flatMap(Strategies, (it) => it.update(account, owned.id, body)),
      (exit) => {
        if (Exit.isFailure(exit)) return
        if (exit.value.active !== active)
          this.#world.fail("I11", `strategy ${owned.id} did not take active: ${active}`)
        if (!active) owned.offSince ??= before ?? this.#world.now
      }
    )
  }

  /** Whatever somebody tries with what belongs to others: it is not there for them. */
  #trespass(): void {
    const { dice, people } = this.#world
    const owned = this.strategies[dice.whole(0, this.strategies.length - 1)]
    const alert = this.keyed[dice.whole(0, this.keyed.length - 1)]?.answered
    if (owned === undefined) return
    const other = owned.owner === people[0] ? people[1] : people[0]
    const { account } = other
    const refused = (what: string, exit: Exit.Exit<unknown, unknown>) => {
      const tag = failureOf(exit)
      if (Exit.isSuccess(exit))
        this.#world.fail("I8", `account ${account} could ${what} of account ${owned.owner.account}`)
      return tag
    }
    const kind = dice.whole(0, 3)
    if (kind === 0)
      this.#world.call(
        Effect.flatMap(Strategies, (it) => it.get(account, owned.id)),
        (exit) => refused("read a strategy", exit)
      )
    if (kind === 1)
      this.#world.call(
        Effect.flatMap(Strategies, (it) => it.update(account, owned.id, { active: false })),
        (exit) => refused("change a strategy", exit)
      )
    if (kind === 2 && alert !== undefined) this.#readForeign(alert)
    if (kind === 3) {
      const bobs = this.signals.find(({ isPublic }) => !isPublic)
      if (bobs === undefined) return
      const told = instruction(SignalId.make(bobs.id), "BTC", "USDT", "buy")
      this.#world.call(receive(people[0], told), (exit) => {
        if (Exit.isSuccess(exit)) this.#world.fail("I8", "an alert to a signal of another account was taken")
      })
    }
  }

  #readForeign(alert: number): void {
    const [ann, bob] = this.#world.people
    this.#world.call(
      Effect.flatMap(Alerts, (alerts) =>
        Effect.all([
          Effect.either(alerts.get(ann.account, alert)),
          Effect.either(alerts.get(bob.account, alert))
        ])
      ),
      (exit) => {
        if (Exit.isFailure(exit)) return
        if (exit.value.filter(Either.isRight).length > 1)
          this.#world.fail("I8", `alert ${alert} can be read by both accounts`)
      }
    )
  }
}

type Told = ReturnType<typeof instruction>

const pairOf = (coin: "BTC" | "ETH") => PAIRS[coin]
const PAIRS = { BTC: Pair.make("BTC/USDT"), ETH: Pair.make("ETH/USDT") }

const receive = (owner: Identity, told: Told, key?: string) =>
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
