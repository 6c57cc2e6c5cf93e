// The rules at work in memory, by series of candles: which cohorts there are, and what closed candles make them raise.
// Nothing here waits or stores.
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import type { SignalId } from "../../domain/Signal.ts"
import { seriesKey } from "../feeds/CandleStore.ts"
import type { CandleNews, Closed } from "./ClosedCandles.ts"
import { Cohort, type CohortAlert } from "./Cohort.ts"
import { seriesOf, type WorkingRule } from "./WorkingRule.ts"

/** A series with the cohorts that look at it. */
export interface BookedSeries {
  readonly series: CandleSeries
  cohorts: ReadonlyArray<Cohort>
}

/** Beyond so many cohorts of a series, those that compute on their own begin again as one. */
const MAX_COHORTS = 8

/** What one piece of news did: alerts, the close up to which cohorts have looked, and those that lack candles. */
export interface Looked {
  readonly alerts: ReadonlyArray<CohortAlert>
  readonly cohorts: ReadonlyArray<Cohort>
  readonly lacking: ReadonlyArray<Cohort>
}

/** The book. */
export class RuleBook {
  readonly #rules = new Map<SignalId, WorkingRule>()
  readonly #series = new Map<string, BookedSeries>()
  /** How often rules came or went. */
  changes = 0

  /** The rule of a signal, if it is at work. */
  rule(signal: SignalId): WorkingRule | undefined {
    return this.#rules.get(signal)
  }

  rules(): Iterable<WorkingRule> {
    return this.#rules.values()
  }

  series(): Iterable<BookedSeries> {
    return this.#series.values()
  }

  seriesOf(series: CandleSeries): BookedSeries | undefined {
    return this.#series.get(seriesKey(series))
  }

  /** Whether a rule is at work as it is, and was not changed or taken away meanwhile. */
  isAtWork(rule: WorkingRule): boolean {
    return this.#rules.get(rule.signal) === rule
  }

  /** Takes rules out, and puts new ones or new versions in; returns the cohorts that have to begin. */
  change(gone: Iterable<SignalId>, come: ReadonlyArray<WorkingRule>): ReadonlyArray<Cohort> {
    this.changes++
    const left = new Set<string>()
    const leave = (signal: SignalId) => {
      const rule = this.#rules.get(signal)
      for (const series of rule === undefined ? [] : seriesOf(rule)) left.add(seriesKey(series))
      this.#rules.delete(signal)
    }
    for (const signal of gone) leave(signal)
    for (const rule of come) {
      leave(rule.signal)
      this.#rules.set(rule.signal, rule)
    }
    for (const key of left) this.#drop(key)
    return this.#join(come)
  }

  /** Takes one piece of news in at `now` (ms). */
  look(news: CandleNews, now: number): Looked {
    const booked = this.#series.get(seriesKey(news.series))
    const looked = { alerts: [] as CohortAlert[], cohorts: [] as Cohort[], lacking: [] as Cohort[] }
    for (const cohort of booked?.cohorts ?? []) {
      if (!cohort.isLive || cohort.known === undefined) continue
      if (news._tag === "Corrected") cohort.correct(news.bar)
      else if (cohort.known < news.from) looked.lacking.push(cohort)
      else if (cohort.known < news.until) {
        looked.alerts.push(...advance(cohort, news, now))
        looked.cohorts.push(cohort)
      }
    }
    return looked
  }

  /** Drops cohorts without a rule at work, and series without a cohort. */
  #drop(key: string): void {
    const booked = this.#series.get(key)
    if (booked === undefined) return
    booked.cohorts = booked.cohorts.filter(({ rules }) => rules.some((rule) => this.isAtWork(rule)))
    if (booked.cohorts.length === 0) this.#series.delete(key)
  }

  /** Puts rules into new cohorts of their series. What never forgets has a cohort apart, since it needs years of candles. */
  #join(come: ReadonlyArray<WorkingRule>): ReadonlyArray<Cohort> {
    const joining = new Map<string, { readonly series: CandleSeries; readonly rules: Array<WorkingRule> }>()
    for (const rule of come)
      for (const series of seriesOf(rule)) {
        const known = joining.get(seriesKey(series)) ?? { series, rules: [] }
        known.rules.push(rule)
        joining.set(seriesKey(series), known)
      }
    return [...joining].flatMap(([key, { rules, series }]) => {
      const booked = this.#series.get(key) ?? { series, cohorts: [] }
      this.#series.set(key, booked)
      const isFull = booked.cohorts.length >= MAX_COHORTS
      const before = isFull
        ? booked.cohorts.flatMap((cohort) => cohort.rules).filter((rule) => this.isAtWork(rule))
        : []
      const all = [...new Set([...before, ...rules])]
      const cohorts = [
        all.filter(({ isAnchored }) => isAnchored),
        all.filter(({ isAnchored }) => !isAnchored)
      ]
        .filter((some) => some.length > 0)
        .map((some) => new Cohort(series, some))
      booked.cohorts = isFull ? cohorts : [...booked.cohorts, ...cohorts]
      return cohorts
    })
  }
}

/** Lets a cohort take the candles of news that begin where it stands, and gives what they raise. */
const advance = (
  cohort: Cohort,
  { bars, isFinal, until }: Closed,
  now: number
): ReadonlyArray<CohortAlert> => {
  const alerts = bars.flatMap((bar) => (bar.at < (cohort.known ?? 0) ? [] : cohort.push(bar, isFinal, now)))
  cohort.pass(until)
  return alerts
}
