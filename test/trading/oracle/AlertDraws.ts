// Random alerts for cases: their targets lie some units around the price of their candle.
import * as FastCheck from "effect/FastCheck"
import type { Case, CaseAlert, Rung } from "./Case.ts"
import { type Drawn, int, maybe, percents, pick, plainly, type Taste, wanted, within100 } from "./Draws.ts"

const MINUTE = 60_000

/** An alert, drawn. */
export const alert = (taste: Taste) =>
  FastCheck.record({
    candle: int(0, taste.candles * 2),
    pair: int(0, taste.pairs - 1),
    type: FastCheck.constantFrom(...taste.types),
    tp: maybe(int(-1, 15), 4),
    sl: maybe(int(-1, 12), 3),
    tps: wanted(
      taste.ladders,
      FastCheck.array(FastCheck.record({ away: int(1, 6), close: percents }), { minLength: 1, maxLength: 5 }),
      3
    ),
    part: wanted(taste.chart, percents, 1),
    reverse: wanted(taste.chart, pick(true, false), 2),
    buy: wanted(taste.chart, pick(10, 100, 35, 20, 7, 0), 4),
    either: wanted(taste.chart, pick<true>(true), 6),
    growth: wanted(taste.chart, pick(1, 0.5, 0.333, 2), 4)
  })

/** The candles that alerts come among, and the unit of their targets' distances. */
export interface Around {
  readonly series: Case["series"]
  readonly unit: number
}

/** The drawn alert. */
export const alertOf = (
  drawn: Drawn<ReturnType<typeof alert>>,
  { series, unit }: Around
): ReadonlyArray<CaseAlert> => {
  const { candles, pair } = series[drawn.pair % series.length] ?? { candles: [], pair: "" }
  // One in so many comes after the last candle.
  const isLate = drawn.candle === candles.length * 2
  const candle = isLate ? candles.at(-1) : candles[drawn.candle % candles.length]
  const open = candle?.[1] ?? 100
  const late = isLate ? MINUTE : 0
  const isEntry = drawn.type === "buy" || drawn.type === "long" || drawn.type === "short"
  const way = drawn.type === "short" ? -1 : 1
  const at = (away: number) => Math.max(unit, Number((open + way * away * unit).toFixed(6)))
  const rungs: Array<Rung> = []
  let away = 0
  for (const each of within100(drawn.tps ?? [])) {
    away += each.away
    if (open + way * away * unit > unit / 2) rungs.push({ price: at(away), percent: each.close })
  }
  const tps = isEntry && rungs.length > 0 ? rungs : undefined
  return [
    plainly({
      time: (candle?.[0] ?? MINUTE) + late,
      pair,
      type: drawn.type,
      tp: isEntry && tps === undefined && drawn.tp !== undefined ? at(drawn.tp) : undefined,
      sl: isEntry && drawn.sl !== undefined ? at(-drawn.sl) : undefined,
      tps,
      close_percent: isEntry ? undefined : drawn.part,
      reverse: drawn.type === "long" || drawn.type === "short" ? drawn.reverse : undefined,
      buy_percentage: isEntry ? drawn.buy : undefined,
      growth: isEntry ? drawn.growth : undefined,
      either_side: isEntry || drawn.type === "sell" ? undefined : drawn.either
    })
  ]
}
