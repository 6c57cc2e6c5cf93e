// What is on record of a strategy's life with an exchange or on paper: all that a comparison reads.
import type { Reason } from "../../domain/Alert.ts"
import type { Decimal } from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { ExitReason, Order, OrderStatus } from "../../domain/Order.ts"
import type { PastSettings, Settings } from "../../domain/Strategy.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { TimedAlert } from "../Backtest.ts"
import type { BacktestMarkets } from "../backtest/BacktestMarkets.ts"
import type { Series } from "../backtest/Tracks.ts"

/** A stretch of time (ms since the epoch, `until` excluded). */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/** An order with all of its fills. */
export interface RecordedOrder {
  readonly order: Order
  readonly status: OrderStatus
  readonly fills: ReadonlyArray<Fill>
}

/** An alert with its number in the journal; what the strategy answered, and when (ms). Its own `at` is its receipt. */
export interface RecordedAlert {
  readonly id: number
  readonly alert: TimedAlert
  readonly actedAt: number
  readonly reason: Reason
}

/** The market facts, the records and the candles of a strategy from `from` to `until` (ms). */
export interface LiveRecord extends Omit<BacktestMarkets, "balance">, Stretch {
  /** The settings now, and those that others replaced, oldest first. */
  readonly settings: Settings
  readonly past: ReadonlyArray<PastSettings>
  /** The equity at `from`, at which nothing was held (quote). */
  readonly balance: Decimal
  /** Completed trades that began in the stretch, by closing. */
  readonly trades: ReadonlyArray<Trade>
  /** Orders of the stretch by their intent. */
  readonly orders: ReadonlyArray<RecordedOrder>
  /** Alerts that the strategy answered, by their number. */
  readonly alerts: ReadonlyArray<RecordedAlert>
  /** When entries were halted. */
  readonly halts: ReadonlyArray<Stretch>
  /** When the server was off, or had no prices. */
  readonly outages: ReadonlyArray<Stretch>
  /** One-minute candles: one series for each pair of the alerts and orders, empty where there are none. */
  readonly series: ReadonlyArray<Series>
}

/** Exits that their owner ordered. */
const BY_HAND: ReadonlySet<ExitReason> = new Set(["manual", "disarmed", "strategy_deleted"])

/** Whether the owner ordered an exit, and no rule or alert. */
export const isByHand = ({ order }: RecordedOrder): boolean =>
  order.exitReason !== undefined && BY_HAND.has(order.exitReason)
