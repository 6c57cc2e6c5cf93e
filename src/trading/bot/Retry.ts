// When an order of an open position may be sent again after a rejection: after 1 s, then twice as long each time, at
// most 60 s. An exit that no rule would decide again is kept until it is made. A rejected first entry is not sent again
// (`ended` in Fills). What counts as rejected: exchange/outcomes.
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExitReason, Order } from "../../domain/Order.ts"

/** The wait after the first rejection, and the longest; it doubles each time. */
const FIRST_MS = 1_000
const MOST_MS = 60_000

/** The number of tries, the time until which an order waits, and the reason of the exit that must be made (`wish`). */
export type Retry = NonNullable<Slot["retry"]>

/**
 * An exit to make: its reason, the quantity `part` (base) where it is not all that is held, and how many steps of its
 * ladder are done with it.
 */
export interface PendingExit {
  readonly exitReason: ExitReason
  readonly part?: Decimal.Decimal | undefined
  readonly step?: number | undefined
}

/** Exit reasons that no rule would decide again, which are kept until the exit is made. */
const KEPT_REASONS: ReadonlySet<ExitReason> = new Set(["signal", "manual", "disarmed", "strategy_deleted"])

/** Whether the wait goes on. Never longer than the longest wait, even if the clock was set back. */
export const waits = ({ until }: Retry, now: number): boolean => now < until && until - now <= MOST_MS

/** An exit that must be made as soon as the present wait is over. An exit of all that is held stays one. */
export const retryAfterWait = ({ retry }: Slot, wish: PendingExit, now: number): Retry => {
  if (retry === undefined || retry.type !== "market" || !waits(retry, now)) return retryNow(wish, now)
  if (retry.wish !== undefined && retry.part === undefined && wish.part !== undefined) return retry
  const { part: _, step: __, ...rest } = retry
  return { ...rest, ...kept(wish) }
}

/** An exit that must be made, without a wait. */
export const retryNow = (wish: PendingExit, now: number): Retry => ({
  until: now,
  times: 0,
  type: "market",
  ...kept(wish)
})

/** An exit that waits until the slot's stop has ended: a market exit is decided already, a limit is decided again. */
export const retryAfterStop = (slot: Slot, now: number, type: Order["type"], wish: PendingExit): Retry =>
  type === "limit" ? { until: now, times: slot.retry?.times ?? 0, type } : retryNow(wish, now)

/**
 * The exit to keep of an order that ended unfilled or partly filled. The order's quantity is what has not filled: for a
 * part that is all that is still to be made.
 */
export const pendingExit = ({ retry }: Slot, order: Order): PendingExit | undefined => {
  const { exitReason = "signal", part, quantity, step } = order
  const isOfPart = part === true && (retry?.wish === undefined || retry.part !== undefined)
  const pending = isOfPart
    ? { exitReason, part: quantity, step }
    : { exitReason: retry?.wish ?? exitReason, part: retry?.part, step: retry?.step }
  return KEPT_REASONS.has(pending.exitReason) && !(isOfPart && Decimal.isZero(quantity)) ? pending : undefined
}

/** After a rejection: no order of this type is sent for a while. */
export const retryLater = ({ retry }: Slot, type: Order["type"], now: number, wish?: PendingExit): Retry => {
  const before = retry !== undefined && now - retry.until < MOST_MS ? retry.times : 0
  const until = now + Math.min(FIRST_MS * 2 ** before, MOST_MS)
  const waits = { until, times: before + 1, type }
  return wish === undefined ? waits : { ...waits, ...kept(wish) }
}

const kept = ({ exitReason, part, step }: PendingExit): Pick<Retry, "part" | "step" | "wish"> => ({
  wish: exitReason,
  ...(part === undefined ? {} : { part }),
  ...(step === undefined ? {} : { step })
})
