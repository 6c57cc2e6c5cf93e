// Recorded spreads of a market, minute by minute, and the one that a moment of a back-test has.
import type { FillModel } from "../../domain/fills/FillModel.ts"
import { firstAt } from "../watch/Scan.ts"
import type { Hole } from "./Funding.ts"

/** Minutes with quotes (ms, ascending), and the mean spread between bid and ask of each, in percent of their middle. */
export interface Spreads {
  readonly at: Float64Array
  readonly percent: Float64Array
}

/** No minute is recorded. */
export const NONE: Spreads = { at: new Float64Array(0), percent: new Float64Array(0) }

/** How long (ms) a recorded spread counts: a quiet market is quoted seldom, and what is older may have changed. */
export const LASTING_MS = 3_600_000

/** The spread at a time (ms), in percent: that of its minute, or else the last one before it; 0 where that is too old. */
export const at = ({ at: minutes, percent }: Spreads, time: number): number => {
  const last = firstAt(minutes, Math.floor(time) + 1, 0) - 1
  const minute = minutes[last]
  return minute === undefined || time - minute >= LASTING_MS ? 0 : (percent[last] ?? 0)
}

/** A fill model at a time (ms): where it has recorded spreads, with the one of then. */
export const modelAt = (model: FillModel, spreads: Spreads | undefined, time: number): FillModel =>
  model.spread === undefined ? model : { ...model, spreadPercent: at(spreads ?? NONE, time) }

/** The stretches between `from` and `to` (ms) in which no recorded spread counts. */
export const holesOf = ({ at: minutes }: Spreads, { from, to }: Hole): ReadonlyArray<Hole> => {
  const holes: Array<Hole> = []
  // Until here a spread is known.
  let known = from
  for (const minute of minutes) {
    if (minute > to) break
    if (minute > known) holes.push({ from: known, to: minute })
    known = Math.max(known, minute + LASTING_MS)
  }
  return known < to ? [...holes, { from: known, to }] : holes
}
