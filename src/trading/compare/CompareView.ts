// A comparison as the API answers it and the command prints it: times in seconds, money as numbers.
import type { Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId, QuoteCurrency } from "../../domain/Market.ts"
import type { ExitReason, PositionSide } from "../../domain/Order.ts"
import type { Trade } from "../../domain/Trade.ts"
import { wordsOf } from "../ReasonWords.ts"
import type { Amounts, ComparedTrade, Comparison } from "./Compare.ts"
import { PARTS, type Part } from "./Parts.ts"
import { PART_WORDS } from "./PartWords.ts"

/** The most trades in an answer, the newest. */
export const SHOWN_TRADES = 500
/** The most stretches without candles in an answer. */
const SHOWN_HOLES = 100

/** A side of a trade. */
export interface SideView {
  readonly opened_at: number
  readonly closed_at: number
  readonly entry_price: number
  readonly exit_price: number
  readonly quantity: number
  readonly fees: number
  readonly pnl: number
  readonly exit_reason: ExitReason
}

/** A trade of either side or both. `why` is the part that weighs most, in words. */
export interface TradeView extends MarketId {
  readonly side: PositionSide
  readonly alert_id: number
  readonly live: SideView | null
  readonly test: SideView | null
  readonly open: "live" | "test" | null
  readonly answer: string | null
  readonly difference: number
  readonly parts: Readonly<Record<Part, number>>
  readonly remainder: number
  readonly main: Part | null
  readonly why: string
}

/** What is compared, and what has to be said about it. */
export interface Compared {
  readonly strategy: number
  readonly name: string
  readonly isLive: boolean
  readonly period: number
  readonly currency: QuoteCurrency
  readonly from: number
  readonly until: number
  readonly balance: Decimal.Decimal
  readonly notices: ReadonlyArray<string>
  readonly comparison: Comparison
}

/** Builds the answer. */
export const viewOf = ({ comparison, ...of }: Compared, most = SHOWN_TRADES) => {
  const shown = comparison.trades.filter(({ live, test }) => live !== undefined || test !== undefined)
  return {
    strategy_id: of.strategy,
    name: of.name,
    mode: of.isLive ? "live" : "paper",
    period: of.period,
    currency: of.currency,
    from: seconds(of.from),
    to: seconds(of.until),
    starting_balance: Decimal.toNumber(of.balance),
    live: sumOf(comparison.live, shown, ({ live }) => live),
    test: sumOf(comparison.test, shown, ({ test }) => test),
    difference: Decimal.toNumber(comparison.difference),
    parts: PARTS.map((part) => ({
      part,
      ...PART_WORDS[part],
      amount: Decimal.toNumber(comparison.parts[part]),
      trades: comparison.trades.filter(({ parts }) => !Decimal.isZero(parts[part])).length
    })),
    remainder: Decimal.toNumber(comparison.remainder),
    trades: shown.slice(-most).flatMap(tradeView),
    trades_total: shown.length,
    holes: comparison.holes.slice(0, SHOWN_HOLES).map(({ exchange, from, pair, until }) => ({
      exchange,
      pair,
      from: seconds(from),
      to: seconds(until)
    })),
    holes_total: comparison.holes.length,
    candles: comparison.candles,
    notices: of.notices
  }
}
/** The answer: times in seconds since the epoch, money in `currency`. */
export type CompareView = ReturnType<typeof viewOf>

const seconds = (at: number): number => Math.floor(at / 1000)

const sumOf = (
  net: Decimal.Decimal,
  trades: ReadonlyArray<ComparedTrade>,
  side: (trade: ComparedTrade) => Trade | undefined
) => ({ pnl: Decimal.toNumber(net), trades: trades.filter((it) => side(it) !== undefined).length })

const tradeView = (trade: ComparedTrade): ReadonlyArray<TradeView> => {
  const { alert, answer, difference, isOpen, live, parts, remainder, test } = trade
  const one = live ?? test
  if (one === undefined) return []
  const main = mainOf(parts)
  const { exchange, kind, pair, side } = one
  return [
    {
      ...{ exchange, pair, kind, side },
      alert_id: alert,
      live: live === undefined ? null : sideView(live),
      test: test === undefined ? null : sideView(test),
      open: isOpen.live ? "live" : isOpen.test ? "test" : null,
      answer: answer ?? null,
      difference: Decimal.toNumber(difference),
      parts: numbersOf(parts),
      remainder: Decimal.toNumber(remainder),
      main: main ?? null,
      why: whyOf(trade, main)
    }
  ]
}

const numbersOf = (parts: Amounts): Readonly<Record<Part, number>> => ({
  settings: Decimal.toNumber(parts.settings),
  alerts: Decimal.toNumber(parts.alerts),
  outages: Decimal.toNumber(parts.outages),
  orders: Decimal.toNumber(parts.orders),
  price: Decimal.toNumber(parts.price),
  fees: Decimal.toNumber(parts.fees),
  latency: Decimal.toNumber(parts.latency),
  by_hand: Decimal.toNumber(parts.by_hand),
  no_candles: Decimal.toNumber(parts.no_candles)
})

/** The part with the largest amount, whichever its sign. */
const mainOf = (parts: Amounts): Part | undefined => {
  let main: Part | undefined
  for (const part of PARTS) {
    if (Decimal.isZero(parts[part])) continue
    if (main === undefined || Decimal.greaterThan(sizeOf(parts[part]), sizeOf(parts[main]))) main = part
  }
  return main
}

const sizeOf = (amount: Decimal.Decimal): Decimal.Decimal =>
  Decimal.isNegative(amount) ? Decimal.negate(amount) : amount

const whyOf = ({ answer, isOpen, live, remainder, test }: ComparedTrade, main: Part | undefined): string => {
  const because = main === undefined ? "" : PART_WORDS[main].text
  if (live !== undefined && test !== undefined) {
    if (main !== undefined) return because
    return Decimal.isZero(remainder) ? "as in the test" : "no part explains it"
  }
  if (live === undefined && isOpen.live) return joined("still open, closed in the test", because)
  if (test === undefined && isOpen.test) return joined("still open in the test", because)
  if (live !== undefined) return joined("not in the test", because)
  return joined(answer === undefined ? "only in the test" : `only in the test: ${answered(answer)}`, because)
}

const answered = (answer: Reason): string => wordsOf(answer).replace(/^ignored, /, "")

const joined = (what: string, because: string): string => (because === "" ? what : `${what}; ${because}`)

const sideView = (trade: Trade): SideView => ({
  opened_at: seconds(trade.openedAt),
  closed_at: seconds(trade.closedAt),
  entry_price: trade.entryPrice,
  exit_price: trade.exitPrice,
  quantity: Decimal.toNumber(trade.quantity),
  fees: Decimal.toNumber(trade.fees),
  pnl: Decimal.toNumber(trade.pnl),
  exit_reason: trade.exitReason
})
