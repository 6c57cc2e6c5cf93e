// The chart of a rule on one market: its candles, a line for each number that its conditions name, the candles at which
// it fires, and the values at the last closed candle and at the one under way.
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { type Scale, scaleOf } from "../../domain/expression/Scale.ts"
import type { Checked } from "../../domain/signalRule/Expression.ts"
import type { Amount, CheckedEntry, CheckedRule, RuleEntry } from "../../domain/signalRule/SignalRule.ts"
import type { Bar, Bars } from "../indicators/Plan.ts"
import { isValue } from "../indicators/Series.ts"
import { firstAt } from "../watch/Scan.ts"
import { columns } from "./Evaluate.ts"
import { type RuleAlert, warmupsOf } from "./RuleAlerts.ts"
import { type PresentCandles, rowsOf } from "./RuleCandles.ts"
import { anchoredUntil, anchorOf, isAnchored, raisedOver } from "./RuleHistory.ts"
import type { Warmup } from "./Warmups.ts"

/** A line of the chart: its value at each candle that is shown, the one under way included; NaN where there is none. */
export interface RuleLine {
  readonly text: string
  readonly scale: Scale
  /** Whether it is a price of the alert, such as its stop, and no part of a condition. */
  readonly isTarget: boolean
  readonly values: Float64Array
}

/** A number at the last closed candle, and at the one under way; absent where it has no value. */
export interface LiveValue {
  readonly text: string
  readonly closed: number | undefined
  readonly forming: number | undefined
}

/** An entry of `on` at present: whether its condition holds, and the numbers that it names. */
export interface LiveEntry {
  readonly by: string
  readonly type: RuleEntry["type"]
  readonly when: string
  readonly holds: boolean
  /** Undefined while no candle is under way. */
  readonly holdsForming: boolean | undefined
  readonly values: ReadonlyArray<LiveValue>
}

/** A rule's chart. `readyAt` is the close of the first candle at which it is warmed up (ms). */
export interface RuleChart {
  readonly candles: Bars
  readonly forming: Bar | undefined
  readonly lines: ReadonlyArray<RuleLine>
  readonly fires: ReadonlyArray<RuleAlert>
  readonly entries: ReadonlyArray<LiveEntry>
  readonly readyAt: number | undefined
  readonly warmups: ReadonlyArray<Warmup>
}

/** The most lines of a chart. */
const MAX_LINES = 12

/** The chart of the last `shown` closed candles. */
export const chartOf = (rule: CheckedRule, { closed, forming }: PresentCandles, shown: number): RuleChart => {
  const first = Math.max(0, closed.length - shown)
  const step = millisOf(rule.timeframe)
  const raised =
    closed.length === 0 ? undefined : raisedOver([rule], closed, (closed.at[first] ?? 0) + step)[0]
  const numbers = rule.entries.map(numbersOf)
  const values = valuesOf(rule, numbers, { closed, forming }, first)
  const lines = [...new Map(numbers.flat().map((it) => [it.text, it])).values()]
    .filter(({ isDrawn }) => isDrawn)
    .slice(0, MAX_LINES)
  return {
    candles: rowsOf(closed, first, closed.length),
    forming,
    lines: lines.map(({ isTarget, text, value }) => ({
      ...{ text, isTarget, scale: scaleOf(value) },
      values: values.from(value, first)
    })),
    fires: raised?.alerts ?? [],
    entries: rule.entries.map((entry, index) => liveEntry(entry, index, numbers[index] ?? [], values)),
    readyAt: raised?.readyAt,
    warmups: warmupsOf(rule)
  }
}

/** A number of an entry: a part of its condition, or a price of its alert. */
interface Named {
  readonly text: string
  readonly value: Checked
  readonly isTarget: boolean
  /** Prices of the candle are there already, and numbers that never change say nothing. */
  readonly isDrawn: boolean
}

const numbersOf = ({ amounts, entry, parts }: CheckedEntry): ReadonlyArray<Named> => [
  ...parts.map(({ text, value }) => ({
    ...{ text, value, isTarget: false },
    isDrawn: value._tag !== "Price" || value.name === "volume"
  })),
  ...amounts.map(({ field, value }) => ({
    ...{ text: `${field}: ${textOf(entry, field)}`, value, isTarget: true },
    isDrawn: scaleOf(value) === "price"
  }))
]

const textOf = ({ buyPercentage, closePercent, sl, tp, tps = [] }: RuleEntry, field: string): string => {
  const amounts: Readonly<Record<string, Amount | undefined>> = { sl, tp, closePercent, buyPercentage }
  const step = /^tps\[(\d+)\]/.exec(field)?.[1]
  return String((step === undefined ? amounts[field] : tps[Number(step)]?.price) ?? "")
}

/** The values of expressions at every candle from a row on, the one under way last. */
interface Values {
  readonly isForming: boolean
  readonly at: (checked: Checked, which: "closed" | "forming") => number | undefined
  readonly from: (checked: Checked, first: number) => Float64Array
}

/** Rows that have one anchor, up to `until`: what they are computed from begins at `begin`. */
interface Stretch {
  readonly begin: number
  readonly until: number
  readonly columns: ReadonlyMap<Checked, Float64Array>
}

/** The stretches of rows from `first` on: what never forgets begins anew with each UTC year, as it does for a server. */
const stretchesOf = (
  rule: CheckedRule,
  wanted: ReadonlyArray<Checked>,
  all: Bars,
  first: number
): ReadonlyArray<Stretch> => {
  const isYearly = isAnchored(rule)
  const stretches: Array<Stretch> = []
  for (let row = first; row < all.length; ) {
    const at = all.at[row] ?? 0
    const begin = isYearly ? firstAt(all.at, anchorOf(at), 0) : 0
    const until = isYearly ? firstAt(all.at, anchoredUntil(at), row) : all.length
    const found = columns(wanted, rule.timeframe, rowsOf(all, begin, until))
    const known = wanted.map((checked, index) => [checked, found[index] ?? new Float64Array(0)] as const)
    stretches.push({ begin, until, columns: new Map(known) })
    row = until
  }
  return stretches
}

const valuesOf = (
  rule: CheckedRule,
  numbers: ReadonlyArray<ReadonlyArray<Named>>,
  { closed, forming }: PresentCandles,
  first: number
): Values => {
  const all = forming === undefined ? closed : withBar(closed, forming)
  const wanted = [...rule.entries.map(({ when }) => when), ...numbers.flat().map(({ value }) => value)]
  const stretches = stretchesOf(rule, wanted, all, first)
  const valueAt = (checked: Checked, row: number) => {
    const stretch = stretches.find(({ until }) => row < until)
    const value = stretch?.columns.get(checked)?.[row - stretch.begin]
    return value !== undefined && isValue(value) ? value : undefined
  }
  return {
    isForming: forming !== undefined,
    at: (checked, which) => {
      if (which === "closed") return closed.length === 0 ? undefined : valueAt(checked, closed.length - 1)
      return forming === undefined ? undefined : valueAt(checked, closed.length)
    },
    from: (checked, from) =>
      Float64Array.from({ length: all.length - from }, (_, row) => valueAt(checked, from + row) ?? Number.NaN)
  }
}

const liveEntry = (
  { entry, when }: CheckedEntry,
  index: number,
  numbers: ReadonlyArray<Named>,
  values: Values
): LiveEntry => ({
  by: `on[${index}]`,
  type: entry.type,
  when: entry.when,
  holds: values.at(when, "closed") === 1,
  holdsForming: values.isForming ? values.at(when, "forming") === 1 : undefined,
  values: numbers.map(({ text, value }) => ({
    text,
    closed: values.at(value, "closed"),
    forming: values.at(value, "forming")
  }))
})

const withBar = ({ at, close, high, length, low, open, volume }: Bars, bar: Bar): Bars => ({
  at: append(at, length, bar.at),
  open: append(open, length, bar.open),
  high: append(high, length, bar.high),
  low: append(low, length, bar.low),
  close: append(close, length, bar.close),
  volume: append(volume, length, bar.volume),
  length: length + 1
})

const append = (column: Float64Array, length: number, value: number): Float64Array => {
  const longer = new Float64Array(length + 1)
  longer.set(column.subarray(0, length))
  longer[length] = value
  return longer
}
