// The stretches of a search by halving, as they were tried, in words.
import { FACTOR } from "../../trading/sweep/Halving.ts"

/** A rung as it was: its days, and how many combinations were tried on it. */
export interface Rung {
  readonly days: number
  readonly tried: number
}

/** What was tried on which days, in words. */
export const rungsText = (rungs: ReadonlyArray<Rung>): string =>
  rungs.length < 2
    ? `They are too few to be halved (the last stretch has to have 9 at least and one in ${FACTOR} goes on), so that all were tried on all of train.`
    : `They were halved: ${rungs
        .map(({ days, tried }, rung) =>
          rung === rungs.length - 1
            ? `${tried} on all ${Number(days.toFixed(1))} days of train`
            : `${tried} on its newest ${Number(days.toFixed(1))} days`
        )
        .join(", ")}. The ranking holds the last ${rungs.at(-1)?.tried ?? 0}; luck is measured for all.`
