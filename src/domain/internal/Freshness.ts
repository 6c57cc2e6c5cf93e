/** For how long (ms) a quoted price is fit to trade on. In a file of its own: the thread of prices loads nothing else. */
export const FRESH_MS = 10_000
