// Strategies, positions and trades as the dashboard shows them. Of another account's strategy, only the public part
// appears.
import type { MarkerView } from "../../api/Charts.ts"
import type {
  OwnTradeView,
  StrategyBoard,
  StrategyLine,
  StrategyLines,
  TradeList,
  TradeView
} from "../../api/Dashboard.ts"
import type { ArmedView, LevelView, PositionView, TradingView } from "../../api/Holdings.ts"
import { view as signalView } from "../../api/Signals.ts"
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { marketKey } from "../../domain/Market.ts"
import { type FillRole, rolesOf } from "../../domain/position/FillRole.ts"
import { exitFillsOf, type Trade } from "../../domain/Trade.ts"
import type { BotSnapshot } from "../../services/engine/prices/BotSnapshots.ts"
import type { TradeRow } from "../../services/Portfolio.ts"
import type { Held } from "../../services/records/Overview.ts"
import type { Line, StrategyPage } from "../../services/records/StrategyPages.ts"
import type { Mark, Some } from "../../services/records/Trades.ts"
import { figure, later, money, moneyOf, percent, seconds } from "./Figures.ts"

/** The most pairs named in a strategy's line. */
const MAX_PAIRS = 5

const astrayOf = (standing?: BotSnapshot): number =>
  Object.values(standing?.slots ?? {}).filter(({ astray }) => astray !== undefined).length

/** A strategy without a bot is on paper. */
const tradingView = (standing?: BotSnapshot): TradingView => ({
  mode: standing?.live === undefined ? "paper" : standing.live.leaving === true ? "leaving" : "live",
  account: standing?.live?.account ?? null,
  stopped_today: standing?.live?.day?.tripped === true,
  astray: astrayOf(standing)
})

const lineView = ({ openPositions, signalName, standing, strategy, summary }: Line): StrategyLine => {
  const { active, exchanges, name, public: isPublic, quote, signalId } = strategy.settings
  const pairs = [...new Set(exchanges.flatMap((listing) => listing.pairs))]
  return {
    strategy_id: strategy.id,
    name,
    active,
    public: isPublic,
    signal_id: signalId ?? null,
    signal_name: signalName ?? null,
    currency: quote,
    pairs: pairs.slice(0, MAX_PAIRS),
    pairs_total: pairs.length,
    open_positions: openPositions,
    trading: tradingView(standing),
    summary,
    updated_at: strategy.updatedAt
  }
}

export const linesView = ({ rows, total }: Some<Line>): StrategyLines => ({ data: rows.map(lineView), total })

type Holding = Held["holding"]

const levelView = ({ from, price, rule, step }: ReturnType<Holding["levels"]>[number]): LevelView => ({
  rule,
  price: figure(price),
  from: later(from),
  step:
    step === undefined
      ? null
      : {
          number: step.number,
          count: step.count,
          quantity: Decimal.toNumber(step.quantity),
          closes_all: step.closesAll
        }
})

const breakEvenView = ({ breakEven }: Holding): PositionView["break_even"] =>
  breakEven === undefined
    ? null
    : {
        after: breakEven.after,
        done: breakEven.done,
        price: figure(breakEven.price),
        is_armed: breakEven.isArmed
      }

/** A slot's protective stop; `price` is its trigger. */
const stopView = ({ stop, stopEnding }: Slot): PositionView["stop"] =>
  stop === undefined
    ? null
    : { price: stop.price, quantity: Decimal.toNumber(stop.quantity), is_ending: stopEnding === true }

export const positionView = ({ holding, standing, strategy }: Held): PositionView => {
  const { closing, market } = holding
  const slot = standing.slots[marketKey(market)]
  return {
    strategy_id: strategy.id,
    strategy_name: strategy.settings.name,
    ...market,
    side: holding.side,
    quantity: Decimal.toNumber(holding.quantity),
    entered: Decimal.toNumber(holding.entered),
    exits: holding.exits,
    average: figure(holding.average),
    entries: holding.entries,
    cost: money(holding.cost),
    price: closing?.price ?? null,
    value: closing === undefined ? null : moneyOf(closing.value),
    pnl: closing === undefined ? null : moneyOf(closing.pnl),
    profit_pct: closing === undefined ? null : percent(closing.percent),
    opened_at: seconds(holding.openedAt),
    closes_at: later(holding.closesAt),
    is_ordering: holding.isOrdering,
    break_even: breakEvenView(holding),
    levels: holding.levels().map(levelView),
    account: standing.live?.account ?? null,
    stop: slot === undefined ? null : stopView(slot),
    is_astray: slot?.astray !== undefined
  }
}

type Standing = NonNullable<NonNullable<StrategyPage["own"]>["standing"]>

const armedView = ({ entry, level, market }: Standing["armed"][number]): ArmedView => ({
  ...market,
  side: entry.side,
  extreme: entry.extreme,
  level: figure(level),
  armed_at: seconds(entry.armedAt),
  tp: entry.tp ?? null,
  sl: entry.sl ?? null
})

/** The page of a strategy; of another account's, only the public part. */
export const boardView = ({ own, signal, view, warnings }: StrategyPage): StrategyBoard => {
  const standing = own?.standing
  const untouched = own === undefined ? 0 : money(own.paper)
  return {
    strategy: view,
    signal: signal === undefined ? null : signalView(signal),
    is_own: own !== undefined,
    currency: view.default_quote_currency,
    cash: standing === undefined ? untouched : money(standing.cash),
    equity: standing === undefined ? untouched : money(standing.equity),
    open_pnl: moneyOf(standing?.openPnl ?? 0),
    positions:
      own === undefined || standing === undefined
        ? []
        : standing.holdings.map((holding) => positionView({ strategy: own.strategy, standing, holding })),
    trading: tradingView(standing),
    period: standing?.period ?? 1,
    period_began_at: standing === undefined ? view.created_at : seconds(standing.tally.createdAt),
    armed: (standing?.armed ?? []).map(armedView),
    cooling_until: later(standing?.coolingUntil),
    warnings
  }
}

export const tradeView = (id: number, trade: Trade): TradeView => ({
  id,
  exchange: trade.exchange,
  pair: trade.pair,
  kind: trade.kind,
  side: trade.side,
  opened_at: seconds(trade.openedAt),
  closed_at: seconds(trade.closedAt),
  entry_price: figure(trade.entryPrice),
  exit_price: figure(trade.exitPrice),
  quantity: Decimal.toNumber(trade.quantity),
  cost: money(trade.cost),
  proceeds: money(trade.proceeds),
  fees: money(trade.fees),
  pnl: money(trade.pnl),
  profit_pct: percent(trade.profitPercent),
  exit_reason: trade.exitReason,
  entries: trade.entries,
  exits: trade.exits ?? 1,
  exit_fills: exitFillsOf(trade).map(({ at, price, quantity, reason }) => ({
    at: seconds(at),
    price: figure(price),
    quantity: Decimal.toNumber(quantity),
    reason
  }))
})

/** A trade with its period, and whether it was real money. */
export const ownTradeView = (id: number, trade: Trade): OwnTradeView => ({
  ...tradeView(id, trade),
  period: trade.period ?? 1,
  live: trade.live === true
})

export const tradesView = ({ rows, total }: Some<TradeRow>): TradeList => ({
  data: rows.map(({ id, trade }) => ownTradeView(id, trade)),
  total
})

export const markersView = (marks: ReadonlyArray<Mark>): ReadonlyArray<MarkerView> => {
  const roles = rolesOf(marks)
  return marks.map((mark, index) => markerView(mark, roles[index] ?? "open"))
}

const markerView = (mark: Mark, role: FillRole): MarkerView => ({
  at: mark.at / 1000,
  purpose: mark.purpose,
  role,
  side: mark.side,
  price: figure(mark.price),
  quantity: Decimal.toNumber(mark.quantity),
  exit_reason: mark.exitReason ?? null
})
