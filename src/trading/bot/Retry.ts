// When an order of an open position may be sent again after a rejection: after 1 s, then twice as long each time, at
// most 60 s. An exit that no rule would decide again is kept until it is made. A rejected first entry is not sent again
// (`ended` in Fills). What counts as rejected: exchange/outcomes.
import type { Slot } from "../../domain/Bot.ts"
import type { ExitReason, Order } from "../../domain/Order.ts"

/** The wait after the first rejection, and the longest; it doubles each time. */
const FIRST_MS = 1_000
const MOST_MS = 60_000

/** The number of tries, the time until which an order waits, and the reason of the exit that must be made (`wish`). */
export type Retry = NonNullable<Slot["retry"]>

/** Exit reasons that no rule would decide again, which are kept until the exit is made. */
const KEPT_REASONS: ReadonlySet<ExitReason | undefined> = new Set(["signal", "disarmed", "strategy_deleted"])

/** Whether the wait goes on. Never longer than the longest wait, even if the clock was set back. */
export const waits = ({ until }: Retry, now: number): boolean => now < until && until - now <= MOST_MS

/** An exit that must be made as soon as the present wait is over. */
export const retryAfterWait = ({ retry }: Slot, exitReason: ExitReason, now: number): Retry =>
  retry !== undefined && retry.type === "market" && waits(retry, now)
    ? { ...retry, wish: exitReason }
    : retryNow(exitReason, now)

/** An exit that must be made, without a wait. */
export const retryNow = (exitReason: ExitReason, now: number): Retry => ({
  until: now,
  times: 0,
  type: "market",
  wish: exitReason
})

/** An exit that waits until the slot's stop has ended: a market exit is decided already, a limit is decided again. */
export const retryAfterStop = (slot: Slot, now: number, type: Order["type"], reason: ExitReason): Retry =>
  type === "limit" ? { until: now, times: slot.retry?.times ?? 0, type } : retryNow(reason, now)

/** The reason to keep of an exit that ended unfilled or partly filled. */
export const pendingExit = (
  { retry }: Slot,
  { exitReason }: Pick<Order, "exitReason">
): ExitReason | undefined => {
  const pending = retry?.wish ?? exitReason
  return KEPT_REASONS.has(pending) ? pending : undefined
}

/** After a rejection: no order of this type is sent for a while. */
export const retryLater = (
  { retry }: Slot,
  type: Order["type"],
  now: number,
  exitReason?: ExitReason
): Retry => {
  const before = retry !== undefined && now - retry.until < MOST_MS ? retry.times : 0
  const until = now + Math.min(FIRST_MS * 2 ** before, MOST_MS)
  const waits = { until, times: before + 1, type }
  return exitReason === undefined ? waits : { ...waits, wish: exitReason }
}
