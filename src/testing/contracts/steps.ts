// Steps as an engine commits them, for the contract suites: not sound trading, but every field in use.
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { AlertId, type Outcome } from "../../domain/Alert.ts"
import type { BotState } from "../../domain/Bot.ts"
import { unsafeFromText as decimal } from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { Pair } from "../../domain/Market.ts"
import { type Order, OrderId } from "../../domain/Order.ts"
import { type Partition, partitions } from "../../domain/Partition.ts"
import type { Position } from "../../domain/Position.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { BotRecord, Cursors, Step, Waiting } from "../../services/Portfolio.ts"
import * as Ledger from "../../trading/books/Ledger.ts"
import * as Performance from "../../trading/Performance.ts"

const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const

export const order = (id: string): Order => ({
  id: OrderId.make(id),
  ...market,
  position: "long",
  side: "buy",
  type: "market",
  quantity: decimal("0.100000000000000001"),
  price: 60_000.1,
  purpose: "entry",
  reserved: decimal("6006.00001"),
  alert: 1,
  tp: 70_000,
  at: 1_000
})

export const fill = (id: string, at: number): Fill => ({
  order: OrderId.make(id),
  ...market,
  side: "buy",
  quantity: decimal("0.1"),
  price: 60_000.1,
  id: "1",
  notional: decimal("6000.01"),
  fee: decimal("6.00001"),
  paid: { asset: "BTC", amount: decimal("0.0001"), rate: decimal("60000.1") },
  at
})

export const trade = (closedAt: number): Trade => ({
  ...market,
  side: "long",
  openedAt: 1_000,
  closedAt,
  entryPrice: 60_000.1,
  exitPrice: 61_000,
  quantity: decimal("0.1"),
  cost: decimal("6006.01001"),
  proceeds: decimal("6093.9"),
  fees: decimal("12.10001"),
  pnl: decimal("87.88999"),
  profitPercent: 1.4633673,
  exitReason: "take_profit",
  entries: 1
})

const position: Position = {
  side: "long",
  openedBy: 1,
  openedAt: 1_000,
  lastEntryAt: 1_000,
  entries: 1,
  quantity: decimal("0.1"),
  basis: decimal("6000.01"),
  entryQuantity: decimal("0.1"),
  entryNotional: decimal("6000.01"),
  entryFees: decimal("6.00001"),
  exitQuantity: decimal("0"),
  exitNotional: decimal("0"),
  exitFees: decimal("0"),
  proceeds: decimal("0"),
  peak: 61_000.5
}

export const bot = (strategy: StrategyId, step: number, changes: Partial<BotState> = {}): BotRecord => ({
  strategy,
  state: {
    quote: "USDT",
    startingBalance: decimal("10000"),
    cash: decimal("3993.98999"),
    baseline: decimal("10000"),
    slots: { "binance:BTC/USDT:spot": { ...market, position } },
    ...changes
  },
  tally: Performance.add(Performance.begin(decimal("10000"), 500), trade(90_000_000)),
  step
})

export const note = (text: string, at = 1_000, alert?: number): TimelineNote => ({
  at,
  rule: "opened",
  alertId: Option.map(Option.fromNullable(alert), (id) => AlertId.make(id)),
  reason: alert === undefined ? Option.none() : Option.some("opened"),
  text,
  facts: { price: "60000.1", count: 2, armed: true }
})

export const outcome = (strategy: Strategy, alert: number): Outcome => ({
  alertId: AlertId.make(alert),
  strategyId: strategy.id,
  account: strategy.account,
  reason: "opened",
  at: 2_000
})

export const waiting = (strategy: StrategyId, alert: number, owner: AccountId): Waiting => ({
  alert: AlertId.make(alert),
  strategy,
  owner,
  since: 1_500
})

/** A step that changes nothing but the bot. */
export const step = (strategy: Strategy, number: number, changes: Partial<Step> = {}): Step => ({
  account: strategy.account,
  at: 1_000,
  bot: bot(strategy.id, number),
  orders: [],
  statuses: [],
  fills: [],
  postings: [],
  trades: [],
  notes: [],
  outcomes: [],
  waits: [],
  ...changes
})

export const postings = (id: string): ReadonlyArray<Ledger.Posting> => [
  Ledger.opening(decimal("10000"), 500),
  Ledger.entry("binance:BTC/USDT:spot", fill(id, 1_000))
]

/** The cursors of all partitions once everything up to an alert is judged. */
export const judgedTo = (alert: number): Cursors => new Map(partitions.map((partition) => [partition, alert]))

/** A value as JSON keeps it: a decimal caches its normal form, which is not a difference. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Partitions whose cursor is at an alert. */
export const at = (cursor: number, ...some: ReadonlyArray<Partition>): Cursors =>
  new Map(some.map((partition) => [partition, cursor]))
