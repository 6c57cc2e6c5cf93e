// Rules that began together on one series of candles, and compute together. A rule that comes later begins in a cohort of
// its own, because it needs its history first.
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { Warmup } from "../../trading/expressions/Compile.ts"
import type { Bar, Bars } from "../../trading/indicators/Plan.ts"
import { type RuleAlert, type RuleWatch, watchAll } from "../../trading/signalRule/RuleAlerts.ts"
import { rowsOf } from "../../trading/signalRule/RuleCandles.ts"
import { anchorOf } from "../../trading/signalRule/RuleHistory.ts"
import { watchYears } from "../../trading/signalRule/RuleYears.ts"
import { lookedAtIn, type WorkingRule } from "./WorkingRule.ts"

/** An alert of one of the cohort's rules. */
export interface CohortAlert {
  readonly rule: WorkingRule
  readonly alert: RuleAlert
}

/** Candles that are fetched beyond those that are needed: some may be missing at the exchange. */
const SPARE = 20
/** How much further back the next search for enough candles goes, and how often. */
const FURTHER = 6
const SEARCHES = 3

/** The rules of one series that began together. */
export class Cohort {
  readonly series: CandleSeries
  readonly rules: ReadonlyArray<WorkingRule>
  readonly warmups: ReadonlyArray<Warmup>
  readonly isAnchored: boolean
  /** Why it has no candles now. */
  reason: string | undefined
  /** The close of the last candle that was taken (ms), once it has begun. */
  known: number | undefined
  /** Whether it takes candles as they come; else it waits for past ones. */
  isLive = false
  /** Searches for enough candles so far. */
  searches = 0
  #watch: RuleWatch
  #undo: (() => void) | undefined

  constructor(series: CandleSeries, rules: ReadonlyArray<WorkingRule>) {
    this.series = series
    this.rules = rules
    this.warmups = widest(rules)
    this.isAnchored = this.warmups.some(({ anchored }) => anchored)
    this.#watch = watchAll(rules.map(({ checked }) => checked))
  }

  /** Which rules have had the candles that they need, in the sequence of `rules`. */
  get ready(): ReadonlyArray<boolean> {
    return this.#watch.ready()
  }

  /** How long it takes at least until a rule has had the candles that it needs (ms). */
  lacking({ warmups }: WorkingRule): number {
    const had = this.#watch.rows() * millisOf(this.series.timeframe)
    return Math.max(0, ...warmups.map(({ candles, timeframe }) => candles * millisOf(timeframe) - had))
  }

  /** The close up to which the rule that is furthest behind was looked at (ms). */
  behind(now: number): number {
    return this.rules.reduce((first, rule) => Math.min(first, lookedAtIn(rule, this.series, now)), now)
  }

  /** From when on candles are needed to begin (ms). */
  neededFrom(now: number): number {
    const behind = this.behind(now)
    if (this.isAnchored) return anchorOf(behind)
    const spans = this.warmups.map(({ candles, timeframe }) => (candles + SPARE) * millisOf(timeframe))
    const longest = Math.max(...this.warmups.map(({ timeframe }) => millisOf(timeframe)))
    const stretch = Math.max(...spans) * FURTHER ** this.searches
    return Math.floor((behind - stretch) / longest) * longest
  }

  /** Begins anew with all candles up to a close (ms), and gives what the rules raise at those not looked at yet. */
  *begin(bars: Bars, until: number, now: number): Generator<ReadonlyArray<CohortAlert>> {
    const rules = this.rules.map(({ checked }) => checked)
    this.#watch = this.isAnchored ? watchYears(rules, this.behind(now)) : watchAll(rules)
    this.#undo = undefined
    for (let from = 0; from < bars.length; from += BEGIN_ROWS) {
      const rows = rowsOf(bars, from, Math.min(from + BEGIN_ROWS, bars.length))
      yield this.#fresh(this.#watch.take(rows), now)
    }
    this.known = until
  }

  /** Whether to search further back: there are fewer candles than the rules need. */
  lacks({ at, length }: Bars): boolean {
    if (this.isAnchored || this.searches >= SEARCHES) return false
    const counts = (span: number) => {
      let count = 0
      for (let row = 0; row < length; row++)
        if (row === 0 || Math.floor((at[row] ?? 0) / span) > Math.floor((at[row - 1] ?? 0) / span)) count++
      return count
    }
    return this.warmups.some(({ candles, timeframe }) => counts(millisOf(timeframe)) <= candles)
  }

  /** Takes the next closed candle, and gives what the rules raise there. */
  push(bar: Bar, isFinal: boolean, now: number): ReadonlyArray<CohortAlert> {
    this.#undo = isFinal ? undefined : this.#watch.hold()
    this.known = bar.at + millisOf(this.series.timeframe)
    return this.#fresh(this.#watch.push(bar), now)
  }

  /** Puts another candle in the place of the last one, if it may still change. What was raised stands. */
  correct(bar: Bar): void {
    if (this.#undo === undefined) return
    this.#undo()
    this.#undo = undefined
    this.#watch.push(bar)
  }

  /** No candle came up to a time (ms). */
  pass(until: number): void {
    this.known = until
  }

  /** What was raised at candles that were not looked at yet. */
  #fresh(raised: ReadonlyArray<ReadonlyArray<RuleAlert>>, now: number): ReadonlyArray<CohortAlert> {
    const found: Array<CohortAlert> = []
    for (const [index, alerts] of raised.entries()) {
      const rule = this.rules[index]
      if (rule === undefined || alerts.length === 0) continue
      const from = lookedAtIn(rule, this.series, now)
      for (const alert of alerts) if (alert.at > from) found.push({ rule, alert })
    }
    return found
  }
}

/** Candles that are computed without a pause when a cohort begins. */
const BEGIN_ROWS = 2_000

/** What all of the rules need, by timeframe. */
const widest = (rules: ReadonlyArray<WorkingRule>): ReadonlyArray<Warmup> => {
  const found = new Map<string, Warmup>()
  for (const { warmups } of rules)
    for (const warmup of warmups) {
      const known = found.get(warmup.timeframe)
      found.set(warmup.timeframe, {
        timeframe: warmup.timeframe,
        candles: Math.max(known?.candles ?? 0, warmup.candles),
        anchored: (known?.anchored ?? false) || warmup.anchored
      })
    }
  return [...found.values()]
}
