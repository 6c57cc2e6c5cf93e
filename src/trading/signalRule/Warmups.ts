// How many candles expressions need before their values are those of a chart that began long before. Nothing is
// computed, and no memory is taken for it.
import type { Timeframe } from "../../domain/candles/Timeframe.ts"
import type { Checked } from "../../domain/signalRule/Expression.ts"
import { make, type Warmup } from "../expressions/Compile.ts"

export type { Warmup }

/** The candles that all of the expressions need, for each timeframe that they name. */
export const warmupsOf = (
  expressions: ReadonlyArray<Checked>,
  timeframe: Timeframe
): ReadonlyArray<Warmup> => {
  const compiler = make(timeframe)
  for (const expression of expressions) compiler.add(expression)
  return compiler.warmups()
}

/** The candles in words: `23 candles of 1h and all candles of 4h since the first`. */
export const inWords = (warmups: ReadonlyArray<Warmup>): string =>
  warmups
    .filter(({ anchored, candles }, index) => index === 0 || anchored || candles > 1)
    .map(({ anchored, candles, timeframe }) =>
      anchored
        ? `all candles of ${timeframe} since its anchor, at least ${candles}`
        : `${candles} ${candles === 1 ? "candle" : "candles"} of ${timeframe}`
    )
    .join(" and ")
