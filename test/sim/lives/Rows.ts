// What lives read of the rows that the engine keeps, at once, and with or without an engine.
import type { Outcome } from "../../../src/domain/Alert.ts"
import type { BotState } from "../../../src/domain/Bot.ts"
import type { Order } from "../../../src/domain/Order.ts"
import type { SignalId } from "../../../src/domain/Signal.ts"
import type { StrategyId } from "../../../src/domain/StrategyId.ts"
import type { TimelineNote } from "../../../src/domain/Timeline.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import type { OrderRecord } from "../../../src/services/money/Orders.ts"
import type { Posting } from "../../../src/trading/books/Ledger.ts"

/** The rows of an engine, oldest first. */
export interface Rows {
  /** May be some moments old, but never older than outcomes that were read. */
  readonly state: (strategy: StrategyId) => BotState | undefined
  readonly orders: (strategy: StrategyId) => ReadonlyArray<OrderRecord>
  readonly trades: (strategy: StrategyId) => ReadonlyArray<Trade>
  readonly outcomes: (strategy: StrategyId) => ReadonlyArray<Outcome>
  readonly notes: (strategy: StrategyId) => ReadonlyArray<TimelineNote>
  readonly ledger: (strategy: StrategyId) => ReadonlyArray<Posting>
  /** How many alerts a signal has. */
  readonly alerts: (signal: SignalId) => number
  /** The latest orders of everybody, at least those that were not there at the last call. */
  readonly latest: () => Iterable<Order>
}
