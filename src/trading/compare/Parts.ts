// The parts of the difference between what a strategy did and its test, in the sequence in which the real circumstances
// are switched on.

/** The circumstances that a run of the test can take over from the record, in their sequence. */
export const STAGES = [
  "settings",
  "alerts",
  "outages",
  "orders",
  "price",
  "fees",
  "latency",
  "by_hand"
] as const
/** A circumstance. */
export type Stage = (typeof STAGES)[number]

/**
 * The parts of a difference. Each but the last is the effect of switching on one more real circumstance in the test:
 * settings as they were at each time, alerts when they acted, halts and outages, refused and partly filled orders, the
 * prices of the fills, the fees, the moments and prices at which the bot really decided (`latency`), and what its owner
 * closed. `no_candles` is the whole difference of trades at times without candles.
 */
export const PARTS = [...STAGES, "no_candles"] as const
/** A part of a difference. */
export type Part = (typeof PARTS)[number]
