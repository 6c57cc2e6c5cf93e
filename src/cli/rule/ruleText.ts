// A rule in words, and its errors with a caret below the column.
import * as Expression from "../../domain/signalRule/Expression.ts"
import type { RuleError } from "../../domain/signalRule/RuleError.ts"
import type { ReadRule } from "../../domain/signalRule/RuleReading.ts"
import type { CheckedEntry } from "../../domain/signalRule/SignalRule.ts"
import type { Witness } from "../../domain/signalRule/Witness.ts"
import * as Warmups from "../../trading/signalRule/Warmups.ts"
import { plain } from "../program/table.ts"
import { textAt } from "./RuleFile.ts"

/** An entry as it is reported. */
export interface EntryReport {
  readonly type: string
  readonly when: string
  readonly amounts: Readonly<Record<string, string>>
  readonly warmups: ReadonlyArray<Warmups.Warmup>
}

/** The entries of a rule in words. */
export const entriesOf = ({ checked }: ReadRule): ReadonlyArray<EntryReport> =>
  checked.entries.map(({ amounts, entry, when }: CheckedEntry) => ({
    type: entry.type,
    when: Expression.describe(when),
    amounts: Object.fromEntries(
      amounts.map(({ field, value }) => [NAMES[field] ?? field, Expression.describe(value)])
    ),
    warmups: Warmups.warmupsOf([when, ...amounts.map(({ value }) => value)], checked.timeframe)
  }))

/** Amounts by their names in a rule. */
const NAMES: Readonly<Record<string, string>> = {
  closePercent: "close_percent",
  buyPercentage: "buy_percentage"
}

/** The whole rule as text. */
export const textOf = (read: ReadRule): string => {
  const { markets, schedule, timeframe, witness } = read.rule
  const names = markets.map(
    ({ exchange, kind, pair }) => `${exchange} ${pair}${kind === "swap" ? " perpetual" : ""}`
  )
  const more = names.length > MOST_MARKETS ? ` and ${names.length - MOST_MARKETS} more` : ""
  return [
    `Each closed ${timeframe} candle of ${names.slice(0, MOST_MARKETS).join(", ")}${more}:`,
    ...entriesOf(read).flatMap(({ amounts, type, warmups, when }, index) => [
      "",
      `on[${index}]  ${type} when ${when}`,
      ...Object.entries(amounts).map(([field, words]) => `       ${field}: ${words}`),
      `       needs ${Warmups.inWords(warmups)} before it counts`
    ]),
    ...(schedule.length === 0 ? [] : [""]),
    ...schedule.map(
      ({ cron, timezone, type }, index) => `schedule[${index}]  ${type} at ${cron} (${timezone})`
    ),
    ...(witness === undefined ? [] : ["", witnessText(witness)])
  ].join("\n")
}

const witnessText = ({ mode, seconds }: Witness): string =>
  `witness: ${mode}. Where the same alert does not come from outside within ${seconds} s, ${
    mode === "tell" ? "you get a message, and nothing is raised" : "it is raised"
  }`

/** The most markets that are named. */
const MOST_MARKETS = 5
/** The most characters that are shown on either side of a column. */
const AROUND = 60

/** An error with the line of the expression where it is. */
export const errorText = (value: unknown, { column, field, text }: RuleError): string => {
  const sentence = `${plain(field)}${column === undefined ? "" : `, column ${column}`}${field === "" ? "it " : ": "}${plain(text)}`
  const written = textAt(value, field)
  if (column === undefined || written === undefined) return sentence
  const start = written.lastIndexOf("\n", column - 2) + 1
  const from = Math.max(start, column - 1 - AROUND)
  const [line = ""] = written.slice(from, column - 1 + AROUND).split("\n")
  return `${sentence}\n    ${plain(line)}\n    ${" ".repeat(column - 1 - from)}^`
}
