// Random walks with alerts at random, on which no setting has any skill.
import { PCGRandom } from "effect/Utils"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { MarketId } from "../../src/domain/Market.ts"
import type { Recording } from "../../src/trading/sweep/SweepSplit.ts"
import { alert, BTC, market } from "../trading/scenario.ts"

const HOUR = 3_600_000
/** The hours of a walk. */
export const HOURS = 24 * 180

/** Half the variance of a step: with it the price itself has no drift, and holding it is worth nothing either. */
const DRIFT = (3 / 12) * 0.012 ** 2 * 0.5

/** Hours of a walk without drift whose steps are about half a percent. */
const walk = (random: PCGRandom): Columns => {
  const column = () => new Float64Array(HOURS)
  const columns = { at: column(), open: column(), high: column(), low: column(), close: column() }
  let price = 20_000
  const step = () => (random.number() + random.number() + random.number() - 1.5) * 0.012
  for (let hour = 0; hour < HOURS; hour++) {
    const open = price
    const path = [open, open * Math.exp(step()), open * Math.exp(step() - DRIFT)]
    price = path[2] ?? open
    columns.at[hour] = hour * HOUR
    columns.open[hour] = open
    columns.high[hour] = Math.max(...path)
    columns.low[hour] = Math.min(...path)
    columns.close[hour] = price
  }
  return { ...columns, length: HOURS }
}

const fees = { makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }
/** No fees, so that nothing but luck is left. */
export const ground = {
  balance: Decimal.unsafeFromText("10000"),
  market: (id: MarketId) => market(id),
  fees: () => fees
}

/** The candles and alerts of a seed. */
export const recordingOf = (seed: number): Recording => {
  const random = new PCGRandom(seed)
  const series = [{ exchange: "binance", pair: BTC, columns: walk(random) } as const]
  const alerts = Array.from({ length: HOURS / 12 }, () =>
    alert(Math.floor(random.number() * HOURS) * 60, "buy")
  )
  alerts.sort((one, other) => one.at - other.at)
  return { series, alerts }
}
