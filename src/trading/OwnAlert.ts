// An alert as an embedder's own decisions see it: what came, what they may change of it, and what the bot would do. A
// change that would act on another market, another side or without a position is refused.
import type { Reason } from "../domain/Alert.ts"
import type { PositionSide } from "../domain/Order.ts"

/** A position that the rules would keep. Money in quote, times in ms since the epoch. */
export interface OpenPosition {
  readonly side: PositionSide
  readonly quantity: number
  /** The average entry price. */
  readonly average: number
  /** Entry notional plus fees. */
  readonly cost: number
  /** The number of entries. */
  readonly entries: number
  readonly openedAt: number
  readonly tp?: number | undefined
  readonly sl?: number | undefined
}

/** An alert at its market, before the bot answers it. */
export interface Arrival {
  /** The alert's id. */
  readonly alert: number
  /** Whether it opens a position (`buy`, `long`, `short`) or closes one (`sell`, `close_long`, `close_short`). */
  readonly act: "open" | "close"
  readonly side: PositionSide
  /** Take profit and stop as prices in quote, where the alert names them. */
  readonly tp?: number | undefined
  readonly sl?: number | undefined
  /** The position that is open at this market, of either side. */
  readonly position?: OpenPosition | undefined
}

/**
 * A change of an alert; what is absent stays. `act: "close"` makes it close. `act: "open"` makes an alert that would
 * close set `tp` or `sl` of the position that it would close, and is refused where there is none. A target of undefined
 * is taken away. `text` is shown on the timeline.
 */
export interface AlertChange {
  readonly act?: "open" | "close"
  readonly tp?: number | undefined
  readonly sl?: number | undefined
  readonly text?: string
}

/** An order that a decision places, in the words of the strategy's bot. */
export interface DecidedOrder {
  readonly side: "buy" | "sell"
  readonly purpose: "entry" | "dca" | "exit"
  readonly quantity: number
  readonly price: number
}

/** What the bot would do. Return the very object that `decide` returned: a copy of it is no decision. */
export interface Decided {
  /** The reason of the alert's outcome; "waiting" where it waits for the end of an order. */
  readonly answer: Reason | "waiting"
  readonly orders: ReadonlyArray<DecidedOrder>
}

/** What the bot does with the alert, or with the alert as it is changed. Nothing happens before it is returned. */
export type Decide = (change?: AlertChange) => Decided

/** The most decisions that a hook may ask for on one alert. */
export const MAX_DECIDES = 8

/** Hands the alert to `decide`, changed as wanted; throws a TypeError where it may not be changed so. */
export const checked =
  (arrival: Arrival, decide: (change: AlertChange) => Decided, made: Set<Decided>): Decide =>
  (change = {}) => {
    if (made.size >= MAX_DECIDES) throw new TypeError(`alert must not decide over ${MAX_DECIDES} times`)
    const decided = decide(sound(arrival, change))
    made.add(decided)
    return decided
  }

const sound = (arrival: Arrival, change: AlertChange): AlertChange => {
  const { act = arrival.act, text } = change
  const tp = "tp" in change ? change.tp : arrival.tp
  const sl = "sl" in change ? change.sl : arrival.sl
  if (act !== "open" && act !== "close") throw new TypeError(`act must not be ${String(act)}`)
  for (const target of [tp, sl])
    if (target !== undefined && !(Number.isFinite(target) && target > 0))
      throw new TypeError(`a target must not be ${String(target)}`)
  if (act === "open" && arrival.act === "close") {
    if (arrival.position?.side !== arrival.side)
      throw new TypeError("an alert that closes must not open a position")
    if ((tp ?? sl) === undefined) throw new TypeError("an alert that no longer closes needs a target")
  }
  if (text !== undefined && typeof text !== "string")
    throw new TypeError("the text of a change must be a string")
  return { act, tp, sl, ...(text === undefined ? {} : { text }) }
}
