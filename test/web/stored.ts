// A stored strategy as the server answers with it, for tests of the page.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { AccountId } from "../../src/domain/Account.ts"
import * as StrategyRequest from "../../src/domain/requests/StrategyRequest.ts"
import { FullView } from "../../src/domain/requests/StrategyView.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import type * as Form from "../../src/web/page/strategies/form.ts"

export const FEES = { makerFeePercent: 0.1, takerFeePercent: 0.1 }
/** The settings that a request makes. */
export const created = (body: Form.Draft): Settings => {
  const request = StrategyRequest.parseBody(body)
  if (Either.isLeft(request)) throw new Error(JSON.stringify(request.left))
  return request.right.settings
}
const summary = {
  period: { start: "2026-01-01", end: "2026-01-02", timezone: "UTC" },
  ...{ starting_equity: 1, ending_equity: 1, net_pnl: 0, roi_pct: 0, max_drawdown_pct: 0, win_rate_pct: 0 },
  ...{ profit_factor: 0, trade_count: 0, avg_trade: 0, avg_hold_time_min: 0, best_trade: 0, worst_trade: 0 },
  ...{ fees_paid: 0, volatility_pct: 0 }
} as const
/** A strategy with these settings as the server answers with it. */
export const stored = (settings: Settings): Form.Stored =>
  Schema.encodeSync(FullView)(
    StrategyRequest.view(
      {
        id: StrategyId.make(1),
        account: AccountId.make(1),
        settings,
        createdAt: 1,
        updatedAt: 1,
        revision: 0
      },
      FEES,
      { summary }
    )
  )
