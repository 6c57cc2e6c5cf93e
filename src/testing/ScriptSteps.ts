// Scripts written step by step: a price, its way to the next one, and alerts between.
import * as Duration from "effect/Duration"
import type { AlertType, Extras } from "../domain/Alert.ts"
import { type ExchangeName, type MarketKind, Pair } from "../domain/Market.ts"
import * as Ticker from "../domain/Ticker.ts"
import { PriceEvent } from "../services/Tickers.ts"

/** One event of a script: a market's price, or an alert for a pair. */
export type Act =
  | { readonly _tag: "Price"; readonly event: PriceEvent }
  | {
      readonly _tag: "Alert"
      readonly type: AlertType
      readonly pair: Pair
      readonly tp?: number
      readonly sl?: number
      readonly extras?: Extras
    }

/** One line of a script. `at` is in ms since the epoch. */
export interface Moment {
  readonly at: number
  readonly act: Act
}

/** The market of a script's prices. */
export interface Place {
  readonly exchange: ExchangeName
  readonly pair: Pair
  readonly kind: MarketKind
}

/** An alert of a script: its type, and its targets; by default for the pair of the script's prices. */
export interface AlertStep {
  readonly type: AlertType
  readonly pair?: string
  readonly tp?: number
  readonly sl?: number
  /** The optional fields, such as `{ closePercent: 50 }`. */
  readonly extras?: Extras
}

/** Between two steps, a price comes once a minute, or this often where the way is longer. */
const MINUTE_MS = 60_000
const MOST_PRICES = 60

/** A price of a market at a time (ms). */
export const quoteAt = (at: number, price: number, market: Place): Moment => ({
  at,
  act: { _tag: "Price", event: PriceEvent.Quoted({ market, ticker: Ticker.ofLast(price, at) }) }
})

/** Where a script under way stands: its time (ms) and its price. */
interface Standing {
  readonly at: number
  readonly price: number
  readonly market: Place
}

/**
 * A script that goes on: each step gives a longer one, and each of them can be played. Alerts act at the price of their
 * moment.
 */
export class ScriptSteps extends Array<Moment> {
  readonly #standing: Standing

  /** `map`, `filter` and their like return plain arrays. */
  static override get [Symbol.species]() {
    return Array
  }

  constructor(moments: Iterable<Moment>, standing: Standing) {
    super()
    for (const moment of moments) this.push(moment)
    this.#standing = standing
  }

  /**
   * Moves the price in a straight line within a time: a price a minute, at most sixty, or as many as `prices` says.
   * `prices: 1` is a jump at the end.
   */
  to(
    price: number,
    within: Duration.DurationInput,
    { prices }: { readonly prices?: number } = {}
  ): ScriptSteps {
    const { at, market, price: from } = this.#standing
    const ms = Duration.toMillis(within)
    const count = Math.max(1, prices ?? Math.min(MOST_PRICES, Math.floor(ms / MINUTE_MS)))
    const way = Array.from({ length: count }, (_, index) => {
      const share = (index + 1) / count
      return quoteAt(Math.round(at + share * ms), share === 1 ? price : from + share * (price - from), market)
    })
    return this.#then(way, { at: at + ms, price, market })
  }

  /** Lets time pass at the same price, which is published once more at the end. */
  wait(time: Duration.DurationInput): ScriptSteps {
    return this.to(this.#standing.price, time, { prices: 1 })
  }

  /** An alert now: its type, or a type with targets or another pair. */
  alert(alert: AlertType | AlertStep): ScriptSteps {
    const { type, pair, ...targets } =
      typeof alert === "string" ? { type: alert } : { pair: undefined, ...alert }
    const { at, market } = this.#standing
    const act = {
      _tag: "Alert",
      type,
      pair: pair === undefined ? market.pair : Pair.make(pair),
      ...targets
    } as const
    return this.#then([{ at, act }], this.#standing)
  }

  #then(moments: ReadonlyArray<Moment>, standing: Standing): ScriptSteps {
    return new ScriptSteps([...this, ...moments], standing)
  }
}
