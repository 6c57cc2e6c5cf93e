// How long a price may be traded on after it was quoted. (The age of alerts: `trading/AlertPatience`.) A file of its
// own, so that the thread of the price feeds loads little.

/** How long (ms) a price may be traded on after it was quoted. */
export const FRESH_MS = 10_000
