// A what-if as the API answers it and the command prints it: times in seconds, money as numbers.
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId, QuoteCurrency } from "../../domain/Market.ts"
import type { ExitReason, PositionSide } from "../../domain/Order.ts"
import type { Trade } from "../../domain/Trade.ts"
import * as Thinning from "../backtest/Thinning.ts"
import * as Performance from "../Performance.ts"
import { luckLines } from "./LuckWords.ts"
import type { SettingChange } from "./SettingChanges.ts"
import type { TryLuck } from "./TryLuck.ts"
import { type MatchedTrade, openedAt, type SideResult, type WhatIf } from "./WhatIf.ts"

/** The most trades of an answer, the newest; points of a curve; stretches without candles; earlier tries. */
export const SHOWN = { trades: 500, points: 500, holes: 100, tries: 50 }

/** A trade of one side. */
export interface TradeOfSide {
  readonly opened_at: number
  readonly closed_at: number
  readonly entry_price: number
  readonly exit_price: number
  readonly quantity: number
  readonly pnl: number
  readonly exit_reason: ExitReason
}

/** A row of trades side by side. */
export interface MatchedView extends MarketId {
  readonly side: PositionSide
  readonly alert_id: number
  readonly opened_at: number
  readonly real: TradeOfSide | null
  readonly present: TradeOfSide | null
  readonly changed: TradeOfSide | null
}

/** A try on the stretch. `at` in ms. */
export interface ShownTry {
  readonly at: number
  readonly changes: ReadonlyArray<SettingChange>
  readonly net: Decimal.Decimal
  readonly trades: number
}

/** What was tried, and what has to be said about it. */
export interface Tried {
  readonly strategy: number
  readonly name: string
  readonly isLive: boolean
  readonly currency: QuoteCurrency
  readonly from: number
  readonly until: number
  readonly balance: Decimal.Decimal
  readonly changes: ReadonlyArray<SettingChange>
  readonly notices: ReadonlyArray<string>
  readonly result: WhatIf
  /** Undefined where nothing was changed: then nothing was tried. */
  readonly luck: TryLuck | undefined
  /** The tries on the stretch, newest first. */
  readonly tries: ReadonlyArray<ShownTry>
}

/** Builds the answer. */
export const viewOf = ({ result, ...of }: Tried, most = SHOWN) => ({
  strategy_id: of.strategy,
  name: of.name,
  mode: of.isLive ? "live" : "paper",
  currency: of.currency,
  from: seconds(of.from),
  to: seconds(of.until),
  starting_balance: Decimal.toNumber(of.balance),
  changes: of.changes,
  real: sideView(result.sides.real, of, most.points),
  present: sideView(result.sides.present, of, most.points),
  changed: sideView(result.sides.changed, of, most.points),
  trades: result.trades.slice(-most.trades).flatMap(matchedView),
  trades_total: result.trades.length,
  luck: of.luck === undefined ? null : luckView(of.luck, of.currency),
  tries: of.tries.slice(0, most.tries).map(({ at, changes, net, trades }) => ({
    at: seconds(at),
    changes,
    net_pnl: Performance.money(net),
    trades
  })),
  tries_total: of.tries.length,
  holes: result.holes.slice(0, most.holes).map(({ exchange, from, pair, until }) => ({
    exchange,
    pair,
    from: seconds(from),
    to: seconds(until)
  })),
  holes_total: result.holes.length,
  candles: result.candles,
  notices: of.notices
})
/** The answer: times in seconds since the epoch, money in `currency`. */
export type WhatIfView = ReturnType<typeof viewOf>

const seconds = (at: number): number => Math.floor(at / 1000)

const sideView = ({ open, tally, trades }: SideResult, { from, until }: Span, most: number) => {
  const { fees_paid, max_drawdown_pct, net_pnl, profit_factor, trade_count, win_rate_pct } =
    Performance.summary(tally, until)
  return {
    net_pnl,
    trades: trade_count,
    open,
    win_rate_pct,
    profit_factor,
    max_drawdown_pct,
    fees_paid,
    points: pointsOf(trades, { from, until, starting: Decimal.toNumber(tally.starting) }, most)
  }
}

interface Span {
  readonly from: number
  readonly until: number
}

/** Equity after each completed trade, from the beginning of the stretch to its end. */
const pointsOf = (
  trades: ReadonlyArray<Trade>,
  { from, starting, until }: Span & { readonly starting: number },
  most: number
): ReadonlyArray<readonly [number, number]> => {
  const sorted = trades.toSorted((one, other) => one.closedAt - other.closedAt)
  const at = Float64Array.from(sorted, ({ closedAt }) => closedAt)
  const pnl = Float64Array.from(sorted, (trade) => Decimal.toNumber(trade.pnl))
  const curve = Thinning.curveOf({ at, pnl }, starting)
  const places = Thinning.thinned(curve, most)
  const last = curve.equity[curve.equity.length - 1] ?? starting
  return [
    [seconds(from), starting],
    ...places.map((place) => [seconds(curve.at[place] ?? 0), rounded(curve.equity[place] ?? 0)] as const),
    [seconds(until), rounded(last)]
  ]
}

const rounded = (value: number): number => Number(value.toFixed(8))

const luckView = (luck: TryLuck, currency: string) => ({
  tries: luck.tries,
  days: luck.days,
  trades: luck.trades,
  sharpe: luck.sharpe ?? null,
  expected: luck.expected,
  lucky_net_pnl: rounded(luck.luckyNet),
  deflated: luck.deflated ?? null,
  low_net_pnl: luck.interval === undefined ? null : rounded(luck.interval.low),
  high_net_pnl: luck.interval === undefined ? null : rounded(luck.interval.high),
  lines: luckLines(luck, currency),
  verdict: VERDICTS[luck.verdict]
})

const VERDICTS = { tooFew: "too_few", mayBeLuck: "may_be_luck", holds: "holds" } as const

const matchedView = (matched: MatchedTrade): ReadonlyArray<MatchedView> => {
  const { alert, changed, present, real } = matched
  const one = real ?? present ?? changed
  if (one === undefined) return []
  const { exchange, kind, pair, side } = one
  return [
    {
      ...{ exchange, pair, kind, side },
      alert_id: alert,
      opened_at: seconds(openedAt(matched)),
      real: tradeOf(real),
      present: tradeOf(present),
      changed: tradeOf(changed)
    }
  ]
}

const tradeOf = (trade: Trade | undefined): TradeOfSide | null =>
  trade === undefined
    ? null
    : {
        opened_at: seconds(trade.openedAt),
        closed_at: seconds(trade.closedAt),
        entry_price: trade.entryPrice,
        exit_price: trade.exitPrice,
        quantity: Decimal.toNumber(trade.quantity),
        pnl: Decimal.toNumber(trade.pnl),
        exit_reason: trade.exitReason
      }
