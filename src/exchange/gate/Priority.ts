// The priorities of requests to an exchange. Cancels and exits are urgent: they precede everything else.

/** The purposes of requests, the most urgent first. */
export const PRIORITIES = ["cancel", "exit", "lookup", "entry", "balance"] as const
export type Priority = (typeof PRIORITIES)[number]

/** Purposes that wait for nothing else, and only briefly for the exchange's clock. */
const URGENT: ReadonlyArray<Priority> = ["cancel", "exit"]
export const isUrgent = (priority: Priority): boolean => URGENT.includes(priority)

/** Purposes that place or cancel orders. */
const ORDERS: ReadonlyArray<Priority> = ["cancel", "exit", "entry"]
export const isOrder = (priority: Priority): boolean => ORDERS.includes(priority)

/** Purposes that place orders. */
const PLACING: ReadonlyArray<Priority> = ["exit", "entry"]
export const isPlacing = (priority: Priority): boolean => PLACING.includes(priority)
