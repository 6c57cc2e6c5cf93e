// Runs a strategy over arrays of candles with the very `decide` that live trading uses. A candle inside every watch
// window is skipped; all others are walked point by point, and each order fills at the price of its decision.
import { ACTED, type Reason } from "../domain/Alert.ts"
import type { BotState, Slot } from "../domain/Bot.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Settings } from "../domain/Strategy.ts"
import { ofLast } from "../domain/Ticker.ts"
import type { Trade } from "../domain/Trade.ts"
import { ENDLESS_PATIENCE } from "./AlertPatience.ts"
import * as Bot from "./Bot.ts"
import type { BacktestMarkets } from "./backtest/BacktestMarkets.ts"
import * as LateOrders from "./backtest/LateOrders.ts"
import * as RunContext from "./backtest/RunContext.ts"
import { eventOf, type TermsChange } from "./backtest/TermsChange.ts"
import * as Tracks from "./backtest/Tracks.ts"
import * as Walk from "./backtest/Walk.ts"
import type { Fees } from "./books/Fees.ts"
import * as Ledger from "./books/Ledger.ts"
import * as Matching from "./books/Matching.ts"
import type { BotAlert, Context, Decision, Event } from "./Decision.ts"
import { MAX_DECISIONS } from "./Overrun.ts"
import * as Performance from "./Performance.ts"
import type { Approved } from "./Risk.ts"
import { route } from "./Routing.ts"
import { follow } from "./Watch.ts"
import { scan } from "./watch/Scan.ts"

/** An alert from a file: `at` in ms. */
export type TimedAlert = Omit<BotAlert, "id">

/** The input of a run. The strategy decides the sequence of the pairs, not `series`; alerts keep that of their lines. */
export interface Backtest extends RunContext.RunInput, BacktestMarkets {
  readonly series: ReadonlyArray<Tracks.Series>
  readonly alerts: ReadonlyArray<TimedAlert>
  /** Called from time to time with the number of candles done. */
  readonly progress?: (candles: number) => void
  /** Called for every fill, with its order. */
  readonly filled?: (order: Approved, fill: Fill) => void
  /** New settings and halts on the way, sorted by time. A change acts before the first candle at or after its time. */
  readonly changes?: ReadonlyArray<TermsChange>
  /** How the exchange answers an order; its fill by the model and the fees are given. Absent: with that fill. */
  readonly answer?: (order: Approved, fill: Fill, fees: Fees) => Event
}

/** An alert that changed nothing: its time (ms since the epoch) and the reason. */
export interface Ignored {
  readonly time: number
  readonly reason: Reason
}

/**
 * `today` is the time of the last candle; `open` are the slots that still hold a position. `overrunAt` is the candle
 * time (ms) at which the bot exceeded its bound on decisions: the run stopped there and its figures are void.
 */
export interface BacktestResult {
  readonly overrunAt?: number
  readonly tally: Performance.Tally
  readonly today: number
  readonly trades: ReadonlyArray<Trade>
  readonly ignored: ReadonlyArray<Ignored>
  readonly open: ReadonlyArray<Slot>
  readonly postings: ReadonlyArray<Ledger.Posting>
  readonly ambiguousCandles: number
  readonly candles: number
  readonly state: BotState
  /** How many late orders had no candle left; absent where none had, or orders are not late. */
  readonly afterEnd?: number
}

/** Runs a strategy over candles: walks the candles that can change the state, scans past the others. */
export const run = (backtest: Backtest): BacktestResult => {
  const bench = prepare(backtest)
  for (;;) {
    const track = Tracks.earliest(bench.tracks, bench.state)
    if (track === undefined || bench.isOverrun) return finish(backtest, bench)
    if (!adopt(backtest, bench, Tracks.nextTime(track, bench.state))) forward(bench, track)
  }
}

/** The mutable state of a run. */
interface Bench {
  readonly context: Context
  readonly tracks: ReadonlyArray<Tracks.Track>
  readonly strays: ReadonlyArray<BotAlert>
  readonly trades: Array<Trade>
  readonly postings: Array<Ledger.Posting>
  readonly ignored: Array<Ignored & { readonly id: number }>
  readonly progress: Backtest["progress"]
  readonly filled: Backtest["filled"]
  readonly answer: Backtest["answer"]
  readonly changes: ReadonlyArray<TermsChange>
  readonly began: number
  readonly late: LateOrders.LateOrders | undefined
  now: number
  settings: Settings
  halted: boolean
  /** The changes that were made. */
  changed: number
  state: BotState
  ambiguous: number
  isOverrun: boolean
}

const prepare = (backtest: Backtest): Bench => {
  const { balance, settings } = backtest
  const alerts = Tracks.numbered(backtest.alerts)
  const rank = Bot.rankBy(settings)
  const series = Tracks.ranked(backtest.series, rank)
  const tracks = series.map((one, order) => RunContext.trackOf(backtest, one, order, alerts))
  const known = new Map(tracks.map((track) => [track.series.pair, track]))
  const createdAt = series.reduce((first, { columns }) => Math.min(first, columns.at[0] ?? first), Infinity)
  const began = Number.isFinite(createdAt) ? createdAt : 0
  const bench: Bench = {
    context: RunContext.contextOf(backtest, known, rank, () => bench),
    tracks,
    strays: alerts.filter((alert) => !known.has(alert.pair)),
    trades: [],
    postings: [Ledger.opening(balance, began)],
    ignored: [],
    progress: backtest.progress,
    filled: backtest.filled,
    answer: backtest.answer,
    changes: backtest.changes ?? [],
    began,
    late: LateOrders.of(backtest.fillModel, tracks),
    now: began,
    settings,
    halted: false,
    changed: 0,
    state: Bot.start(settings.quote, balance),
    ambiguous: 0,
    isOverrun: false
  }
  return bench
}

/**
 * Advances one track: up to another track's next candle, up to the end of its window in time, or through the next
 * candle that can change the state.
 */
const forward = (bench: Bench, track: Tracks.Track): void => {
  const isActive = Tracks.isActive(track, bench.state)
  if (track.funding !== undefined) fund(bench, track, isActive ? track.at : track.due)
  if (track.at === track.due || !isActive) return walk(bench, track, track.due)
  const { columns } = track.series
  const now = columns.at[track.at] ?? 0
  if (now >= (track.watching?.window?.at ?? now)) watch(bench, now)
  const { key = "", window } = track.watching ?? {}
  if (window === undefined) return walk(bench, track, track.at)
  const until = Math.min(window.at, bench.changes[bench.changed]?.at ?? window.at)
  const end = Tracks.boundary(track, bench.tracks, bench.state, until)
  const { extreme, index } = scan(columns, track.at, end, window)
  if (window.trail !== undefined && window.trail.extreme !== extreme) {
    bench.state = follow(bench.state, key, ofLast(extreme, bench.now))
    track.watching = { key, window: { ...window, trail: { ...window.trail, extreme } } }
  }
  track.at = index
  if (index < end) walk(bench, track, index)
}

/** Books the funding that falls due before a candle, at its open. Its window ended there, so all are computed anew. */
const fund = (bench: Bench, track: Tracks.Track, index: number): void => {
  const candle = Tracks.candleAt(track.series.columns, index)
  for (const event of Tracks.takeFunding(track, bench.state, candle)) {
    bench.now = candle.at
    const decision = Bot.decide(bench.context, bench.state, event)
    bench.state = Bot.apply(bench.state, decision)
    for (const posting of decision.postings) bench.postings.push(posting)
  }
}

/** Makes the next change if it comes before a time (ms) or with it; returns whether it did. */
const adopt = (backtest: Backtest, bench: Bench, time: number): boolean => {
  const change = bench.changes[bench.changed]
  if (change === undefined || change.at > time) return false
  bench.changed++
  bench.now = Math.max(bench.now, change.at)
  bench.settings = change.settings ?? bench.settings
  bench.halted = change.halted ?? bench.halted
  for (const track of bench.tracks) {
    Object.assign(track, RunContext.listedOf({ ...backtest, settings: bench.settings }, track.series))
    track.watching = undefined
  }
  const decision = Bot.decide(bench.context, bench.state, eventOf(change))
  // A close that finds nothing is refused, and changes nothing.
  if (decision.manual?._tag !== "Refused") settle(bench, undefined, decision)
  return true
}

/** All windows are computed at one moment, because they share the room of the balance rules. */
const watch = (bench: Bench, now: number): void => {
  bench.now = now
  for (const track of bench.tracks) track.watching = Tracks.watchingOf(track, bench.context, bench.state)
}

/** Walks one candle to its end and fills each order at once, at the price of its decision. */
const walk = (bench: Bench, track: Tracks.Track, index: number): void => {
  const candle = Tracks.candleAt(track.series.columns, index)
  bench.now = candle.at
  track.at = index
  const before = bench.state
  // In a candle inside the window only alerts can change the state; walk the rest only after one did.
  const calm = Tracks.isCalm(track, index)
  const alerts = Tracks.takeDue(track, index)
  let cursor = Walk.start(candle, track.ids, alerts, calm ? "alerts" : "exits")
  while (!bench.isOverrun && (!calm || cursor.alert < alerts.length || bench.state !== before)) {
    const next = Walk.next(bench.context, bench.state, cursor)
    if (next._tag !== "Step") {
      if (next._tag === "Done" && next.ambiguous) bench.ambiguous++
      break
    }
    cursor = next.cursor
    if (next.alert !== undefined) record(bench, next.alert, next.decision)
    settle(bench, cursor, next.decision)
  }
  track.at = index + 1
  if (alerts.length > 0) track.due = Tracks.findDue(track)
  if (!calm || bench.state !== before) for (const each of bench.tracks) each.watching = undefined
  bench.progress?.(bench.tracks.reduce((done, each) => done + each.at, 0))
}

/**
 * Applies a decision that was made at the cursor, fills its orders, and settles the decisions on those fills; a change of
 * the terms is at none. `links` counts them in a row.
 */
const settle = (bench: Bench, cursor: Walk.Cursor | undefined, decision: Decision, links = 0): void => {
  bench.isOverrun ||= decision.overrun === true || links > MAX_DECISIONS
  if (bench.isOverrun) return
  bench.state = Bot.apply(bench.state, decision)
  for (const posting of decision.postings) bench.postings.push(posting)
  for (const trade of decision.trades) bench.trades.push(trade)
  for (const order of decision.orders) settle(bench, cursor, resolve(bench, cursor, order), links + 1)
}

const resolve = (bench: Bench, cursor: Walk.Cursor | undefined, order: Approved): Decision => {
  const here = cursor === undefined ? bench.context : Walk.contextAt(bench.context, cursor)
  const fees = here.fees(order)
  const fill =
    bench.late === undefined
      ? Matching.fill(order, fees, here.now)
      : LateOrders.fill(bench.late, order, { fees, cursor, now: here.now })
  const event = fill === undefined ? LateOrders.tooDear(order) : answered(bench, order, fill, fees)
  if (event._tag === "Filled") bench.filled?.(order, event.fill)
  return Bot.decide(here, bench.state, event)
}

const answered = (bench: Bench, order: Approved, fill: Fill, fees: Fees): Event =>
  bench.answer?.(order, fill, fees) ?? { _tag: "Filled", market: order, fill, done: true }

const ACTED_REASONS: ReadonlySet<Reason> = new Set(ACTED)

const record = (bench: Bench, alert: BotAlert, { alert: answer }: Decision): void => {
  if (answer?._tag !== "Answered" || ACTED_REASONS.has(answer.reason)) return
  bench.ignored.push({ id: alert.id, time: alert.at, reason: answer.reason })
}

/** Alerts after the last candle of their pair, and alerts for pairs without candles, have no price. */
const finish = (backtest: Backtest, bench: Bench): BacktestResult => {
  const late = bench.tracks.flatMap((track) => track.alerts.slice(track.nextAlert))
  for (const alert of [...bench.strays, ...late]) {
    bench.ignored.push({ id: alert.id, time: alert.at, reason: leftOver(bench, alert) })
  }
  bench.ignored.sort((left, right) => left.id - right.id)
  const { context, state } = bench
  const columns = backtest.series.map((one) => one.columns)
  return {
    tally: Performance.recompute(backtest.balance, bench.began, bench.trades),
    today: columns.reduce((last, { at, length }) => Math.max(last, at[length - 1] ?? 0), bench.now),
    trades: bench.trades,
    ignored: bench.ignored.map(({ reason, time }) => ({ time, reason })),
    open: Object.values(state.slots)
      .filter((slot) => slot.position !== undefined)
      .sort((left, right) => context.rank(left) - context.rank(right)),
    postings: bench.postings,
    ambiguousCandles: bench.ambiguous,
    candles: columns.reduce((sum, { length }) => sum + length, 0),
    state,
    ...(bench.isOverrun ? { overrunAt: bench.now } : {}),
    ...(bench.late === undefined || bench.late.afterEnd === 0 ? {} : { afterEnd: bench.late.afterEnd })
  }
}

const leftOver = (bench: Bench, alert: BotAlert): Reason => {
  const unpriced: Context = { ...bench.context, quote: () => undefined }
  const routed = route(unpriced, bench.state, alert, { patience: ENDLESS_PATIENCE, since: unpriced.now })
  if (routed._tag !== "Answered" || routed.reason === "no_position") return "no_price"
  return routed.reason
}
