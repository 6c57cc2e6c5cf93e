// Random faults of exchanges: of sending an order, of queries, and of the exchange as a whole.
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Flaw } from "../../exchanges/private/Flaw.ts"
import type { Trouble } from "../../exchanges/private/Trouble.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"
import { HASTE, passes } from "./haste.ts"

const REFUSED: ReadonlyArray<Flaw> = [
  ...(["insufficient", "min_cost", "closed_market", "no_permission", "limited", "busy"] as const),
  ...(["maintenance", "timeout", "clock", "bad_request"] as const)
]
/** The queries that may fail. */
const ASKED = ["order", "open", "closed", "trades"] as const

/** The fault of sending one order; usually none. */
export const ofOrder = (dice: SeededRandom): Trouble | undefined => {
  const when = dice.pick(["before", "after", "after"] as const)
  const odds = dice.next()
  if (odds < 0.35) return undefined
  if (odds < 0.47) return { how: "cut", when }
  if (odds < 0.6) return { how: "status", when, status: dice.pick([500, 502, 503, 504]) }
  if (odds < 0.75) return { how: dice.pick(["truncated", "nonsense", "empty"] as const), when }
  if (odds < 0.8) return { how: "delay", when, ms: dice.whole(100, 6_000) / HASTE }
  if (odds < 0.82) return { how: "hang", when }
  return { how: "refuse", flaw: dice.pick(REFUSED) }
}

/** The fault of one query. */
export const ofQuestion = (
  dice: SeededRandom
): readonly [(typeof ASKED)[number], Trouble, number] | undefined => {
  if (dice.chance(0.6)) return undefined
  const odds = dice.next()
  const trouble: Trouble =
    odds < 0.3
      ? { how: "cut", when: "after" }
      : odds < 0.6
        ? { how: dice.pick(["truncated", "nonsense", "empty"] as const), when: "after" }
        : odds < 0.8
          ? { how: "status", when: "after", status: 502 }
          : { how: "refuse", flaw: dice.pick(["limited", "busy", "maintenance"] as const) }
  return [dice.pick(ASKED), trouble, dice.whole(1, 3)]
}

/** A temporary state of the exchange: hiding orders, late, repeating, or banning. */
export const weather = async (venue: Venue, dice: SeededRandom, isOver: () => boolean): Promise<void> => {
  const { book } = venue.desk
  while (!isOver()) {
    await passes(dice.whole(3_000, 15_000))
    const odds = dice.next()
    Object.assign(book, {
      hideMs: odds < 0.3 ? dice.whole(500, 12_000) : 0,
      lateFillsMs: odds > 0.2 && odds < 0.45 ? dice.whole(200, 5_000) : 0,
      doubleFills: odds > 0.4 && odds < 0.65,
      ids: dice.chance(0.5) ? "open" : undefined
    })
    if (dice.chance(0.05)) venue.desk.ban(dice.whole(1_000, 6_000))
  }
  venue.heal()
}
