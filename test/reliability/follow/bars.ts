// Reads recorded candles as bars of a chart.
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import * as Either from "effect/Either"
import { parse } from "../../../src/domain/candles/CandleFile.ts"
import { MADE_UP } from "../../../src/domain/candles/CandleTime.ts"
import type { Bar } from "../../lib/pine/Broker.ts"

export const barsIn = (file: string): ReadonlyArray<Bar> => {
  const columns = Either.getOrThrowWith(
    parse(gunzipSync(readFileSync(file)), MADE_UP),
    () => new Error(`${file} cannot be read`)
  )
  const at = (column: Float64Array, index: number) => column[index] ?? Number.NaN
  return Array.from({ length: columns.length }, (_, index) => ({
    time: at(columns.at, index),
    open: at(columns.open, index),
    high: at(columns.high, index),
    low: at(columns.low, index),
    close: at(columns.close, index)
  }))
}
