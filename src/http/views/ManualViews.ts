// The result of an order by hand as the contract shows it.
import * as Schema from "effect/Schema"
import { type ClosePlanView, ManualResult as ManualResultView } from "../../api/Positions.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { marketKey } from "../../domain/Market.ts"
import type { ManualForm, ManualResult, Written } from "../../services/engine/orders/ManualForms.ts"
import { positionView } from "./DashboardViews.ts"
import { figure, money, percent, seconds } from "./Figures.ts"

/** A result with what is held now. */
const manualView = ({ result, standing, strategy }: Written): typeof ManualResultView.Type => {
  const { fills, isLive, isPreview, market, order, outcome, plan, text } = result
  const key = marketKey(market)
  const holding = standing?.holdings.find((one) => marketKey(one.market) === key)
  return {
    preview: isPreview,
    outcome,
    text,
    real_money: isLive,
    order_id: order ?? null,
    plan: plan === undefined ? null : planView(plan),
    fills: fills.map((fill) => ({
      quantity: Decimal.toNumber(fill.quantity),
      price: fill.price,
      fee: money(fill.fee),
      at: seconds(fill.at)
    })),
    position:
      standing === undefined || holding === undefined ? null : positionView({ strategy, standing, holding })
  }
}

const planView = (plan: NonNullable<ManualResult["plan"]>): ClosePlanView => ({
  quantity: Decimal.toNumber(plan.quantity),
  percent: percent(plan.percent),
  price: figure(plan.price),
  notional: money(plan.notional),
  fee: money(plan.fee),
  proceeds: money(plan.proceeds),
  pnl: money(plan.pnl),
  profit_pct: percent(plan.profitPercent),
  left: Decimal.toNumber(plan.left),
  closes_all: plan.closesAll,
  rest_too_small: plan.isRestTooSmall
})

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(ManualResultView)))

/** The response of the interface to an order by hand. */
export const manualForm: ManualForm = { name: "view", write: (written) => encode(manualView(written)) }
