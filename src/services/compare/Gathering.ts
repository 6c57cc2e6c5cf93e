// Reads from the ports what a comparison needs of a strategy's life: trades, orders, alerts with their answers, past
// settings, halts and outages. It changes nothing.
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { AlertId, Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import type { TimelineEntry } from "../../domain/Timeline.ts"
import type { Trade } from "../../domain/Trade.ts"
import * as AlertsFile from "../../trading/backtest/AlertsFile.ts"
import type { LiveRecord, RecordedAlert, RecordedOrder, Stretch } from "../../trading/compare/LiveRecord.ts"
import type { Directory } from "../directory/Directory.ts"
import { breathe } from "../engine/Breath.ts"
import { Journal } from "../Journal.ts"
import { Orders } from "../money/Orders.ts"
import { Portfolio } from "../Portfolio.ts"
import { Trades } from "../records/Trades.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { Timeline } from "../Timeline.ts"
import * as Periods from "./Periods.ts"
import { haltsOf, outagesOf, STOPS } from "./Stops.ts"

/** The most trades, orders and alerts of a comparison, each. */
export const MAX_ROWS = 20_000
/** Without a beginning, a comparison goes back this far. */
export const USUAL_DAYS = 90
const DAY_MS = 86_400_000
const PAGE = 500
/** Announcements of halts and outages that are read. */
const MAX_STOPS = 10_000

/** What is on record, without the candles and facts of markets. */
export interface Gathered extends Omit<LiveRecord, "fees" | "market" | "series"> {
  readonly strategy: Pick<Strategy, "id" | "createdAt">
  readonly isLive: boolean
  /** The number of the bot's period. */
  readonly period: number
  /** When (ms) the period began, and the beginning that the caller wants. */
  readonly periodFrom: number
  readonly wantedFrom: number
  /** Changes of settings (ms) of which the settings before them are not on record. */
  readonly unknownChanges: ReadonlyArray<number>
}

/** There is nothing to compare, or too much; the message says what to do. */
export class NotCompared extends Data.TaggedError("NotCompared")<{ readonly message: string }> {}

/** A range in ms, of which either end may be left open, and the number of a period: by default the present one. */
export interface Wanted {
  readonly period?: number | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
}

/** The ports that a record is gathered from. */
export type Records = Directory | Journal | Orders | Portfolio | StrategyStore | Timeline | Trades

/** Gathers the record of the caller's own strategy, in one period of its bot. */
export const gather: (
  account: AccountId,
  id: number,
  wanted?: Wanted
) => Effect.Effect<Gathered, NotCompared | StrategyNotFound, Records> = Effect.fn("Compare.gather")(
  function* (account, id, wanted = {}) {
    const store = yield* StrategyStore
    const strategy = yield* store.get(account, id)
    const bot = yield* Effect.flatMap(Portfolio, (portfolio) => portfolio.bot(strategy.id))
    if (bot === undefined)
      return yield* new NotCompared({
        message: "the strategy has done nothing yet: there is nothing to compare"
      })
    const period = yield* periodOf(strategy, bot, wanted.period)
    const now = yield* Clock.currentTimeMillis
    const end = Math.min(wanted.until ?? now, now, period.ended?.until ?? now)
    const until = yield* endOf(strategy, period, end)
    const wantedFrom = Math.max(wanted.from ?? until - USUAL_DAYS * DAY_MS, period.from)
    const done = yield* tradesOf(strategy, period.number)
    const from = flatFrom(wantedFrom, done, period)
    if (from >= until)
      return yield* new NotCompared({
        message: "the strategy held a position all that time, or was not at work: choose another time"
      })
    const before = done.filter(({ closedAt }) => closedAt < from)
    const { answers, entries } = yield* toldOf(strategy, { from, until })
    const alerts = yield* recorded(strategy, answers)
    const past = yield* store.past(account, id)
    const orders = yield* ordersOf(strategy, { from, until })
    const stops = yield* Effect.flatMap(Timeline, (timeline) =>
      timeline.announced(account, { rules: STOPS, from: from - USUAL_DAYS * DAY_MS, until, limit: MAX_STOPS })
    )
    return {
      strategy,
      isLive: period.isLive,
      period: period.number,
      periodFrom: period.from,
      wantedFrom,
      settings: strategy.settings,
      past,
      from,
      until,
      balance: Decimal.add(period.starting, Decimal.sum(before.map(({ pnl }) => pnl))),
      trades: done.filter(({ closedAt, openedAt }) => openedAt >= from && closedAt < until),
      orders,
      alerts,
      halts: haltsOf(stops, entries, { from, until }),
      outages: outagesOf(
        stops,
        { acts: actsOf(alerts, orders), exchanges: strategy.settings.exchanges },
        { from, until }
      ),
      unknownChanges: entries
        .filter(({ at, rule }) => rule === "settings_changed" && !past.some((it) => isOfChange(it.until, at)))
        .map(({ at }) => at)
    } satisfies Gathered
  }
)

/** The period that is wanted. Its results are compared only in the currency that the strategy has now. */
const periodOf = Effect.fnUntraced(function* (
  { id, settings }: Strategy,
  bot: Parameters<typeof Periods.periodsOf>[1],
  wanted: number | undefined
) {
  const periods = yield* Periods.periodsOf(id, bot)
  const period = Periods.chosen(periods, wanted)
  if (Option.isNone(period)) {
    const numbers = periods.map(({ number }) => number).join(", ")
    return yield* new NotCompared({
      message: `the newest periods with trades do not include ${wanted}: choose one of ${numbers}`
    })
  }
  const { currency, ended, number } = period.value
  if (ended !== undefined && currency !== settings.quote)
    return yield* new NotCompared({
      message: `period ${number} was in ${currency}, and the strategy is in ${settings.quote} now: they cannot be compared`
    })
  return period.value
})

/**
 * When (ms) a period ended, at `end` at the latest. Its last trade closed before, and a period without trades may have
 * come between it and the next one that has some.
 */
const endOf = Effect.fnUntraced(function* (strategy: Strategy, { ended, from }: Periods.Period, end: number) {
  if (ended === undefined) return end
  let first = end
  yield* eachEntry(strategy, { from: Math.max(ended.closedAt, from + 1), until: end }, ({ at, rule }) => {
    if (BEGINNINGS.has(rule)) first = Math.min(first, at)
  })
  return first
})

/** When (ms, ascending) a bot answered alerts, and decided and filled orders. */
const actsOf = (
  alerts: ReadonlyArray<RecordedAlert>,
  orders: ReadonlyArray<RecordedOrder>
): ReadonlyArray<number> =>
  [
    ...alerts.map(({ actedAt }) => actedAt),
    ...orders.flatMap(({ fills, order }) => [order.at, ...fills.map(({ at }) => at)])
  ].sort((one, other) => one - other)

/** A change is noted on the timeline at the time when its settings are stored, but for the clock's steps. */
const isOfChange = (until: number, at: number): boolean => Math.abs(until - at) < 1000

const tooMany = (what: string) =>
  new NotCompared({ message: `there are more than ${MAX_ROWS} ${what} in that time: choose a shorter one` })

/** All completed trades of a period, oldest first. */
const tradesOf = Effect.fnUntraced(function* (strategy: Strategy, period: number) {
  const trades = yield* Trades
  const found: Array<Trade> = []
  for (let after = 0; ; yield* breathe) {
    const page = yield* trades.after(strategy.id, after, PAGE)
    for (const { trade } of page) if ((trade.period ?? 1) === period) found.push(trade)
    if (found.length > MAX_ROWS) return yield* tooMany("trades")
    after = page.at(-1)?.id ?? after
    if (page.length < PAGE) return found
  }
})

/** The first time from `from` on at which the bot held nothing. */
const flatFrom = (
  from: number,
  trades: ReadonlyArray<Trade>,
  { slots }: Pick<Periods.Period, "slots">
): number => {
  const open = Object.values(slots).flatMap(({ position }) =>
    position === undefined ? [] : [{ openedAt: position.openedAt, closedAt: Number.POSITIVE_INFINITY }]
  )
  const held = [...trades, ...open].toSorted((one, other) => one.openedAt - other.openedAt)
  let at = from
  for (const { closedAt, openedAt } of held) if (openedAt < at && closedAt >= at) at = closedAt + 1
  return at
}

/** The orders of a stretch, oldest first. */
const ordersOf = Effect.fnUntraced(function* (strategy: Strategy, { from, until }: Stretch) {
  const orders = yield* Orders
  const found: Array<RecordedOrder> = []
  for (let before = Number.MAX_SAFE_INTEGER; ; yield* breathe) {
    const page = yield* orders.page(strategy.id, { limit: PAGE, before })
    for (const { fills, order, status } of page)
      if (order.at >= from && order.at < until) found.push({ order, status, fills })
    if (found.length > MAX_ROWS) return yield* tooMany("orders")
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || last.order.at < from) return found.reverse()
    before = last.sequence
  }
})

/** Reads the timeline's entries of a stretch, newest first. */
const eachEntry = Effect.fnUntraced(function* <E = never>(
  strategy: Strategy,
  stretch: Stretch,
  read: (entry: TimelineEntry) => void,
  check: Effect.Effect<void, E> = Effect.void
) {
  for (let before = Number.MAX_SAFE_INTEGER; ; yield* breathe) {
    const page = yield* Effect.flatMap(Timeline, (timeline) =>
      timeline.list(strategy.account, strategy.id, { limit: PAGE, before })
    )
    for (const entry of page) if (entry.at >= stretch.from && entry.at < stretch.until) read(entry)
    yield* check
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || last.at < stretch.from) return
    before = last.id
  }
})

/** The strategy's answers to alerts in a stretch, and the entries of its timeline that are about itself. */
const toldOf = Effect.fnUntraced(function* (strategy: Strategy, stretch: Stretch) {
  const answers = new Map<AlertId, { readonly at: number; readonly reason: Reason }>()
  const entries: Array<TimelineEntry> = []
  const read = (entry: TimelineEntry) => {
    const { alertId, at, reason, rule } = entry
    if (rule === "alert" && Option.isSome(alertId) && Option.isSome(reason))
      answers.set(alertId.value, { at, reason: reason.value })
    else if (OWN_RULES.has(rule)) entries.push(entry)
  }
  const check = Effect.suspend(() => (answers.size > MAX_ROWS ? tooMany("alerts") : Effect.void))
  yield* eachEntry(strategy, stretch, read, check)
  return { answers, entries: entries.reverse() }
})

/** Entries that say when a period began. */
const BEGINNINGS: ReadonlySet<string> = new Set(["armed", "back_on_paper"])

/** Entries that say when the strategy's terms changed. */
const OWN_RULES: ReadonlySet<string> = new Set(["settings_changed", "daily_loss"])

/** The alerts that the strategy answered, as they came. */
const recorded = Effect.fnUntraced(function* (
  strategy: Strategy,
  answers: ReadonlyMap<AlertId, { readonly at: number; readonly reason: Reason }>
) {
  const journal = yield* Journal
  const ids = [...answers.keys()].sort((one, other) => one - other)
  const found: Array<RecordedAlert> = []
  for (let start = 0; start < ids.length; start += PAGE) {
    for (const alert of yield* journal.among(ids.slice(start, start + PAGE))) {
      const answer = answers.get(alert.id)
      const [timed] = AlertsFile.timedOf(alert)
      if (answer === undefined || timed === undefined) continue
      const isForeign = alert.account !== strategy.account
      found.push({
        id: alert.id,
        alert: isForeign ? { ...timed, foreign: true } : timed,
        actedAt: answer.at,
        reason: answer.reason
      })
    }
    yield* breathe
  }
  return found
})
