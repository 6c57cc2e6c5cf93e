// The data of a strategy's price chart, made from the server's responses. Pure.
import type { Bar, Level as Line, Marker } from "../parts/drawing.ts"
import * as Format from "../parts/format.ts"
import type { Answer } from "../wire.ts"
import { type Board, exitTitle, levelName, levelTone, type Position } from "./board.ts"

export type Prices = Answer<"dashboard", "chart">
type Mark = Prices["markers"][number]

/** With more fills than this the labels would overlap, so they are left out. */
const MOST_LABELS = 30

export interface Market {
  readonly exchange: Position["exchange"]
  readonly pair: string
  readonly kind: Position["kind"]
}
export const keyOf = ({ exchange, kind, pair }: Market): string => `${exchange}:${pair}:${kind}`

/** The markets to choose from: those with positions or waiting entries first, then the listed ones. */
export const marketsOf = ({
  armed,
  positions,
  strategy
}: Pick<Board, "armed" | "positions" | "strategy">): ReadonlyArray<Market> => {
  const listed = strategy.exchanges.flatMap(({ coin_pairs, exchange_name }) =>
    coin_pairs.map((pair) => ({ exchange: exchange_name, pair, kind: "spot" }) as const)
  )
  const all = [...positions, ...armed, ...listed].map(({ exchange, kind, pair }) => ({
    exchange,
    kind,
    pair
  }))
  return all.filter((it, index) => all.findIndex((other) => keyOf(other) === keyOf(it)) === index)
}

export const barsOf = ({ candles }: Prices): ReadonlyArray<Bar> =>
  candles.map(([time, open, high, low, close]) => ({ time, open, high, low, close }))

/** The fills of each candle, in words. */
export const notesOf = ({ candles, markers }: Prices): ReadonlyMap<number, ReadonlyArray<string>> => {
  const times = candles.map(([time]) => time)
  const notes = new Map<number, ReadonlyArray<string>>()
  for (const mark of markers) {
    const time = candleAt(times, mark.at)
    if (time !== undefined) notes.set(time, [...(notes.get(time) ?? []), wordsOf(mark)])
  }
  return notes
}

/** "Entry: bought 0.01 at 61,230.00". */
const wordsOf = (mark: Mark): string =>
  `${looks(mark).text ?? "Fill"}: ${mark.side === "buy" ? "bought" : "sold"} ${Format.amount(mark.quantity)} at ${Format.price(mark.price)}`

/** Fills as markers on their candles. */
export const marksOf = ({ candles, markers }: Prices): ReadonlyArray<Marker> => {
  const times = candles.map(([time]) => time)
  const isLabelled = markers.length <= MOST_LABELS
  return markers.flatMap((mark) => {
    const time = candleAt(times, mark.at)
    return time === undefined ? [] : [{ ...looks(mark), time, ...(isLabelled ? {} : { text: "" }) }]
  })
}

const looks = (mark: Mark): Omit<Marker, "time"> => {
  const buys = mark.side === "buy"
  const side = buys ? "below" : "above"
  const shape = buys ? "up" : "down"
  const why = mark.exit_reason === null ? "Exit" : exitTitle(mark.exit_reason)
  const tone = isLoss(mark.exit_reason) ? "bad" : "good"
  switch (mark.role) {
    case "open":
      return { side, shape, tone: "accent", text: "Entry" }
    case "turn":
      return { side, shape, tone: "accent", text: buys ? "Turned long" : "Turned short" }
    case "add":
      return { side, shape: "circle", tone: "accent", text: "Added" }
    case "average":
      return { side, shape: "circle", tone: "accent", text: "DCA" }
    case "part":
      return { side, shape: "square", tone, text: `Part: ${why.toLowerCase()}` }
    case "close":
      return { side, shape, tone, text: why }
  }
}

const isLoss = (reason: Mark["exit_reason"]): boolean =>
  reason === "stop_loss" || reason === "sl" || reason === "liquidation" || reason === "balance_stop_loss"

/** The start of the candle that contains a time; undefined before the first. */
const candleAt = (times: ReadonlyArray<number>, at: number): number | undefined => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return times[low - 1]
}

/** The price levels of a market: average prices, and what each rule waits for. */
export const linesOf = (
  { armed, positions }: Pick<Board, "armed" | "positions">,
  market: Market
): ReadonlyArray<Line> => [
  ...positions
    .filter((it) => keyOf(it) === keyOf(market))
    .flatMap((position) => [
      { price: position.average, title: "Average", tone: "quiet" } as const,
      ...position.levels.map((level) => ({
        price: level.price,
        title: levelName(level),
        tone: levelTone(level.rule)
      })),
      ...breakEvenLine(position)
    ]),
  ...armed
    .filter((it) => keyOf(it) === keyOf(market))
    .map(
      ({ level, side }) =>
        ({ price: level, title: side === "long" ? "Buys" : "Sells short", tone: "accent" }) as const
    )
]

/** Where the stop moves once enough steps are done; a stop there already is a level of its own. */
const breakEvenLine = ({ break_even }: Position): ReadonlyArray<Line> =>
  break_even === null || break_even.is_armed || !(break_even.price > 0)
    ? []
    : [{ price: break_even.price, title: "Break even", tone: "quiet" }]

const SOURCES: Readonly<Record<Prices["source"], string>> = {
  recorded: "Recorded candles",
  replay: "Prices of the replay up to now",
  live: "This server's prices since it started",
  none: "No prices"
}

/** The candles' source and interval. */
export const sourceText = ({ candles, interval_seconds, markers, markers_total, source }: Prices): string => {
  const fills =
    markers_total > markers.length
      ? ` The latest ${markers.length} of ${markers_total} fills are marked.`
      : ""
  return candles.length === 0 ? "" : `${SOURCES[source]}, one candle for ${span(interval_seconds)}.${fills}`
}

const span = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}
