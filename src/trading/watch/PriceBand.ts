// The rule for outliers: a price outside the band, more than `BAND_PERCENT` from the last accepted one, counts only
// once a second price near it confirms it. So one stray tick triggers no stop.
import { isSound, type Ticker } from "../../domain/Ticker.ts"

/** The most that a bid or an ask may differ from the last accepted one without confirmation, in percent. */
export const BAND_PERCENT = 5

/** The accepted and suspect prices of one market. */
export interface Track {
  /** The last accepted ticker. */
  readonly accepted?: Ticker
  /** A later ticker outside the band, waiting for a second one to confirm it. */
  readonly suspect?: Ticker
}

/** No price so far. */
export const UNTRACKED: Track = {}

/** The verdict on a ticker: accepted, held until a second one confirms it, or dropped as no price at all. */
export type Verdict = "accepted" | "held" | "dropped"

/**
 * Judges a ticker. Exchanges send a wild price now and then, from a stray trade or a book that was empty for a moment.
 * A market's first price has no band; it needs confirmation only if its own bid and ask lie far apart. Silence proves
 * nothing: the band stays around the last accepted price, however old.
 */
export const judge = ({ accepted, suspect }: Track, ticker: Ticker): Verdict => {
  if (!isSound(ticker)) return "dropped"
  if (accepted === undefined ? isWithin(ticker.bid, ticker.ask) : isNear(accepted, ticker)) return "accepted"
  return suspect !== undefined && isNear(suspect, ticker) && !isSame(suspect, ticker) ? "accepted" : "held"
}

/** The track after a verdict. An accepted ticker clears the suspect; a dropped one changes nothing. */
export const follow = (track: Track, ticker: Ticker, verdict: Verdict): Track => {
  switch (verdict) {
    case "accepted":
      return { accepted: ticker }
    case "held":
      return { ...track, suspect: ticker }
    case "dropped":
      return track
  }
}

/** Compares bids and asks separately: a book with one side swept is no price. */
const isNear = (one: Ticker, other: Ticker): boolean =>
  isWithin(one.bid, other.bid) && isWithin(one.ask, other.ask)

const isWithin = (reference: number, price: number): boolean =>
  Math.abs(price - reference) <= (reference * BAND_PERCENT) / 100

/** Feeds repeat their last ticker; a repetition confirms nothing. */
const isSame = (one: Ticker, other: Ticker): boolean =>
  one.at === other.at && one.bid === other.bid && one.ask === other.ask && one.last === other.last
