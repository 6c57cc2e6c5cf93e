// Whether a fill's price was quoted at its time.
import type { Fill } from "../../../src/domain/Fill.ts"
import { type Slot, slotKey } from "../../exchanges/Protocol.ts"
import type { Venue } from "./Venue.ts"

/** A price is fresh for ten seconds, and takes time to the bot and to the disk. */
const GOOD_MS = 10_000
const ON_ITS_WAY_MS = 1000

/** The greatest age of a fill's price, for a streamed one and for any other. */
export const AT_ONCE_MS = 1500
export const AT_MOST_MS = GOOD_MS + ON_ITS_WAY_MS

type Filled = Slot & Pick<Fill, "side" | "price" | "at">

/** Whether the exchange asked this price for a buy, or bid it for a sale, at that time. */
export const isFair = (venue: Venue, fill: Filled, ageMs: number): boolean =>
  venue.quoted(slotKey(fill), fill.side === "buy" ? "ask" : "bid", fill.price, fill.at - ageMs, fill.at + 50)

export const unfair = (venue: Venue, fills: ReadonlyArray<Filled>, ageMs: number): ReadonlyArray<string> =>
  fills
    .filter((fill) => !isFair(venue, fill, ageMs))
    .map(
      (fill) =>
        `a ${fill.side} of ${slotKey(fill)} at ${fill.price}, ${new Date(fill.at).toISOString()}, which nobody quoted`
    )
