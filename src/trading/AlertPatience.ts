// How old an alert may be: the greatest age of an entry alert when it is decided, and the longest wait for a price.
// `Routing` applies it; `HoldRules` says what else an alert may wait for. In the server these are the settings
// `stale-after` and `price-wait`.

/** The greatest age of an entry alert when it is decided, and the longest wait for a price. */
export interface AlertPatience {
  readonly entryMs: number
  readonly priceMs: number
}

/** Entries are decided within 5 minutes and wait 10 seconds for a price. */
export const DEFAULT_PATIENCE: AlertPatience = { entryMs: 300_000, priceMs: 10_000 }
/** For back-tests, where no alert becomes stale. */
export const ENDLESS_PATIENCE: AlertPatience = {
  entryMs: Number.POSITIVE_INFINITY,
  priceMs: Number.POSITIVE_INFINITY
}
