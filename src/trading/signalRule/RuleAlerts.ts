// The alerts that a rule raises over candles: where a condition is true and was not at the candle before. Live, in a
// replay and in a back-test the same function raises the same alerts.
import type { AlertType } from "../../domain/Alert.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { CheckedAmount, CheckedEntry, CheckedRule, Part } from "../../domain/signalRule/SignalRule.ts"
import { make as makeCompiler, type Warmup } from "../expressions/Compile.ts"
import { type Bar, type Bars, BLOCK } from "../indicators/Plan.ts"
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

/** A rule at work on one market. */
export interface RuleWatch {
  /** Takes the next closed candle, and gives the alerts that it raises, sorted by entry. */
  readonly push: (bar: Bar) => ReadonlyArray<RuleAlert>
  /** How many candles must have come before anything is raised. */
  readonly warmups: ReadonlyArray<Warmup>
}

/** A rule that takes candle by candle. What is true when it is warmed up raises nothing until it was false. */
export const watch = (rule: CheckedRule): RuleWatch => {
  const { compiler, find } = prepared(rule, 1)
  return {
    push: (bar) => {
      compiler.plan.push(bar)
      return find(1)
    },
    warmups: compiler.warmups()
  }
}

/** All alerts that a rule raises over candles, sorted by time and entry. */
export const alertsOf = (rule: CheckedRule, bars: Bars): ReadonlyArray<RuleAlert> => {
  const { compiler, find } = prepared(rule, BLOCK)
  const alerts: Array<RuleAlert> = []
  for (let from = 0; from < bars.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, bars.length)
    compiler.plan.take(bars, from, to)
    alerts.push(...find(to - from))
  }
  return alerts
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

const prepared = (rule: CheckedRule, block: number) => {
  const compiler = makeCompiler(rule.timeframe)
  const entries: ReadonlyArray<Watched> = rule.entries.map((of, index) => ({
    of,
    index,
    when: compiler.add(of.when),
    parts: of.parts.map((part) => [part, compiler.add(part.value)] as const),
    amounts: of.amounts.map((amount) => [amount, compiler.add(amount.value)] as const),
    held: true
  }))
  const ready = compiler.ready()
  const candle = { at: compiler.plan.field("at"), close: compiler.plan.field("close") }
  compiler.allocate(block)
  const step = millisOf(rule.timeframe)
  const raise = (entry: Watched, row: number): RuleAlert =>
    alertOf(entry, row, { at: at(candle.at.ring, row) + step, close: at(candle.close.ring, row) })
  /** The alerts of the newest rows. */
  const find = (rows: number): ReadonlyArray<RuleAlert> => {
    const to = compiler.plan.rows()
    const found = entries.flatMap((entry) =>
      risesOf(entry, ready, to - rows, to).map((row) => [row, entry] as const)
    )
    if (found.length > 1) found.sort(([one], [other]) => one - other)
    return found.map(([row, entry]) => raise(entry, row))
  }
  return { compiler, find }
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
