/** What was being done when a request failed. */
export const PHASES = ["place", "lookup", "cancel", "balance"] as const
export type Phase = (typeof PHASES)[number]

/**
 * What a failed request says of the order that it was about. `Rejected`: surely nothing was or will be traded.
 * `Missing`: there is no such order as far as the exchange knows. `Unknown`: nobody knows.
 */
export type Verdict = "Rejected" | "Unknown" | "Missing"
