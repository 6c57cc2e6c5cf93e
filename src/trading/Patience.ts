// The bounds on waiting alerts: the age of an entry alert when it is decided, and its wait for a price.

/** The greatest age of an entry alert when it is decided, and the longest wait for a price. */
export interface Patience {
  readonly entryMs: number
  readonly priceMs: number
}

/** Entries are decided within 5 minutes and wait 10 seconds for a price. */
export const DEFAULT_PATIENCE: Patience = { entryMs: 300_000, priceMs: 10_000 }
/** For back-tests, where no alert becomes stale. */
export const ENDLESS_PATIENCE: Patience = {
  entryMs: Number.POSITIVE_INFINITY,
  priceMs: Number.POSITIVE_INFINITY
}
