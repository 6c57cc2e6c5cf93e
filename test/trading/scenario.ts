import * as Schema from "effect/Schema"
import type { AlertType } from "../../src/domain/Alert.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { FillModel } from "../../src/domain/fills/FillModel.ts"
import type { FundingRate } from "../../src/domain/fills/FundingRate.ts"
import { type Market, type MarketId, Pair } from "../../src/domain/Market.ts"
import { Settings } from "../../src/domain/Strategy.ts"
import type { BacktestResult, TimedAlert } from "../../src/trading/Backtest.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import type { OwnDecisions } from "../../src/trading/OwnDecisions.ts"

export const BTC = Pair.make("BTC/USDT")
export const ETH = Pair.make("ETH/USDT")
export const MINUTE = 60_000

type Row = readonly [open: number, high: number, low: number, close: number]
type Encoded = typeof Settings.Encoded

/** Settings that trade BTC and ETH on binance with all cash, no fees and no rules: a test adds what it is about. */
export const settings = (over: Partial<Encoded> = {}): Settings =>
  Schema.decodeUnknownSync(Settings)({
    name: "test",
    description: "",
    active: true,
    public: false,
    quote: "USDT",
    defaultExchange: "binance",
    makerFeePercent: 0,
    takerFeePercent: 0,
    buyPercent: 100,
    signalIgnoresMinProfit: false,
    exchanges: [{ exchange: "binance", pairs: ["BTC/USDT", "ETH/USDT"] }],
    ...over
  })

/** A market with fine steps and no minimum. */
export const market = (
  id: MarketId,
  over: Partial<Record<"priceStep" | "amountStep" | "minAmount" | "minCost", string>> = {}
): Market => ({
  ...id,
  active: true,
  buyEnabled: true,
  priceStep: Decimal.unsafeFromText(over.priceStep ?? "0.01"),
  amountStep: Decimal.unsafeFromText(over.amountStep ?? "0.000001"),
  minAmount: Decimal.unsafeFromText(over.minAmount ?? "0"),
  minCost: Decimal.unsafeFromText(over.minCost ?? "0")
})

/** Candles a minute apart, from minute `from` on. */
export const columns = (rows: ReadonlyArray<Row>, from = 0): Columns => ({
  at: Float64Array.from(rows, (_, index) => (from + index) * MINUTE),
  open: Float64Array.from(rows, (row) => row[0]),
  high: Float64Array.from(rows, (row) => row[1]),
  low: Float64Array.from(rows, (row) => row[2]),
  close: Float64Array.from(rows, (row) => row[3]),
  length: rows.length
})

/** An alert at a minute, for BTC unless told. */
export const alert = (minute: number, type: AlertType, more: Partial<TimedAlert> = {}): TimedAlert => ({
  type,
  pair: BTC,
  at: minute * MINUTE,
  ...more
})

export interface Given {
  readonly settings?: Partial<Encoded>
  readonly market?: Parameters<typeof market>[1]
  readonly balance?: string
  readonly candles: ReadonlyArray<Row> | Readonly<Record<string, ReadonlyArray<Row>>>
  readonly alerts: ReadonlyArray<TimedAlert>
  readonly own?: OwnDecisions
  readonly fillModel?: FillModel
  /** Funding of the BTC perpetual. */
  readonly funding?: ReadonlyArray<FundingRate>
  readonly filled?: Backtest.Backtest["filled"]
}

export const run = (given: Given): BacktestResult => {
  const byPair = isRows(given.candles) ? { "BTC/USDT": given.candles } : given.candles
  return Backtest.run({
    settings: settings(given.settings),
    balance: Decimal.unsafeFromText(given.balance ?? "10000"),
    series: Object.entries(byPair).map(([pair, rows]) => ({
      exchange: "binance",
      pair: Pair.make(pair),
      columns: columns(rows)
    })),
    alerts: given.alerts,
    own: given.own,
    ...(given.fillModel === undefined ? {} : { fillModel: given.fillModel }),
    ...(given.filled === undefined ? {} : { filled: given.filled }),
    ...(given.funding === undefined
      ? {}
      : { funding: ({ pair }) => (pair === BTC ? (given.funding ?? []) : []) }),
    market: (id) => market(id, given.market),
    fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
  })
}

const isRows = (candles: Given["candles"]): candles is ReadonlyArray<Row> => Array.isArray(candles)

/** A result in one line a trade: `long 1@100 -> 110 take_profit x1 @3` (quantity, prices, reason, entries, minute). */
export const told = (result: BacktestResult): ReadonlyArray<string> =>
  result.trades.map(
    (trade) =>
      `${trade.side} ${round(Decimal.toNumber(trade.quantity))}@${round(trade.entryPrice)} -> ${round(trade.exitPrice)} ${trade.exitReason} x${trade.entries} @${trade.closedAt / MINUTE}`
  )

const round = (value: number): number => Number(value.toPrecision(9))
