// Accounts with values at both ends of every bound, requests beyond the bounds, and rows from before the bounds
// existed. They follow the public signal and never rest.
import { Effect, Either, Exit } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import { ALERT_TYPES, type AlertType, instruction } from "../../src/domain/Alert.ts"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"
import { Violations } from "../../src/domain/requests/Violations.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { Comers } from "./Comers.ts"
import * as Extremes from "./extremes.ts"
import type { People } from "./People.ts"
import { failureOf } from "./Server.ts"
import type { World } from "./World.ts"

/** A neighbour's strategy. */
interface Followed {
  readonly id: number
  readonly owner: Identity
}

/** The time between two neighbours' arrivals (ms). */
const APART_MS = 2
/** The share of strategies stored before the bounds existed. */
const OLD_SHARE = 0.1

export class Neighbours {
  /** Requests beyond a bound that were accepted, and valid ones that were rejected. */
  readonly misjudged: Array<string> = []
  readonly comers: Comers
  readonly #world: World
  readonly #people: People
  readonly #strategies: Array<Followed> = []
  #signal = 0

  constructor(world: World, people: People) {
    this.#world = world
    this.#people = people
    this.comers = new Comers(world)
  }

  /** Creates everything within this time (ms), which passes even without neighbours. */
  settleIn(ms: number): Promise<boolean> {
    const { neighbours, plan } = this.#world
    const [carl] = neighbours
    if (plan.followers > 0)
      this.#world.call(
        Effect.flatMap(Signals, (signals) =>
          signals.create(carl.account, { name: "Theirs", description: "", active: true, public: true })
        ),
        (exit) => {
          if (Exit.isFailure(exit)) return
          this.#signal = exit.value.id
          for (let index = 0; index < plan.followers; index++)
            this.#world.loom.after(index * APART_MS, () => this.#moveIn(index))
        }
      )
    return this.#world.passes(ms)
  }

  begin(): void {
    const world = this.#world
    if (world.plan.followers === 0) return
    this.#often("neighbour's alert", 500, 4_000, (dice) => this.#alert(dice))
    this.#often("neighbour's old alert", 3_000, 20_000, (dice) => this.#oldAlert(dice))
    this.#often("neighbour's change", 1_000, 5_000, (dice) => this.#change(dice))
    this.#often("neighbour's knock", 1_000, 5_000, (dice) => this.#knock(dice))
    this.comers.begin()
  }

  /** At random moments, in even worlds too: nobody else may notice. */
  #often(who: string, low: number, high: number, act: (dice: SeededRandom) => void): void {
    const { chance, loom } = this.#world
    const dice = chance.of(who)
    loom.after(dice.whole(low, high), () => {
      if (!this.#world.calm) act(dice)
      this.#often(who, low, high, act)
    })
  }

  #moveIn(index: number): void {
    const { chance, neighbours } = this.#world
    const dice = chance.of(`neighbour ${index}`)
    const owner = neighbours[index % 2 === 0 ? 0 : 1]
    const theirs = this.#people.signals.find(({ isPublic }) => isPublic)
    const signal = dice.chance(0.5) && theirs !== undefined ? theirs.id : this.#signal
    const name = `Neighbour ${index}`
    const settled = (exit: Exit.Exit<{ readonly id: number }, unknown>) => {
      if (failureOf(exit) instanceof Violations) this.misjudged.push(`${name} could not move in: ${exit}`)
      if (Exit.isSuccess(exit)) this.#strategies.push({ id: exit.value.id, owner })
    }
    const old = dice.chance(OLD_SHARE) ? Extremes.oldSettings(dice, signal, name) : undefined
    if (old !== undefined)
      return this.#world.call(
        Effect.flatMap(StrategyStore, (store) => store.create(owner.account, old)),
        settled
      )
    const body = Extremes.requestOf(dice, signal, name)
    const created = Effect.flatMap(Strategies, (strategies) => strategies.post(owner.account, body))
    this.#world.call(
      Effect.map(created, ({ strategy_id: id }) => ({ id })),
      settled
    )
  }

  #alert(dice: SeededRandom): void {
    const type = dice.pick(ALERT_TYPES)
    const side = dice.pick(["tp", "sl"] as const)
    const isBeyond = dice.chance(0.2)
    const value = isBeyond ? Extremes.targetBeyond(dice) : Extremes.target(dice)
    const fields = {
      ...{ signal_id: this.#signal, coin: dice.pick(["BTC", "ETH"]), quote_currency: "USDT", type },
      ...(isBeyond || dice.chance(0.7) ? { [side]: value } : {})
    }
    const read = AlertBody.decode({
      body: JSON.stringify(fields),
      contentType: "application/json",
      query: ""
    })
    if (Either.isRight(read) === isBeyond) {
      this.misjudged.push(`an alert with ${side} ${value} was ${isBeyond ? "taken" : "refused"}`)
    }
    if (Either.isLeft(read)) return
    const [carl] = this.#world.neighbours
    this.#world.call(Effect.flatMap(Alerts, (alerts) => alerts.receive(carl, read.right.instruction, {})))
  }

  /** An alert as it was answered before the bounds existed. */
  #oldAlert(dice: SeededRandom): void {
    const [{ account, token }] = this.#world.neighbours
    const type = dice.pick<AlertType>(["buy", "long"])
    const told = instruction({
      signalId: SignalId.make(this.#signal),
      coin: dice.pick(["BTC", "ETH"]),
      quoteCurrency: "USDT",
      type,
      tp: Extremes.OLD_TARGET
    })
    const draft = { account, token, instruction: told, receivedAt: this.#world.now, warnings: [] }
    this.#world.call(Effect.flatMap(Journal, (journal) => journal.append(draft)))
  }

  #change(dice: SeededRandom): void {
    const followed = this.#strategies[dice.below(this.#strategies.length)]
    if (followed === undefined) return
    const active = dice.chance(0.8)
    const body = dice.chance(0.5) ? { active } : { active, ...Extremes.rulesOf(dice) }
    this.#world.call(
      Effect.flatMap(Strategies, (it) => it.put(followed.owner.account, followed.id, body)),
      (exit) => {
        if (failureOf(exit) instanceof Violations)
          this.misjudged.push(`${JSON.stringify(body)} was refused: ${exit}`)
      }
    )
  }

  #knock(dice: SeededRandom): void {
    const { account } = dice.pick(this.#world.neighbours)
    const body = Extremes.beyond(dice, Extremes.requestOf(dice, this.#signal, "Beyond"))
    this.#world.call(
      Effect.flatMap(Strategies, (strategies) => strategies.post(account, body)),
      (exit) => {
        if (Exit.isSuccess(exit))
          this.misjudged.push(`a strategy beyond a bound was taken: ${JSON.stringify(body)}`)
      }
    )
  }
}
