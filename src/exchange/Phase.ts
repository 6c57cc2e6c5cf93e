// The phases of a request about an order, and the verdicts on a failed one.

/** The purpose of a request. */
export const PHASES = ["place", "lookup", "cancel", "balance"] as const
export type Phase = (typeof PHASES)[number]

/**
 * The meaning of a failed request for its order. `Rejected`: certainly nothing was or will be traded. `Missing`: the
 * exchange knows no such order. `Unknown`: neither is certain.
 */
export type Verdict = "Rejected" | "Unknown" | "Missing"
