// The use case of a rule's chart: the candles of one of its markets, the lines of its conditions, and where it fires. Only
// the owner of the signal sees it. What is read and computed is bounded. Where too few candles were stored, as on a server
// that is new, the exchange is asked for them.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { millisOf, type Timeframe } from "../../domain/candles/Timeframe.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { type ReadRule, read } from "../../domain/signalRule/RuleReading.ts"
import { withWarmup } from "../../trading/backtest/RuleRun.ts"
import { merged } from "../../trading/candles/Bars.ts"
import { barsOf, type PresentCandles, presentOf } from "../../trading/signalRule/RuleCandles.ts"
import { chartOf, type RuleChart } from "../../trading/signalRule/RuleChart.ts"
import { Signals } from "../Signals.ts"
import { type CandleSource, Candles } from "./Candles.ts"
import * as ExchangeCandles from "./ExchangeCandles.ts"

/** The most candles of a chart. */
export const MAX_SHOWN = 1000
/** The most candles that are read for one chart: of minutes, or of hours where the timeframe is made of those. */
const MAX_READ = 60_000
/** The most work for one chart, in characters of the rule times candles: a longer rule takes longer at each of them. */
const MAX_WORK = 40_000_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Which chart of a rule: of its first market if none is named, with so many candles. */
export interface RuleChartQuery {
  readonly market: MarketId | undefined
  readonly shown: number
}

/** A chart with where it is from. */
export interface DrawnRule {
  readonly rule: ReadRule
  readonly market: MarketId
  /** `exchange`: too few were stored here, and the exchange was asked. */
  readonly source: CandleSource | "exchange"
  readonly chart: RuleChart
}

/** Reads charts of rules. */
export const make = Effect.gen(function* () {
  const signals = yield* Signals
  const candles = yield* Candles
  const fromExchange = yield* ExchangeCandles.make
  return Effect.fn("RuleCharts.get")(function* (
    account: AccountId,
    id: number,
    question: Either.Either<RuleChartQuery, Violations>
  ) {
    // A signal that is not the caller's is reported before what is wrong with the query.
    const found = Option.getOrUndefined(yield* signals.rule(account, id))
    const rule = found === undefined ? undefined : Either.getOrThrow(read(found.document))
    if (rule === undefined) return yield* Violations.of([violation("id", "is a signal without a rule")])
    const query = yield* question
    const { markets, timeframe } = rule.rule
    const wanted = query.market === undefined ? undefined : marketKey(query.market)
    const market = markets.find((it) => wanted === undefined || marketKey(it) === wanted)
    if (market === undefined)
      return yield* Violations.of([violation("pair", "is no market of the signal's rule")])
    const now = yield* Clock.currentTimeMillis
    const span = spanOf(rule, query.shown, now)
    const recorded = yield* candles.range(market, span)
    const stored = presentOf(recorded.columns, timeframe, now)
    const drawn = (present: PresentCandles, source: DrawnRule["source"]): DrawnRule => ({
      ...{ rule, market, source },
      chart: chartOf(rule.checked, present, query.shown)
    })
    if (recorded.source === "replay" || reaches(stored, span.from, { timeframe, now }))
      return drawn(stored, recorded.source)
    const fetched = yield* fromExchange({ ...market, timeframe }, span.from)
    if (fetched.length <= stored.closed.length) return drawn(stored, recorded.source)
    const closed = barsOf(merged(fetched, stored.closed))
    return drawn({ closed, forming: stored.forming }, "exchange")
  })
})

/** The share of the candles between two times that markets usually have at least: fewer were not all recorded. */
const USUAL_SHARE = 0.8

/** Whether closed candles reach back to a time (ms), and are not many short of it. */
const reaches = (
  { closed }: PresentCandles,
  from: number,
  { now, timeframe }: { readonly timeframe: Timeframe; readonly now: number }
): boolean => closed.length >= USUAL_SHARE * Math.floor((now - from) / millisOf(timeframe))

/** The candles to read: those that are shown, and before them what the rule needs to be warm. */
const spanOf = (rule: ReadRule, shown: number, now: number) => {
  const step = millisOf(rule.rule.timeframe)
  const base = step >= HOUR_MS ? HOUR_MS : MINUTE_MS
  const { from } = withWarmup(rule, { from: now - (shown + 1) * step, until: now + 1 })
  const most = Math.floor(MAX_WORK / JSON.stringify(rule.document).length)
  const begin = Math.floor(Math.max(from, now - MAX_READ * base, now - most * step) / step) * step
  // As many points as there are candles of the base, which longer ones are made of.
  return { from: begin, until: now + 1, points: Math.floor((now + 1 - begin) / base) + 2 }
}
