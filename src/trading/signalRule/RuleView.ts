// The part of a rule in a back-test, as answers and reports show it: a count of alerts for each entry, remarks, and a list of
// the alerts with the values that decided them.
import type { MarketId } from "../../domain/Market.ts"
import type { TimedAlert } from "../Backtest.ts"
import { notesOf } from "./RuleNotes.ts"
import type { RaisedAlert, RuleGround, RuleRun, TestedRule } from "./RuleRecording.ts"

/** A rule with its run over a back-test's candles. */
export interface RuleOutcome {
  readonly tested: TestedRule
  readonly ground: RuleGround
  readonly run: RuleRun
}

/** An entry of `on` or `schedule`, and how often it raised an alert. `when` is its condition, or its cron line. */
export interface EntryView {
  readonly by: string
  readonly type: TimedAlert["type"]
  readonly when: string
  readonly alerts: number
  readonly withheld: number
}

/** An alert with its time, in seconds or ms as the whole view. Absent amounts are null. */
export interface AlertView {
  readonly at: number
  readonly exchange: MarketId["exchange"]
  readonly pair: MarketId["pair"]
  readonly kind: MarketId["kind"]
  readonly by: string
  readonly type: TimedAlert["type"]
  readonly close: number | null
  readonly values: ReadonlyArray<{ readonly text: string; readonly value: number | null }>
  readonly tp: number | null
  readonly sl: number | null
  readonly tps: NonNullable<TimedAlert["tps"]> | null
  readonly close_percent: number | null
  readonly buy_percentage: number | null
  readonly reverse: boolean | null
  readonly withheld: string | null
}

/** A rule's part of a back-test. `alerts` are the last ones, by time. */
export interface RuleView {
  readonly timeframe: string
  readonly params: Readonly<Record<string, number>>
  readonly entries: ReadonlyArray<EntryView>
  readonly notes: ReadonlyArray<string>
  readonly alerts: ReadonlyArray<AlertView>
  readonly alerts_total: number
}

/** The view, with at most `most` alerts; `timeOf` makes its times of ms. */
export const viewOf = (
  { ground, run, tested }: RuleOutcome,
  { most, timeOf }: { readonly most: number; readonly timeOf: (ms: number) => number }
): RuleView => {
  const { on, params, schedule, timeframe } = tested.rule
  const counts = new Map<string, { alerts: number; withheld: number }>()
  for (const { alert, by } of run.raised) {
    const count = counts.get(by) ?? { alerts: 0, withheld: 0 }
    if (alert === undefined) count.withheld++
    else count.alerts++
    counts.set(by, count)
  }
  const entry = (by: string, type: TimedAlert["type"], when: string): EntryView => ({
    ...{ by, type, when },
    ...(counts.get(by) ?? { alerts: 0, withheld: 0 })
  })
  const last = most === 0 ? [] : run.raised.toSorted((one, other) => one.at - other.at).slice(-most)
  return {
    timeframe,
    params,
    entries: [
      ...on.map(({ type, when }, index) => entry(`on[${index}]`, type, when)),
      ...schedule.map(({ cron, timezone, type }, index) =>
        entry(`schedule[${index}]`, type, `${cron} (${timezone})`)
      )
    ],
    notes: notesOf(tested, ground, run),
    alerts: last.map((raised) => alertView(raised, timeOf)),
    alerts_total: run.raised.length
  }
}

const alertView = (
  { alert, at, by, close, market, type, values, withheld }: RaisedAlert,
  timeOf: (ms: number) => number
): AlertView => ({
  at: timeOf(at),
  ...market,
  by,
  type,
  close: close ?? null,
  values: values.map(({ text, value }) => ({ text, value: value ?? null })),
  tp: alert?.tp ?? null,
  sl: alert?.sl ?? null,
  tps: alert?.tps ?? null,
  close_percent: alert?.closePercent ?? null,
  buy_percentage: alert?.buyPercentage ?? null,
  reverse: alert?.reverse ?? null,
  withheld: withheld ?? null
})
