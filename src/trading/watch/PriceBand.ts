import { isSound, type Ticker } from "../../domain/Ticker.ts"

/** How far a bid or an ask may lie from the one before to be believed at once. */
export const BAND_PERCENT = 5

/** What is believed of one market's price so far. */
export interface Track {
  /** The last ticker that was let through. */
  readonly accepted?: Ticker
  /** One that came after it and lies too far off to be believed without a second. */
  readonly suspect?: Ticker
}

/** Nothing is known yet. */
export const UNTRACKED: Track = {}

/** What becomes of a ticker: let through, held back until a second one confirms it, or no price at all. */
export type Verdict = "accepted" | "held" | "dropped"

/**
 * Whether a ticker may be decided on. Exchanges send one wild price now and then, of a stray trade or a book that was
 * empty for a moment: a price outside of the band counts only once a second one near it has come. A market's first
 * price has nothing to lie far from; only one whose own bid and ask lie far apart has to be confirmed. Silence, however
 * long, proves nothing: the band stays around the last price that was let through.
 */
export const judge = ({ accepted, suspect }: Track, ticker: Ticker): Verdict => {
  if (!isSound(ticker)) return "dropped"
  if (accepted === undefined ? isWithin(ticker.bid, ticker.ask) : isNear(accepted, ticker)) return "accepted"
  return suspect !== undefined && isNear(suspect, ticker) && !isSame(suspect, ticker) ? "accepted" : "held"
}

/** What is believed after a ticker that was judged so. One in order takes a suspicion back; no price changes nothing. */
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

/** Bids and asks each: a book of which one side was swept is no price either. */
const isNear = (one: Ticker, other: Ticker): boolean =>
  isWithin(one.bid, other.bid) && isWithin(one.ask, other.ask)

const isWithin = (reference: number, price: number): boolean =>
  Math.abs(price - reference) <= (reference * BAND_PERCENT) / 100

/** Feeds hand out what they have already handed out: the same ticker once more is no second one. */
const isSame = (one: Ticker, other: Ticker): boolean =>
  one.at === other.at && one.bid === other.bid && one.ask === other.ask && one.last === other.last
