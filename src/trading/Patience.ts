// How long alerts wait: how old an entry may be when it is decided, and how long it waits for a price.

/** How long an entry alert may be decided after it came, and how long it waits for a price. */
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
