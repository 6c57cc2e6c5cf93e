/** What requests are for, the most urgent first. */
export const PRIORITIES = ["cancel", "exit", "lookup", "entry", "balance"] as const
export type Priority = (typeof PRIORITIES)[number]

/** What waits for nothing else, and for an exchange's clock for a moment only. */
const URGENT: ReadonlyArray<Priority> = ["cancel", "exit"]
export const isUrgent = (priority: Priority): boolean => URGENT.includes(priority)

/** What places orders or takes them back. */
const ORDERS: ReadonlyArray<Priority> = ["cancel", "exit", "entry"]
export const isOrder = (priority: Priority): boolean => ORDERS.includes(priority)
