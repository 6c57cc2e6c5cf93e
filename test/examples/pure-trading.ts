// The trading core alone, as plain functions over arrays: no Effect runtime, no service, no clock, no promise.
import assert from "node:assert/strict"
import { Either } from "effect"
import * as Decimal from "signalbox/domain/Decimal"
import { Pair } from "signalbox/domain/Market"
import { parseCreate } from "signalbox/domain/requests/StrategyRequest"
import * as Backtest from "signalbox/trading/Backtest"
import * as Performance from "signalbox/trading/Performance"

const pair = Pair.make("BTC/USDT")
const HOUR = 3_600_000
const began = Date.UTC(2025, 0, 1)

// Ten days of hours in which the price swings by some percent.
const hours = Array.from({ length: 240 }, (_, hour) => began + hour * HOUR)
const close = hours.map((_, hour) => 60_000 + 3_000 * Math.sin(hour / 9))
const columns = {
  at: Float64Array.from(hours),
  open: Float64Array.from(close, (_, hour) => close[hour - 1] ?? 60_000),
  high: Float64Array.from(close, (price, hour) => Math.max(price, close[hour - 1] ?? 60_000)),
  low: Float64Array.from(close, (price, hour) => Math.min(price, close[hour - 1] ?? 60_000)),
  close: Float64Array.from(close),
  length: hours.length
}

// A strategy as the interface takes it: one mistake in it, and `parseCreate` tells each field's.
const { settings } = Either.getOrThrow(
  parseCreate({
    name: "Swings",
    description: "",
    active: true,
    public: false,
    buy_percentage: 25,
    default_quote_currency: "USDT",
    default_exchange_name: "binance",
    sell_minprofitpercent: 2,
    exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
  })
)

const [step, most] = [Decimal.unsafeFromText("0.00001"), Decimal.unsafeFromText("5")]
const result = Backtest.run({
  settings,
  balance: Decimal.fromNumber(10_000),
  series: [{ exchange: "binance", pair, columns }],
  // An alert to buy in every hour that begins low.
  alerts: hours
    .filter((_, hour) => (close[hour - 1] ?? 60_000) < 58_000)
    .map((at) => ({ type: "buy", pair, at })),
  market: ({ kind }) =>
    kind === "swap"
      ? undefined
      : {
          ...{ exchange: "binance", pair, kind, active: true, buyEnabled: true },
          ...{ priceStep: Decimal.unsafeFromText("0.01"), amountStep: step, minAmount: step, minCost: most }
        },
  fees: () => ({ makerFeePercent: Decimal.fromNumber(0.1), takerFeePercent: Decimal.fromNumber(0.1) })
})

const { net_pnl, trade_count, win_rate_pct } = Performance.summary(result.tally, result.today)
assert.ok(trade_count > 3 && net_pnl > 0)
console.log(`${trade_count} trades, ${win_rate_pct} % won, ${net_pnl.toFixed(2)} USDT, and no runtime`)
