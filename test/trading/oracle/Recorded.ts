// Random cases over recorded candles: excerpts of a real day, with the fine steps of a real market.
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { parse } from "../../../src/domain/candles/CandleFile.ts"
import { MADE_UP } from "../../../src/domain/candles/CandleTime.ts"
import { alert, alertOf } from "./AlertDraws.ts"
import type { Candle, Case } from "./Case.ts"
import { int, pick, type Taste } from "./Draws.ts"
import { wishes, wishesOf } from "./Strategies.ts"

/** One-minute candles of 13 December 2022 (bybit BTC/USDT, from QuantConnect's Lean, Apache-2.0). */
const FILE = resolve(import.meta.dir, "../../../src/cli/demo/bybit_BTCUSDT_1m_2022-12-13.csv.gz")

const recorded = (): ReadonlyArray<Candle> => {
  const columns = Either.getOrThrowWith(parse(gunzipSync(readFileSync(FILE)), MADE_UP), () => new Error(FILE))
  const at = (column: Float64Array, index: number) => column[index] ?? Number.NaN
  return Array.from({ length: columns.length }, (_, i): Candle => {
    const { close, high, low, open } = columns
    return [at(columns.at, i), at(open, i), at(high, i), at(low, i), at(close, i)]
  })
}
const CANDLES = recorded()

const market = FastCheck.record({
  price_step: pick(0.01, 0.1, 0.5),
  amount_step: pick(0.000001, 0.001, 0.01),
  min_amount: pick(0, 0.001),
  min_cost: pick(0, 5, 300)
})

/** Random cases over so many candles of the recorded day. */
export const recordedCases = (taste: Taste): FastCheck.Arbitrary<Case> =>
  FastCheck.record({
    from: int(0, CANDLES.length - taste.candles),
    market,
    wishes: wishes(taste),
    scale: pick(0.05, 0.1, 0.3),
    alerts: FastCheck.array(alert(taste), { minLength: 1, maxLength: taste.alerts, size: "max" })
  }).map(({ alerts, from, market, scale, wishes }) => {
    const candles = CANDLES.slice(from, from + taste.candles)
    const series = [{ pair: "BTC/USDT", market, candles }]
    return {
      balance: 10_000,
      strategy: wishesOf(wishes, ["BTC/USDT"], scale),
      series,
      alerts: alerts.flatMap((each) => alertOf(each, { series, unit: 100 * scale }))
    }
  })
