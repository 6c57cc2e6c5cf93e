import type { Slot } from "../../domain/Bot.ts"
import type { ExitReason, Order } from "../../domain/Order.ts"

/** How long an order that was turned down waits at first, and at most; each time it is twice as long. */
const FIRST_MS = 1_000
const MOST_MS = 60_000

/** How often, until when and why an order waits. */
export type Retry = NonNullable<Slot["retry"]>

/** Exits that no rule would decide again: what was wished for is made, however long it takes. */
const WISHES: ReadonlySet<ExitReason | undefined> = new Set(["signal", "disarmed", "strategy_deleted"])

/** Whether it has to wait still: never longer than the longest, also where the clock was set back. */
export const waits = ({ until }: Retry, now: number): boolean => now < until && until - now <= MOST_MS

/** What is wished for as soon as nothing has to be waited for. */
export const wishedIn = ({ retry }: Slot, wish: ExitReason, now: number): Retry =>
  retry !== undefined && retry.type === "market" && waits(retry, now) ? { ...retry, wish } : wished(wish, now)

/** What is wished for at once. */
export const wished = (wish: ExitReason, now: number): Retry => ({
  until: now,
  times: 0,
  type: "market",
  wish
})

/** An exit that has to wait for the slot's stop to end: at market it is decided; at a limit it is looked at again. */
export const asked = (slot: Slot, now: number, type: Order["type"], reason: ExitReason): Retry =>
  type === "limit" ? { until: now, times: slot.retry?.times ?? 0, type } : wished(reason, now)

/** What is left to be wished for of an exit that has come to nothing, or to less than all. */
export const wishOf = (
  { retry }: Slot,
  { exitReason }: Pick<Order, "exitReason">
): ExitReason | undefined => {
  const wish = retry?.wish ?? exitReason
  return WISHES.has(wish) ? wish : undefined
}

/** An order of a type was turned down: no other of it is sent for a while. */
export const turnedDown = ({ retry }: Slot, type: Order["type"], now: number, wish?: ExitReason): Retry => {
  const before = retry !== undefined && now - retry.until < MOST_MS ? retry.times : 0
  const until = now + Math.min(FIRST_MS * 2 ** before, MOST_MS)
  const waits = { until, times: before + 1, type }
  return wish === undefined ? waits : { ...waits, wish }
}
