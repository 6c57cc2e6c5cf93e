// The demo's report: outcomes of alerts, and each strategy's trades and figures.
import * as Effect from "effect/Effect"
import { AccountId, type Identity } from "../../domain/Account.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Summary } from "../../domain/Performance.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { Trade } from "../../domain/Trade.ts"
import { Alerts } from "../../services/Alerts.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { Strategies } from "../../services/Strategies.ts"
import { columns } from "../program/table.ts"
import * as Picture from "./Picture.ts"
import type { Played } from "./Script.ts"

/** A strategy's result. Times in ms, money in USDT. */
export interface DemoFigures {
  readonly id: number
  readonly name: string
  readonly summary: Summary
  readonly trades: ReadonlyArray<{
    readonly side: string
    readonly kind: string
    readonly opened_at: number
    readonly closed_at: number
    readonly entry_price: number
    readonly exit_price: number
    readonly exit_reason: string
    readonly quantity: string
    readonly fees: string
    readonly cost: string
    readonly proceeds: string
    readonly pnl: string
  }>
}

export interface DemoReport {
  readonly candles: number
  readonly alerts: number
  /** Alerts that the rule of a signal raised, beside those. */
  readonly raised: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly strategies: ReadonlyArray<DemoFigures>
}

const OWNER: Identity["account"] = AccountId.make(1)
const MANY = 10_000

export const collect = Effect.fn("demo.collect")(function* (played: Played) {
  const alerts = yield* (yield* Alerts).list(OWNER, { limit: MANY })
  const outcomes: Record<string, number> = {}
  for (const { reason } of alerts.flatMap(({ outcomes }) => outcomes))
    outcomes[reason] = (outcomes[reason] ?? 0) + 1
  const strategies = yield* Effect.forEach(played.strategies, (id) => strategyReport(id))
  const raised = alerts.filter(({ alert: { signalId } }) => signalId === played.byRule).length
  const report: DemoReport = {
    ...{ candles: played.candles, alerts: played.alerts, raised },
    ...{ outcomes, strategies }
  }
  return report
})

const strategyReport = Effect.fnUntraced(function* (id: number) {
  const { name, performance } = yield* (yield* Strategies).get(OWNER, id)
  const trades = yield* (yield* Portfolio).trades(StrategyId.make(id), { limit: MANY })
  return { id, name, summary: performance.summary, trades: trades.map(({ trade }) => shown(trade)).reverse() }
})

const shown = (trade: Trade): DemoFigures["trades"][number] => ({
  side: trade.side,
  kind: trade.kind,
  opened_at: trade.openedAt,
  closed_at: trade.closedAt,
  entry_price: trade.entryPrice,
  exit_price: trade.exitPrice,
  exit_reason: trade.exitReason,
  quantity: Decimal.toText(trade.quantity),
  fees: Decimal.toText(trade.fees),
  cost: Decimal.toText(trade.cost),
  proceeds: Decimal.toText(trade.proceeds),
  pnl: Decimal.toText(trade.pnl)
})

/** The server behind a report, and where the report is shown. */
export interface Shown {
  readonly url: string
  readonly token: string
  /** Whether the server stays up. */
  readonly stay: boolean
  /** How one gets into the dashboard: the last lines. */
  readonly way: ReadonlyArray<string>
  /** The terminal's width in characters; undefined where it is none, which gets no picture. */
  readonly width: number | undefined
}

export const render = (report: DemoReport, shown: Shown): string =>
  [
    `${report.candles} candles were replayed, ${report.alerts} alerts sent through the webhook, and ${report.raised} raised by a rule.`,
    "What the strategies that follow the signals did with the alerts:",
    "",
    columns(
      ["outcome", "times"],
      Object.entries(report.outcomes).map(([reason, count]) => [reason, String(count)])
    ),
    "",
    ...report.strategies.flatMap((strategy) => renderStrategy(strategy, shown.width)),
    ...(shown.stay ? nextSteps(report, shown) : ["Run it with --stay to keep the server up and look around."])
  ].join("\n")

const renderStrategy = (figures: DemoFigures, width: number | undefined): ReadonlyArray<string> => {
  const { id, name, summary, trades } = figures
  const picture = width === undefined ? [] : Picture.equity(figures, width)
  return [
    Picture.heading(`Strategy ${id}: ${name}`),
    ...tableOf(trades),
    Picture.result(summary.net_pnl, `  ${wordsOf(summary)}`),
    ...(picture.length === 0 ? [] : ["  Equity after each trade, USDT:", ...picture]),
    ""
  ]
}

const tableOf = (trades: DemoFigures["trades"]): ReadonlyArray<string> => [
  columns(
    ["  opened", "closed", "side", "entry", "exit", "closed by", "result USDT"],
    trades.map((trade) => [
      `  ${clock(trade.opened_at)}`,
      clock(trade.closed_at),
      trade.side,
      trade.entry_price.toFixed(2),
      trade.exit_price.toFixed(2),
      trade.exit_reason,
      Number(trade.pnl).toFixed(2)
    ])
  )
]

const wordsOf = (summary: Summary): string =>
  `${summary.trade_count} trades, ${summary.win_rate_pct.toFixed(0)} % won; net ${summary.net_pnl.toFixed(2)} USDT ` +
  `(${summary.roi_pct.toFixed(2)} %) after ${summary.fees_paid.toFixed(2)} of fees; ` +
  `maximum drawdown ${summary.max_drawdown_pct.toFixed(2)} %, profit factor ${summary.profit_factor?.toFixed(2) ?? "none"}.`

const nextSteps = (report: DemoReport, { token, url, way }: Shown): ReadonlyArray<string> => [
  `The server stays up. Its API reference is at ${url}/docs. For example:`,
  "",
  ...[
    `/v1/strategies/${report.strategies[0]?.id}`,
    "/v1/alerts?limit=3",
    `/v1/strategies/${report.strategies[1]?.id}/timeline?limit=5`
  ].map((path) => `  curl -H "Authorization: Bearer ${token}" "${url}${path}"`),
  "",
  "The day's candles and alerts are at hand in the dashboard's Back-test.",
  "Stop the server with Ctrl-C; its database is deleted then.",
  "",
  ...way
]

const clock = (at: number): string => new Date(at).toISOString().slice(11, 16)
