// One strategy on a market of its own that opens, adds, takes off parts, turns and closes while everything goes wrong,
// until its orders have ended.
import { Effect } from "effect"
import { type AlertType, type Extras, instruction } from "../../../src/domain/Alert.ts"
import { type MarketId, quoteOf } from "../../../src/domain/Market.ts"
import type { PositionSide } from "../../../src/domain/Order.ts"
import type { SignalId } from "../../../src/domain/Signal.ts"
import type { StrategyId } from "../../../src/domain/StrategyId.ts"
import { Alerts } from "../../../src/services/Alerts.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"
import type { Character } from "./character.ts"
import { passes } from "./haste.ts"
import { differences, stopFlaw } from "./lifeChecks.ts"
import { Records } from "./Records.ts"
import type { Server } from "./Server.ts"
import * as Troubles from "./Trouble.ts"

/** The longest time of an order, above the time that a missing order is searched for. */
const MOST_MS = 400_000
const LOOK_MS = 400
/** The price that markets start at and return to. */
const PRICE = 100
/** The share of alerts whose orders meet trouble. */
const TROUBLED = 0.6
/** How often a life tries to be flat in the end. */
const TRIES = 8

/** What a life says next. */
interface Saying extends Extras {
  readonly type: AlertType
  readonly sl?: number
}

/** Where a life trades, and the ids of its strategy and signal. */
export interface Place {
  readonly venue: Venue
  readonly market: MarketId
  readonly strategy: StrategyId
  readonly signal: SignalId
}

export class Life extends Records {
  readonly character: Character
  /** Orders that have ended. */
  lived = 0
  /** What was wrong with the stop at the exchange once all was quiet. */
  #stopFlaw: string | undefined
  readonly #signal: SignalId
  readonly #dice: SeededRandom

  constructor(server: Server, place: Place, character: Character, dice: SeededRandom) {
    super(server, place.venue, place.market, place.strategy)
    this.character = character
    this.#signal = place.signal
    this.#dice = dice
  }

  /** Continues until told to stop. */
  async goOn(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const before = this.sent.length
      if (this.#dice.chance(TROUBLED)) this.#trouble()
      await this.#send(this.#next)
      // Another alert comes while the first one's order is in flight.
      for (let more = this.#dice.chance(0.3); more; more = this.#dice.chance(0.3)) {
        await passes(this.#dice.whole(20, 3_000))
        if (this.#dice.chance(0.3)) this.#trouble()
        await this.#send(this.#next)
      }
      if (this.#dice.chance(0.5)) this.#moves()
      await passes(this.#dice.whole(200, 1_000))
      await this.#quiet()
      if (this.#dice.chance(0.4)) {
        this.#moves()
        await passes(this.#dice.whole(200, 4_000))
      }
      this.lived += this.sent.length - before
    }
  }

  /** Without any trouble: opens, adds, takes off a part and closes; the stop at the exchange follows all of it. */
  async end(): Promise<void> {
    if (!(await this.#quiet())) return
    this.venue.move(this.market, PRICE)
    // The engine may have no price yet.
    for (let tries = 0; this.position === undefined && tries < 2; tries++)
      if (!(await this.#say(this.#plain))) return
    await this.#follows()
    if (!(await this.#say(this.#plain))) return
    await this.#follows()
    if (this.position !== undefined) {
      if (!(await this.#say({ type: this.#closing(this.position.side), closePercent: 40 }))) return
      await this.#follows()
    }
    for (let tries = 0; this.position !== undefined && tries < TRIES; tries++)
      if (!(await this.#say({ type: this.#closing(this.position.side) }))) return
  }

  /** An entry of the side that is held, with nothing beside its type. */
  get #plain(): Saying {
    return { type: this.#isSpot ? "buy" : (this.position?.side ?? "long") }
  }

  /** Differences between its books and the exchange's, and whatever must never be. */
  flaws(): ReadonlyArray<string> {
    return [...(this.#stopFlaw === undefined ? [] : [this.#stopFlaw]), ...differences(this, this.alerts)]
  }

  /** How many alerts its signal has had. */
  get alerts(): number {
    return this.rows.alerts(this.#signal)
  }

  get #isSpot(): boolean {
    return this.market.kind === "spot"
  }

  /** Opens, adds, turns, takes off a part, or closes. */
  get #next(): Saying {
    const dice = this.#dice
    const { position } = this
    if (position === undefined) return this.#entry()
    const { side } = position
    const odds = dice.next()
    if (!this.#isSpot && odds < 0.5) return this.#turn(side === "long" ? "short" : "long")
    if (odds < 0.65) return this.#entry(side === "long" ? 1 : -1)
    const type = this.#closing(side)
    return odds < 0.88 ? { type, closePercent: dice.pick([25, 40, 60, 95] as const) } : { type }
  }

  #closing(side: PositionSide): AlertType {
    if (this.#isSpot) return "sell"
    return side === "long" ? "close_long" : "close_short"
  }

  #turn(side: PositionSide): Saying {
    const entry = this.#entry(side === "long" ? 1 : -1)
    // Without it the strategy's own setting decides.
    return this.#dice.chance(0.7) ? { ...entry, reverse: true } : entry
  }

  /** An entry of a side (1 for long), with a ladder of targets or a stop of its own at times. */
  #entry(way = this.#isSpot || this.#dice.chance(0.5) ? 1 : -1): Saying {
    const dice = this.#dice
    const { last } = this.venue.quoteOf(this.market)
    const at = (percent: number) => Number((last * (1 + (way * percent) / 100)).toFixed(4))
    const tps = [
      { price: at(1.2), percent: 40 },
      { price: at(2.5), percent: dice.pick([30, 60] as const) }
    ]
    return {
      type: this.#isSpot ? "buy" : way === 1 ? "long" : "short",
      ...(dice.chance(0.25) ? { tps } : {}),
      ...(dice.chance(0.2) ? { sl: at(-5) } : {})
    }
  }

  #moves(): void {
    this.venue.move(this.market, PRICE + this.#dice.whole(-4, 4))
  }

  /** Plans what goes wrong with the next order, and with the queries about it. */
  #trouble(): void {
    const about = this.venue.concerns(this.market)
    const { troubles } = this.venue.desk
    const sending = Troubles.ofOrder(this.#dice)
    // Also of the second leg, or of the order after a stop that made way.
    if (sending !== undefined) troubles.plan("place", sending, this.#dice.pick([1, 1, 2] as const), about)
    const asking = Troubles.ofQuestion(this.#dice)
    if (asking !== undefined) troubles.plan(asking[0], asking[1], asking[2], about)
    if (this.#dice.chance(0.15)) this.#scarce()
  }

  /** Sends an alert; while the engine is down, nobody hears it. */
  async #send({ type, sl, ...extras }: Saying): Promise<void> {
    const alert = instruction({
      signalId: this.#signal,
      coin: this.base,
      quoteCurrency: quoteOf(this.market.pair),
      type,
      ...extras,
      ...(sl === undefined ? {} : { sl })
    })
    await this.server
      .ask(Effect.flatMap(Alerts, (alerts) => alerts.receive(this.server.owner, alert, {})))
      .catch(() => {})
  }

  async #say(saying: Saying): Promise<boolean> {
    await this.#send(saying)
    await passes(LOOK_MS)
    return this.#quiet()
  }

  /** Waits until nothing is under way and every alert has its outcome; false where that takes too long. */
  async #quiet(): Promise<boolean> {
    // The state may be older than the outcomes, until those were read.
    const isQuiet = () => this.isIdle && this.outcomes.length >= this.alerts && this.isIdle
    const until = Date.now() + MOST_MS
    while (!isQuiet() && Date.now() < until) await passes(LOOK_MS)
    return isQuiet()
  }

  /** Waits until the stop at the exchange is that of the position, and keeps what is wrong where it never is. */
  async #follows(): Promise<void> {
    if (!this.character.isProtected || this.#stopFlaw !== undefined) return
    const until = Date.now() + MOST_MS
    while (stopFlaw(this) !== undefined && Date.now() < until) await passes(LOOK_MS)
    this.#stopFlaw = stopFlaw(this)
  }

  /** Less can be traded than is wanted, for a while. */
  #scarce(): void {
    const { book } = this.venue.desk
    // Nothing is traded between two amount steps.
    const step = Number(this.venue.market(this.market).amountStep)
    const amount = Math.floor(this.#dice.whole(12, 20) / Math.max(step, 1)) * Math.max(step, 1)
    book.supply(this.market, `${amount}`)
    void passes(this.#dice.whole(500, 6_000)).then(() => book.supply(this.market, undefined))
  }
}
