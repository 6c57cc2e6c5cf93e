// The alerts that a rule raises over candles: where a condition is true and was not at the candle before. Live, in a
// replay and in a back-test the same function raises the same alerts.
import type { AlertType } from "../../domain/Alert.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { CheckedAmount, CheckedEntry, CheckedRule, Part } from "../../domain/signalRule/SignalRule.ts"
import { type Compiler, make as makeCompiler, type Warmup } from "../expressions/Compile.ts"
import { type Bar, type Bars, BLOCK, type Plan } from "../indicators/Plan.ts"
import { at, isValue, type Series } from "../indicators/Series.ts"

/** A value that a condition was decided by, as its expression is written; absent where there was none. */
export interface PartValue {
  readonly text: string
  readonly value?: number
}

/**
 * An alert of a rule. `at` is the close of its candle (ms), which is its time; `entry` its place in `on`, from 0.
 * `amounts` are the values of its `tp`, `sl`, `tps[0].price`, `closePercent` and `buyPercentage`.
 *
 * `missing` are those of them that had no value there. An entry must not be raised without its stop or its size: it is
 * `withheld`. A closing alert is raised all the same, and closes everything.
 */
export interface RuleAlert {
  readonly entry: number
  readonly type: AlertType
  readonly at: number
  readonly close: number
  readonly values: ReadonlyArray<PartValue>
  readonly amounts: ReadonlyMap<string, number>
  readonly missing: ReadonlyArray<string>
  readonly withheld: boolean
}

/** Rules of one timeframe at work on one market. What several of them compute is computed once. */
export interface RuleWatch {
  /** Takes the next closed candle, and gives the alerts of each rule, sorted by entry. */
  readonly push: (bar: Bar) => ReadonlyArray<ReadonlyArray<RuleAlert>>
  /** Takes closed candles; the same as pushing each. Alerts of each rule are sorted by time. */
  readonly take: (bars: Bars) => ReadonlyArray<ReadonlyArray<RuleAlert>>
  /** Keeps the state, for one `push` that is undone by the function that it returns. */
  readonly hold: () => () => void
  /** Which of the rules have had the candles that they need. */
  readonly ready: () => ReadonlyArray<boolean>
  /** How many candles have come. */
  readonly rows: () => number
}

/** Rows that rules at work compute at a time: more of them take more memory for as long as they work. */
const SMALL_BLOCK = 16

/** Rules that take candle by candle. What is true when one is warmed up raises nothing until it was false. */
export const watchAll = (rules: ReadonlyArray<CheckedRule>): RuleWatch => {
  const [first] = rules
  const compiler = makeCompiler(first?.timeframe ?? "1m")
  const { plan } = compiler
  const all = rules.map((rule) => prepare(compiler, rule))
  compiler.allocate(SMALL_BLOCK)
  return {
    push: (bar) => {
      plan.push(bar)
      return all.map((one) => find(plan, one, 1))
    },
    take: (bars) => {
      const alerts = all.map(() => [] as RuleAlert[])
      for (let from = 0; from < bars.length; from += SMALL_BLOCK) {
        const to = Math.min(from + SMALL_BLOCK, bars.length)
        plan.take(bars, from, to)
        for (const [index, one] of all.entries()) alerts[index]?.push(...find(plan, one, to - from))
      }
      return alerts
    },
    hold: () => {
      const release = plan.hold()
      const releases = all.map(held)
      return () => {
        release()
        for (const release of releases) release()
      }
    },
    ready: () => all.map(({ progress }) => progress.readyRow !== undefined),
    rows: plan.rows
  }
}

/** Keeps what a rule remembers beside its series. */
const held = ({ entries, progress }: Prepared): (() => void) => {
  const { readyRow } = progress
  const before = entries.map((entry) => entry.held)
  return () => {
    progress.readyRow = readyRow
    for (const [index, entry] of entries.entries()) entry.held = before[index] ?? true
  }
}

/** A rule that takes candle by candle. */
export const watch = (rule: CheckedRule): Pick<RuleWatch, "hold"> & RuleAlone => {
  const { hold, push } = watchAll([rule])
  return { hold, push: (bar) => push(bar)[0] ?? [], warmups: warmupsOf(rule) }
}

/** A rule at work on one market. */
export interface RuleAlone {
  /** Takes the next closed candle, and gives the alerts that it raises, sorted by entry. */
  readonly push: (bar: Bar) => ReadonlyArray<RuleAlert>
  /** How many candles must have come before anything is raised. */
  readonly warmups: ReadonlyArray<Warmup>
}

/** How many candles of each timeframe must have come before a rule raises anything. */
export const warmupsOf = (rule: CheckedRule): ReadonlyArray<Warmup> =>
  prepare(makeCompiler(rule.timeframe), rule).warmups

/** What a rule raised over candles. `readyAt` is the close of the first candle at which it was warmed up (ms). */
export interface Raised {
  readonly alerts: ReadonlyArray<RuleAlert>
  readonly readyAt: number | undefined
}

/** All alerts that a rule raises over candles, sorted by time and entry. */
export const alertsOf = (rule: CheckedRule, bars: Bars): ReadonlyArray<RuleAlert> =>
  raisedBy([rule], bars)[0]?.alerts ?? []

/**
 * What each of some rules of one timeframe raises over the same candles. What several of them compute is computed once;
 * each raises exactly what it raises alone.
 */
export const raisedBy = (rules: ReadonlyArray<CheckedRule>, bars: Bars): ReadonlyArray<Raised> => {
  const [first] = rules
  if (first === undefined) return []
  const compiler = makeCompiler(first.timeframe)
  const { plan } = compiler
  const all = rules.map((rule) => ({ ...prepare(compiler, rule), alerts: [] as RuleAlert[] }))
  compiler.allocate(BLOCK)
  for (let from = 0; from < bars.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, bars.length)
    plan.take(bars, from, to)
    for (const one of all) one.alerts.push(...find(plan, one, to - from))
  }
  return all.map(({ alerts, progress: { readyRow }, step }) => ({
    alerts,
    readyAt: readyRow === undefined ? undefined : (bars.at[readyRow] ?? 0) + step
  }))
}

/** An entry with the series of everything that it names. */
interface Watched {
  readonly of: CheckedEntry
  readonly index: number
  readonly when: Series
  readonly parts: ReadonlyArray<readonly [Part, Series]>
  readonly amounts: ReadonlyArray<readonly [CheckedAmount, Series]>
  /** Whether the condition held at the candle before; nothing is raised at the first one. */
  held: boolean
}

/** A rule with its series in a plan. */
interface Prepared {
  readonly entries: ReadonlyArray<Watched>
  readonly ready: Series
  readonly at: Series
  readonly close: Series
  readonly step: number
  readonly warmups: ReadonlyArray<Warmup>
  readonly progress: { readyRow: number | undefined }
}

const prepare = (compiler: Compiler, rule: CheckedRule): Prepared => {
  const { plan } = compiler
  const group = compiler.group()
  const entries: ReadonlyArray<Watched> = rule.entries.map((of, index) => ({
    of,
    index,
    when: group.add(of.when),
    parts: of.parts.map((part) => [part, group.add(part.value)] as const),
    amounts: of.amounts.map((amount) => [amount, group.add(amount.value)] as const),
    held: true
  }))
  return {
    entries,
    ready: group.ready(),
    at: plan.field("at"),
    close: plan.field("close"),
    step: millisOf(rule.timeframe),
    warmups: group.warmups(),
    progress: { readyRow: undefined }
  }
}

/** The alerts of the newest rows. */
const find = (plan: Plan, prepared: Prepared, rows: number): ReadonlyArray<RuleAlert> => {
  const { entries, progress, ready } = prepared
  const to = plan.rows()
  for (let row = to - rows; progress.readyRow === undefined && row < to; row++)
    if (at(ready.ring, row) === 1) progress.readyRow = row
  if (progress.readyRow === undefined) return []
  const found = entries.flatMap((entry) =>
    risesOf(entry, ready, to - rows, to).map((row) => [row, entry] as const)
  )
  if (found.length > 1) found.sort(([one], [other]) => one - other)
  return found.map(([row, entry]) =>
    alertOf(entry, row, {
      at: at(prepared.at.ring, row) + prepared.step,
      close: at(prepared.close.ring, row)
    })
  )
}

/** The rows at which a condition is true and was not before. */
const risesOf = (entry: Watched, ready: Series, from: number, to: number): ReadonlyArray<number> => {
  const rows: Array<number> = []
  let { held } = entry
  for (let row = from; row < to; row++) {
    if (at(ready.ring, row) !== 1) continue
    const holds = at(entry.when.ring, row) === 1
    if (holds && !held) rows.push(row)
    held = holds
  }
  entry.held = held
  return rows
}

const OPENING: ReadonlySet<AlertType> = new Set(["buy", "long", "short"] as const)

const alertOf = (
  { amounts, index, of, parts }: Watched,
  row: number,
  candle: { readonly at: number; readonly close: number }
): RuleAlert => {
  const given = new Map<string, number>()
  const missing: Array<string> = []
  for (const [{ field }, series] of amounts) {
    const value = at(series.ring, row)
    if (isValue(value)) given.set(field, value)
    else missing.push(field)
  }
  const values = parts.map(([{ text }, series]) => {
    const value = at(series.ring, row)
    return isValue(value) ? { text, value } : { text }
  })
  const { type } = of.entry
  const withheld = missing.length > 0 && OPENING.has(type)
  return { entry: index, type, ...candle, values, amounts: given, missing, withheld }
}
