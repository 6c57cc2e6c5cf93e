// Whether a fill's price was quoted at its time.
import type { Fill } from "../../../src/domain/Fill.ts"
import { type Slot, slotKey } from "../../exchanges/Protocol.ts"
import type { Venue } from "./Venue.ts"

/** A price is good for ten seconds; and then it is on its way to the bot, and to the disk. */
const GOOD_MS = 10_000
const ON_ITS_WAY_MS = 1000

/** How old the price may be that a fill was made at: streamed, or by hook or by crook. */
export const AT_ONCE_MS = 1500
export const AT_MOST_MS = GOOD_MS + ON_ITS_WAY_MS

type Filled = Slot & Pick<Fill, "side" | "price" | "at">

/** Whether the exchange asked that for what was bought, or bid it for what was sold, at that time. */
export const isFair = (venue: Venue, fill: Filled, ageMs: number): boolean =>
  venue.quoted(slotKey(fill), fill.side === "buy" ? "ask" : "bid", fill.price, fill.at - ageMs, fill.at + 50)

export const unfair = (venue: Venue, fills: ReadonlyArray<Filled>, ageMs: number): ReadonlyArray<string> =>
  fills
    .filter((fill) => !isFair(venue, fill, ageMs))
    .map(
      (fill) =>
        `a ${fill.side} of ${slotKey(fill)} at ${fill.price}, ${new Date(fill.at).toISOString()}, which nobody quoted`
    )
