// The data of a rule's chart, made from the server's response. Pure.
import type { Bar, Drawing, Marker, Series, Tone } from "../../parts/drawing.ts"
import * as Format from "../../parts/format.ts"
import type { Answer } from "../../wire.ts"

export type RuleChart = Answer<"rules", "chart">
type Fire = RuleChart["fires"][number]
export type Present = RuleChart["entries"][number]
export type Market = RuleChart["market"]

/** The panels below the prices, at most; lines of further scales share the last. */
const MOST_PANES = 3
/** With more places than this the labels would overlap, so they are left out. */
const MOST_LABELS = 30
/** The colours of lines, in turn. Prices of the alert are quiet. */
const TONES: ReadonlyArray<Tone> = ["accent", "warn", "violet", "teal"]

/** The name of a market: `BTC/USDT on binance`. */
export const marketName = ({ exchange, kind, pair }: Market): string =>
  `${pair}${kind === "swap" ? " perpetual" : ""} on ${exchange}`

/** The scales that have a panel of their own, in the sequence of the panels. */
const panesOf = ({ lines }: RuleChart): ReadonlyArray<string> =>
  [...new Set(lines.map(({ scale }) => scale))].filter((scale) => scale !== "price")

/** The height of the chart in pixels: its prices, and its panels below. */
export const heightOf = (chart: RuleChart): number => 320 + 110 * Math.min(MOST_PANES, panesOf(chart).length)

/** The start of the candle under way, if there is one. */
const barsOf = ({ candles, forming }: RuleChart): ReadonlyArray<Bar> =>
  [...candles, ...(forming === null ? [] : [forming])].map(([time, open, high, low, close]) => ({
    ...{ time, open, high, low, close }
  }))

/** The candles with the lines of the rule: prices among the candles, everything else in panels below. */
export const seriesOf = (chart: RuleChart): ReadonlyArray<Series> => {
  const bars = barsOf(chart)
  const panes = panesOf(chart)
  return [
    { kind: "candles", bars },
    ...chart.lines.map(
      ({ is_target, scale, text, values }, index): Series => ({
        kind: "line",
        title: text,
        tone: is_target ? "quiet" : (TONES[index % TONES.length] ?? "accent"),
        pane: Math.min(MOST_PANES, panes.indexOf(scale) + 1),
        points: values.flatMap((value, row) => {
          const time = bars[row]?.time
          return value === null || time === undefined ? [] : [{ time, value }]
        })
      })
    )
  ]
}

const BUYS: ReadonlySet<Fire["type"]> = new Set(["buy", "long", "close_short"] as const)

/** The places where the rule fires. */
export const marksOf = ({ fires }: RuleChart): ReadonlyArray<Marker> =>
  fires.map(({ candle, type, withheld }) => {
    const isUp = BUYS.has(type)
    return {
      time: candle,
      side: isUp ? "below" : "above",
      shape: isUp ? "up" : "down",
      tone: withheld ? "quiet" : isUp ? "good" : "bad",
      text: fires.length > MOST_LABELS ? "" : Format.words(type)
    }
  })

/** What the rule says at each candle at which it fires. */
export const notesOf = ({ fires }: RuleChart): Drawing["notes"] => {
  const notes = new Map<number, ReadonlyArray<string>>()
  for (const fire of fires) notes.set(fire.candle, [...(notes.get(fire.candle) ?? []), noteOf(fire)])
  return notes
}

const noteOf = ({ by, missing, type, values, withheld }: Fire): string => {
  const reasons = values.map(({ text, value }) => `${text} ${valueText(value)}`).join(", ")
  const ending = withheld ? `; withheld, since ${missing.join(" and ")} had no value` : ""
  return `Rule fires: ${type.replace("_", " ")} by ${by} (${reasons})${ending}`
}

/** A number of a rule, or a dash where it has no value. */
export const valueText = (value: number | null): string => (value === null ? "–" : Format.price(value))

/** What is to be known of the chart, in sentences. */
export const remarksOf = (chart: RuleChart): ReadonlyArray<string> => {
  const { candles, fires, needs, ready_at, source, timeframe } = chart
  if (candles.length === 0) return []
  const fired =
    fires.length === 0
      ? "The rule fires nowhere here."
      : `The rule fires ${Format.counted(fires.length, "time")} here, at the close of the marked candles.`
  const remarks = [
    `${SOURCES[source]}, ${source === "exchange" ? "of" : "joined into"} ${timeframe}. ${fired}`
  ]
  const [first] = candles[0] ?? []
  if (ready_at === null)
    remarks.push(`The rule is not warm yet: it needs ${needsText(needs)}, and nothing is raised before.`)
  else if (first !== undefined && ready_at > first)
    remarks.push(`It is warm from ${Format.time(ready_at)} on: it needs ${needsText(needs)}.`)
  return remarks
}

const SOURCES: Readonly<Record<RuleChart["source"], string>> = {
  recorded: "Recorded and downloaded candles",
  replay: "Prices of the replay up to now",
  live: "This server's prices since it started",
  exchange: "The exchange's candles, since too few are stored here",
  none: "No candles"
}

/** The candles that must have come before: `154 candles of 1h`. */
export const needsText = (needs: RuleChart["needs"]): string =>
  needs
    .map(({ anchored, candles, timeframe }) =>
      anchored
        ? `all candles of ${timeframe} since its anchor`
        : `${Format.count(candles)} candles of ${timeframe}`
    )
    .join(" and ")
