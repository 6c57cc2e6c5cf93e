// The trades of all of an account's strategies, as the contract shows them.
import type { AccountTradeList } from "../../api/AllTrades.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { FoundTrade, TradeTotal } from "../../services/records/TradeSearch.ts"
import type { Some } from "../../services/records/Trades.ts"
import { ownTradeView } from "./DashboardViews.ts"
import { moneyOf } from "./Figures.ts"

export const accountTradesView = (
  { rows, total }: Some<FoundTrade>,
  totals: ReadonlyArray<TradeTotal>,
  names: ReadonlyMap<StrategyId, string>
): AccountTradeList => ({
  data: rows.map(({ id, strategy, trade }) => ({
    ...ownTradeView(id, trade),
    strategy_id: strategy,
    strategy_name: names.get(strategy) ?? null,
    currency: quoteOf(trade.pair)
  })),
  total,
  totals: totals.map(({ pnl, ...sum }) => ({ ...sum, pnl: moneyOf(pnl) }))
})
