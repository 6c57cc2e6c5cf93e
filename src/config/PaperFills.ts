// The setting of paper fills: the model that its text means, and why it does not go with the price source.
import * as Either from "effect/Either"
import type { FillModel } from "../domain/fills/FillModel.ts"
import { ofText } from "../domain/fills/FillText.ts"

/** How paper fills are made nearer to life; none for an empty text, and for one that was refused. */
export const paperFillsOf = (text: string): FillModel | undefined => Either.getOrUndefined(ofText(text))

/** Why late paper fills do not go with a replay; undefined where they do not meet. */
export const paperFillsRefusal = (text: string, prices: string): string | undefined =>
  paperFillsOf(text)?.latencyMs !== undefined && prices.startsWith("replay:")
    ? "--paper-fills has a latency, and a replay has no prices between its candles: leave it out"
    : undefined
