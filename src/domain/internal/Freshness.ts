// The time for which a price is fresh, in a file of its own, so that the thread of the price feeds loads nothing else.

/** How long (ms) a price may be traded on after it was quoted. */
export const FRESH_MS = 10_000
