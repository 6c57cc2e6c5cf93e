// Which of an account's trades a search finds: all strategies together, deleted ones included.
import type { AccountId } from "../../domain/Account.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { ExitReason, PositionSide } from "../../domain/Order.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { TradeRow } from "../Portfolio.ts"

/**
 * What every trade found has in common; an absent field excludes nothing. `pair` is a part of the pair, in capitals.
 * `result` is `win` for a net profit and `loss` for a net loss; a trade of exactly 0 is neither. `from` and `until` are
 * times of closing (ms, `until` exclusive).
 */
export interface TradeFilter {
  readonly strategy?: StrategyId
  readonly pair?: string
  readonly side?: PositionSide
  readonly exitReason?: ExitReason
  readonly result?: "win" | "loss"
  readonly from?: number
  readonly until?: number
  readonly live?: boolean
}

/** A trade with the strategy that made it, which may be deleted. */
export interface FoundTrade extends TradeRow {
  readonly strategy: StrategyId
}

/** The sum of trades in one currency, on paper or live. `pnl` is a displayed figure: a sum of doubles. */
export interface TradeTotal {
  readonly currency: string
  readonly live: boolean
  readonly trades: number
  readonly wins: number
  readonly pnl: number
}

/** Whether the filter finds a trade of the account. */
export const isFound = (
  { account: owner, strategy: maker, trade }: OwnedRow,
  account: AccountId,
  filter: TradeFilter
): boolean => {
  const { exitReason, from = 0, live, pair = "", result, side, strategy, until = ALWAYS } = filter
  const sign = Decimal.toNumber(trade.pnl)
  return (
    owner === account &&
    (strategy === undefined || strategy === maker) &&
    trade.pair.includes(pair) &&
    (side === undefined || side === trade.side) &&
    (exitReason === undefined || exitReason === trade.exitReason) &&
    (result === undefined || (result === "win" ? sign > 0 : sign < 0)) &&
    trade.closedAt >= from &&
    trade.closedAt < until &&
    (live === undefined || live === (trade.live === true))
  )
}

interface OwnedRow {
  readonly account: AccountId
  readonly strategy: StrategyId
  readonly trade: Trade
}

const ALWAYS = Number.POSITIVE_INFINITY

/** Adds totals of the same currency and mode, sorted by currency, paper first. */
export const merged = (totals: Iterable<TradeTotal>): ReadonlyArray<TradeTotal> => {
  const sums = new Map<string, TradeTotal>()
  for (const total of totals) {
    const key = `${total.currency} ${total.live ? 1 : 0}`
    const { pnl = 0, trades = 0, wins = 0 } = sums.get(key) ?? {}
    sums.set(key, {
      ...total,
      trades: trades + total.trades,
      wins: wins + total.wins,
      pnl: pnl + total.pnl
    })
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total)
}

/** The totals of a single trade. */
export const totalOf = ({ live, pair, pnl }: Trade): TradeTotal => {
  const made = Decimal.toNumber(pnl)
  return { currency: quoteOf(pair), live: live === true, trades: 1, wins: made > 0 ? 1 : 0, pnl: made }
}
