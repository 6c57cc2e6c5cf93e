// Rules with functions that never forget at work over the years: each UTC year has a watch of its own, which begins at that
// year's anchor. The watches of the years to come take candles beside it, so that a new year needs no past ones.
import type { CheckedRule } from "../../domain/signalRule/SignalRule.ts"
import { firstAt } from "../watch/Scan.ts"
import { type RuleAlert, type RuleWatch, watchAll } from "./RuleAlerts.ts"
import { rowsOf } from "./RuleCandles.ts"
import { ANCHOR_YEARS, yearOf } from "./RuleHistory.ts"

/** Watches that take each candle: of its year, and of the years whose anchors have come. */
export const WATCHES = ANCHOR_YEARS + 1

/** What is at work for the candles of a UTC year, by the beginning of that year (ms). */
interface YearWatch {
  readonly year: number
  readonly watch: RuleWatch
}

/** Rules that raise alerts at candles of the year of `since` (ms) and of later ones; earlier candles lead up to these. */
export const watchYears = (rules: ReadonlyArray<CheckedRule>, since: number): RuleWatch => {
  const first = yearOf(since)
  let watches: ReadonlyArray<YearWatch> = []
  /** The year of the last candle, and its end (ms). */
  let [year, end] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  const enter = (at: number) => {
    if (at < end) return
    const before = watches
    year = yearOf(at)
    end = yearOf(at, 1)
    watches = Array.from({ length: WATCHES }, (_, later) => yearOf(at, later))
      .filter((one) => one >= first)
      .map((one) => before.find((known) => known.year === one) ?? { year: one, watch: watchAll(rules) })
  }
  /** Lets every watch take what is next, and gives what that of the present year raises. */
  const each = (next: (watch: RuleWatch) => ReadonlyArray<ReadonlyArray<RuleAlert>>) =>
    watches.map((one) => ({ of: one.year, raised: next(one.watch) })).find(({ of }) => of === year)?.raised ??
    rules.map(() => [])

  return {
    push: (bar) => {
      enter(bar.at)
      return each((watch) => watch.push(bar))
    },
    take: (bars) => {
      const alerts = rules.map(() => [] as RuleAlert[])
      for (let from = 0; from < bars.length; ) {
        enter(bars.at[from] ?? 0)
        const to = firstAt(bars.at, end, from)
        const rows = rowsOf(bars, from, to)
        for (const [index, raised] of each((watch) => watch.take(rows)).entries())
          alerts[index]?.push(...raised)
        from = to
      }
      return alerts
    },
    hold: () => {
      const before = { watches, year, end }
      const releases = watches.map(({ watch }) => watch.hold())
      return () => {
        ;({ watches, year, end } = before)
        for (const release of releases) release()
      }
    },
    ready: () => watches[0]?.watch.ready() ?? rules.map(() => false),
    rows: () => watches[0]?.watch.rows() ?? 0
  }
}
