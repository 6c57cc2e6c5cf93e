// Writes what the templates of strategies do on their recorded days, for the sample charts of the dashboard's gallery.
// The product's own back-test computes it, and a test compares the file with a fresh run, so that no chart can drift.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Recorded from "../src/cli/demo/Recorded.ts"
import * as CandleFile from "../src/domain/candles/CandleFile.ts"
import * as CandleTime from "../src/domain/candles/CandleTime.ts"
import * as Catalogue from "../src/domain/catalogue/Catalogue.ts"
import * as BacktestRequest from "../src/domain/requests/BacktestRequest.ts"
import {
  alertsOf,
  momentOf,
  RECORDED_DAYS,
  sampleDraft,
  TEMPLATE_KEYS,
  TEMPLATES,
  type TemplateKey
} from "../src/domain/requests/StrategyTemplates.ts"
import * as BacktestRun from "../src/trading/backtest/BacktestRun.ts"
import type { BacktestView } from "../src/trading/backtest/BacktestView.ts"
import { joined, spanFor } from "../src/trading/candles/Bars.ts"
import { path } from "./command.ts"

export const FILE = "src/web/page/strategies/templates/samples.json"

/** The most candles of a chart, and the starting balance of its back-test. */
const MOST_CANDLES = 100
const BALANCE = 1_000

/** The samples of all templates as the text of the file. */
export const text = async (): Promise<string> => {
  const samples = await Promise.all(TEMPLATE_KEYS.map(async (key) => [key, await sampleOf(key)] as const))
  return `${JSON.stringify(Object.fromEntries(samples))}\n`
}

/** Back-tests one template over its part of a day. */
export const resultOf = async (key: TemplateKey): Promise<BacktestView> => {
  const { sample } = TEMPLATES[key]
  const { pair } = RECORDED_DAYS[sample.recorded]
  const alerts = alertsOf(TEMPLATES[key]).map((alert) => JSON.stringify(alert))
  const request = BacktestRequest.read({
    strategy: sampleDraft(key),
    candles: [{ pair, csv: await excerptOf(key) }],
    alerts: { text: alerts.join("\n") },
    balance: BALANCE
  })
  const found = Either.flatMap(request, (one) =>
    BacktestRun.run(one, {
      ground: {
        market: (id) => Option.getOrUndefined(Catalogue.find(id)),
        fees: (id) => {
          const { makerFeePercent, takerFeePercent } = Catalogue.exchange(id.exchange)
          return { makerFeePercent, takerFeePercent }
        }
      },
      most: 1_440,
      candles: () => Either.left("a sample names no recorded candles"),
      alerts: () => Either.left("a sample names no recorded alerts"),
      now: Date.now(),
      elapsed: () => 0
    })
  )
  return Either.getOrThrowWith(found, (violations) => new Error(JSON.stringify(violations)))
}

/** The rows of the day that lie in the sample. */
const excerptOf = async (key: TemplateKey): Promise<string> => {
  const { sample } = TEMPLATES[key]
  const [from, to] = [momentOf(sample, sample.from), momentOf(sample, sample.to)]
  const rows = new TextDecoder().decode(Bun.gunzipSync(await Recorded.bytesOf(sample.recorded))).split("\n")
  return rows.filter((row) => Number.parseInt(row, 10) >= from && Number.parseInt(row, 10) <= to).join("\n")
}

const sampleOf = async (key: TemplateKey) => {
  const view = await resultOf(key)
  const parsed = CandleFile.parse(new TextEncoder().encode(await excerptOf(key)), CandleTime.MADE_UP)
  const minutes = Either.getOrThrowWith(parsed, (error) => new Error(CandleFile.explainError(error)))
  const first = minutes.at[0] ?? 0
  const span = spanFor((minutes.at[minutes.length - 1] ?? 0) - first, MOST_CANDLES)
  const { at, close, high, length, low, open } = joined(minutes, span)
  return {
    interval_seconds: span / 1_000,
    candles: Array.from({ length }, (_, row) => [
      (at[row] ?? 0) / 1_000,
      open[row] ?? 0,
      high[row] ?? 0,
      low[row] ?? 0,
      close[row] ?? 0
    ]),
    alerts: alertsOf(TEMPLATES[key]).map(({ time, type }) => [time / 1_000, type]),
    fills: view.charts.flatMap(({ chart }) =>
      chart.markers.map(({ at, exit_reason, price, role, side }) => ({ at, role, side, price, exit_reason }))
    ),
    trades: view.trades.map(({ closed_at, exit_reason, profit_pct }) => ({
      closed_at,
      exit_reason,
      profit_pct
    }))
  }
}

/** Writes the file. */
export const write = async (): Promise<void> => {
  await Bun.write(path(FILE), await text())
}
