// Runs a case through the program's own door: the strategy as a request, alerts as lines of a file, the answer as
// `backtest --json` prints it.
import * as Either from "effect/Either"
import { report } from "../../../src/cli/backtest/report.ts"
import type { Columns } from "../../../src/domain/candles/CandleFile.ts"
import { MADE_UP } from "../../../src/domain/candles/CandleTime.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import * as FillModel from "../../../src/domain/fills/FillModel.ts"
import { Pair } from "../../../src/domain/Market.ts"
import { marketOf } from "../../../src/domain/market/MarketFile.ts"
import { parseBody } from "../../../src/domain/requests/StrategyRequest.ts"
import * as Backtest from "../../../src/trading/Backtest.ts"
import * as AlertsFile from "../../../src/trading/backtest/AlertsFile.ts"
import type { Filled } from "../../../src/trading/backtest/BacktestView.ts"
import type { Candle, Case, CaseAlert, Wishes } from "./Case.ts"
import { plainly } from "./Draws.ts"

const given = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The strategy as a request. */
export const requestOf = (w: Wishes) =>
  given({
    name: "case",
    description: "",
    active: w.active ?? true,
    public: false,
    default_quote_currency: "USDT",
    default_exchange_name: "binance",
    exchanges: [{ exchange_name: "binance", coin_pairs: w.pairs }],
    buy_percentage: w.buy_percentage,
    maker_fee: w.maker_fee,
    taker_fee: w.taker_fee,
    sell_minprofitpercent: w.sell_minprofitpercent,
    signal_ignores_sell_min_profit_percent: w.signal_ignores_sell_min_profit_percent,
    ...(w.trailing_buy_percentage !== undefined && {
      strategy_trailing_buy_switch: true,
      trailing_buy_percentage: w.trailing_buy_percentage
    }),
    ...(w.dca && {
      strategy_dca_switch: true,
      dca_aftertime: w.dca.after,
      dca_maxretries: w.dca.retries,
      dca_percentagetrigger: w.dca.trigger,
      dca_ordersize: w.dca.size
    }),
    ...(w.trailing_sell && {
      trailing_sell: true,
      trailing_sell_arm: w.trailing_sell.arm,
      trailing_sell_percentage: w.trailing_sell.percent
    }),
    ...(w.stop_loss_percentage !== undefined && {
      stop_loss: true,
      stop_loss_percentage: w.stop_loss_percentage
    }),
    ...(w.balance_take_profit && {
      balance_take_profit: true,
      balance_take_profit_trigger: w.balance_take_profit.trigger,
      balance_take_profit_cooldown: w.balance_take_profit.cooldown
    }),
    ...(w.balance_stop_loss && {
      balance_stop_loss: true,
      balance_stop_loss_trigger: w.balance_stop_loss.trigger,
      balance_stop_loss_cooldown: w.balance_stop_loss.cooldown
    }),
    ...(w.auto_close_position_value !== undefined && {
      auto_close_position_enabled: true,
      auto_close_position_value: w.auto_close_position_value
    }),
    max_entries: w.max_entries,
    on_opposite: w.on_opposite,
    take_profit_steps: w.take_profit_steps,
    break_even_after: w.break_even_after,
    risk_percent: w.risk_percent
  })

/** An alert as a line of a file. */
export const lineOf = ({ pair, ...alert }: CaseAlert): string => {
  const [coin, quote_currency] = pair.split("/")
  return JSON.stringify({ ...alert, coin, quote_currency })
}

const columnsOf = (candles: ReadonlyArray<Candle>): Columns => {
  const column = (index: number) => Float64Array.from(candles, (candle) => candle[index] ?? 0)
  return {
    at: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    length: candles.length
  }
}

const orThrow = <A, E>(either: Either.Either<A, E>): A =>
  Either.getOrThrowWith(either, (left) => new Error(JSON.stringify(left)))

/** The answer of `signalbox backtest --json`. */
export const program = (one: Case) => ran(one).answer

/** The answer with the fills behind it. */
export const ran = (one: Case) => {
  const { settings } = orThrow(parseBody(requestOf(one.strategy)))
  const lines = new TextEncoder().encode(one.alerts.map(lineOf).join("\n"))
  const series = one.series.map(({ candles, pair }) => ({
    exchange: "binance" as const,
    pair: Pair.make(pair),
    columns: columnsOf(candles)
  }))
  const fills: Array<Filled> = []
  const result = Backtest.run({
    settings,
    balance: Decimal.fromNumber(one.balance),
    fillModel: orThrow(FillModel.ofDocument(plainly(one.fills ?? {}))),
    series,
    alerts: orThrow(AlertsFile.parse(lines, MADE_UP)),
    market: (id) => {
      const series = one.series.find(({ pair }) => pair === id.pair)
      return series && marketOf(series.market, id)
    },
    fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }),
    filled: (order, fill) => void fills.push({ order, fill })
  })
  if (result.overrunAt !== undefined) throw new Error(`overran at ${result.overrunAt}`)
  return { answer: report({ settings, series, result, fills }), fills }
}
