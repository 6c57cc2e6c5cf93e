// Accounts that trade with real money: they arm and disarm, halt and resume, and sometimes sell coins by hand.
import { Effect, Exit, Option } from "effect"
import { type ArmedTerms, ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Arming, ArmingRefused } from "../../src/services/Arming.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import type { Owned, People } from "./People.ts"
import { failureOf } from "./Server.ts"
import type { World } from "./World.ts"

/** The terms that a strategy was armed with, as its owner knows them. */
export interface Agreed {
  readonly strategy: number
  readonly terms: ArmedTerms
  /** When it was disarmed for certain (ms); absent while it may be armed. */
  endedAt: number | undefined
}

const CAPITAL = "10000"

export class Dealers {
  /** The last terms, by strategy. */
  readonly agreed = new Map<number, Agreed>()
  /**
   * How often arming was requested and not rejected for certain, by strategy: the upper limit of how often it was
   * armed.
   */
  readonly askedFor = new Map<number, number>()
  readonly #world: World
  readonly #people: People

  constructor(world: World, people: People) {
    this.#world = world
    this.#people = people
  }

  /** Arms some strategies before faults begin. Ends by a time (ms). */
  settleIn(until: number): Promise<boolean> {
    const dice = this.#world.chance.of("dealers")
    const wanted = this.#people.strategies.filter(() => dice.chance(0.6))
    for (const owned of wanted) this.#arm(owned, dice)
    return this.#world.awaits(until, () => wanted.every(({ id }) => this.agreed.has(id)))
  }

  begin(): void {
    const world = this.#world
    world.every("dealer", 6_000, 25_000, (dice) => this.#change(dice))
    world.every("halter", 5_000, 20_000, (dice) => this.#halt(dice))
    world.every("taker of coins", 10_000, 60_000, (dice) => this.#takeCoins(dice))
  }

  /** Ends halts and returns coins: from now on everything must come right. */
  calmDown(): void {
    for (const whose of [Option.none(), ...this.#world.people.map(({ account }) => Option.some(account))])
      this.#world.call(Effect.flatMap(Halts, (halts) => halts.resume(whose)))
    this.#world.byHand.restore(this.#world.now)
  }

  #arm(owned: Owned, dice: SeededRandom): void {
    const terms: ArmedTerms = {
      account: ExchangeAccountId.make(owned.owner.account),
      capital: Decimal.unsafeFromText(CAPITAL),
      maxOrder: Decimal.unsafeFromText(dice.pick(["1500", "4000", "10000"])),
      maxDailyLoss: Decimal.unsafeFromText(dice.pick(["8", "15", "40", "5000"])),
      protect: dice.chance(0.6)
    }
    const armed = Effect.flatMap(Arming, (arming) =>
      Effect.flatMap(arming.propose(owned.owner.account, owned.id, terms), ({ confirmation }) =>
        arming.arm(owned.owner.account, owned.id, terms, confirmation)
      )
    )
    const count = (by: number) => this.askedFor.set(owned.id, (this.askedFor.get(owned.id) ?? 0) + by)
    count(1)
    this.#world.call(armed, (exit) => {
      if (Exit.isFailure(exit)) {
        const refusal = failureOf(exit)
        if (refusal instanceof ArmingRefused && refusal.reason !== "busy") count(-1)
        return this.#world.trace(`strategy ${owned.id} is not armed: ${refusal?.message}`)
      }
      this.#world.trace(`strategy ${owned.id} is armed, at most ${Decimal.toText(terms.maxOrder)} an order`)
      this.agreed.set(owned.id, { strategy: owned.id, terms, endedAt: undefined })
    })
  }

  #change(dice: SeededRandom): void {
    const { calm } = this.#world
    const owned = dice.pick(this.#people.strategies)
    if (calm || owned.deleted !== "no") return
    if (dice.chance(0.5)) return this.#arm(owned, dice)
    const how = { close: dice.chance(0.4), forget: dice.chance(0.1) }
    const agreed = this.agreed.get(owned.id)
    this.#world.call(
      Effect.flatMap(Arming, (arming) => arming.disarm(owned.owner.account, owned.id, how)),
      (exit) => {
        if (Exit.isFailure(exit)) return
        this.#world.trace(`strategy ${owned.id} is disarmed: ${JSON.stringify(how)}`)
        if (agreed !== undefined) agreed.endedAt ??= this.#world.now
      }
    )
  }

  #halt(dice: SeededRandom): void {
    const { calm, people } = this.#world
    if (calm) return
    const whose = dice.chance(0.3) ? Option.none() : Option.some(dice.pick(people).account)
    const isHalting = dice.chance(0.25)
    this.#world.trace(`${isHalting ? "halts" : "resumes"} ${Option.getOrElse(whose, () => "everybody")}`)
    this.#world.call(
      Effect.flatMap(
        Halts,
        (halts): Effect.Effect<unknown> =>
          isHalting ? halts.halt(whose, "request", "by hand") : halts.resume(whose)
      )
    )
  }

  #takeCoins(dice: SeededRandom): void {
    const { byHand, calm, people } = this.#world
    if (calm) return
    if (dice.chance(0.5)) return byHand.restore(this.#world.now)
    const coin = dice.pick(["BTC", "ETH"] as const)
    const { account } = dice.pick(people)
    this.#world.trace(`somebody takes ${coin} of account ${account} away`)
    byHand.take(account, coin, Decimal.unsafeFromText("1000"), this.#world.now)
  }
}
