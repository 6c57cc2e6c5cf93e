// A rule as the form holds it: texts, so that nothing that is typed is lost.
import { timeframeOf } from "../../../../domain/candles/Timeframe.ts"
import type { Answer } from "../../wire.ts"
import { TYPES } from "../alert.ts"

export type Rule = NonNullable<Answer<"records", "signal">["rule"]>
type Entry = Rule["on"][number]
type Time = NonNullable<Rule["schedule"]>[number]

/** The texts of an entry; `steps` are the lines of a ladder of targets, `50 % at close + atr(14)`. */
export interface EntryDraft {
  readonly key: number
  readonly type: Entry["type"]
  readonly when: string
  readonly sl: string
  readonly tp: string
  readonly size: string
  readonly part: string
  readonly steps: string
  readonly reverse: "" | "yes" | "no"
}

/** The texts of a rule. */
export interface RuleDraft {
  readonly markets: string
  readonly timeframe: Rule["timeframe"]
  readonly params: string
  readonly entries: ReadonlyArray<EntryDraft>
  readonly times: string
  /** Empty where the rule raises its alerts itself; `seconds` is how long an alert from outside is awaited. */
  readonly witness: "" | NonNullable<Rule["witness"]>
  readonly seconds: string
}

const textOf = (amount: number | string | undefined): string => (amount === undefined ? "" : String(amount))

/** The texts of a rule. */
export const draftOf = ({
  markets,
  on,
  params = {},
  schedule = [],
  timeframe,
  ...rest
}: Rule): RuleDraft => ({
  markets: markets
    .map(({ exchange, kind, pairs }) => [exchange, ...(kind === "swap" ? ["swap"] : []), ...pairs].join(" "))
    .join("\n"),
  timeframe,
  params: Object.entries(params)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", "),
  entries: on.map(({ buy_percentage, close_percent, reverse, sl, tp, tps = [], type, when }, key) => ({
    ...{ key, type, when, sl: textOf(sl), tp: textOf(tp) },
    ...{ size: textOf(buy_percentage), part: textOf(close_percent) },
    steps: tps.map(({ percent, price }) => `${percent} % at ${lineOf(price)}`).join("\n"),
    reverse: reverse === undefined ? "" : reverse ? "yes" : "no"
  })),
  times: schedule.map(({ cron, timezone, type }) => `${type} ${cron} ${timezone}`).join("\n"),
  witness: rest.witness ?? "",
  seconds: textOf(rest.witness_seconds)
})

/** An entry to fill in. */
export const blankEntry = (key: number, type: Entry["type"] = "buy"): EntryDraft => ({
  ...{ key, type, when: "", sl: "", tp: "", size: "", part: "" },
  ...{ steps: "", reverse: "" }
})

/** The rule of the texts. The server says what is wrong with it. */
export const ruleOf = ({ entries, markets, params, times, timeframe, ...rest }: RuleDraft): Rule => ({
  markets: linesOf(markets).map(([exchange = "", ...words]) => ({
    exchange,
    kind: words[0] === "swap" ? "swap" : "spot",
    pairs: words.filter((word) => word !== "swap" && word !== "spot").map((word) => word.toUpperCase())
  })),
  timeframe,
  params: paramsOf(params),
  on: entries.map(({ part, reverse, size, sl, steps, tp, type, when }) => ({
    ...{ type, when },
    ...(sl.trim() === "" ? {} : { sl }),
    ...(tp.trim() === "" ? {} : { tp }),
    ...(size.trim() === "" ? {} : { buy_percentage: size }),
    ...(part.trim() === "" ? {} : { close_percent: part }),
    ...(steps.trim() === "" ? {} : { tps: stepsOf(steps) }),
    ...(reverse === "" ? {} : { reverse: reverse === "yes" })
  })),
  schedule: linesOf(times).map(timeOf),
  ...(rest.witness === "" ? {} : { witness: rest.witness }),
  ...(rest.witness === "" || rest.seconds.trim() === "" ? {} : { witness_seconds: secondsOf(rest.seconds) })
})

/** Seconds to wait. What is no number is 0, which the server refuses; NaN would be null in JSON, and the default. */
const secondsOf = (text: string): number => {
  const seconds = Number(text)
  return Number.isFinite(seconds) ? seconds : 0
}

/** An expression on one line. */
const lineOf = (price: number | string): string => String(price).replace(/\s+/g, " ").trim()

/** Steps of a ladder, one a line. What is no step has no number for its part, which the server refuses. */
export const stepsOf = (text: string): NonNullable<Entry["tps"]> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [, percent = "", price = line] = /^([\d.]+)\s*%?\s+at\s+(.+)$/i.exec(line) ?? []
      return { price, percent: percent === "" ? Number.NaN : Number(percent) }
    })

/** The words of each line that has any. */
const linesOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split("\n")
    .map((line) => line.split(/[\s,;]+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0)

/** `buy 0 9 * * 1 UTC`: a type, five fields of cron and a time zone, which is UTC if it is left out. */
const timeOf = ([first = "", ...words]: ReadonlyArray<string>): Time => {
  const type = TYPES.find((it) => it === first)
  // The whole line is no cron line, so the server refuses it.
  if (type === undefined || words.length > 6)
    return { type: "buy", cron: [first, ...words, "?"].join(" "), timezone: "UTC" }
  return { type, cron: words.slice(0, 5).join(" "), timezone: words[5] ?? "UTC" }
}

/** `fast = 9, slow = 21`; what is no number is NaN, which the server refuses. */
export const paramsOf = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text
      .split(/[,;\n]/)
      .filter((part) => part.trim() !== "")
      .map((part) => {
        const [name = "", value = ""] = part.split("=").map((it) => it.trim())
        return [name, value === "" ? Number.NaN : Number(value)] as const
      })
  )

/** The timeframe of a choice. */
export const timeframeFrom = (text: string, present: Rule["timeframe"]): Rule["timeframe"] =>
  timeframeOf(text) ?? present
