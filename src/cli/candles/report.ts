// What `signalbox candles` prints: the result of a download, and the list of what is stored. Times in JSON are seconds.
import { type Hole, missingIn } from "../../domain/candles/CandleHoles.ts"
import { type CandleSeries, DAY_MS, dayText, seriesText } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { Downloaded, DownloadRequest } from "../../services/feeds/CandleDownload.ts"
import type { Holding } from "../../services/feeds/CandleStore.ts"
import { columns, moment, size } from "../program/table.ts"

/** The most holes that are listed; all of them are counted. */
const MOST_HOLES = 100
const MOST_LINES = 10

/** What `candles list` says without candles. */
export const NOTHING =
  "No candles are stored yet: signalbox serve records those of watched markets, and signalbox candles download fetches past ones."

const named = ({ exchange, kind, pair, timeframe }: CandleSeries) => ({ exchange, pair, kind, timeframe })
const seconds = (ms: number): number => Math.floor(ms / 1000)

const holesOf = (holes: ReadonlyArray<Hole>, span: number) => ({
  missing: missingIn(holes, span),
  missing_at_exchange: missingIn(
    holes.filter(({ known }) => known),
    span
  ),
  holes: holes.slice(-MOST_HOLES).map((hole) => ({
    from: seconds(hole.from),
    to: seconds(hole.until - span),
    candles: missingIn([hole], span),
    known: hole.known
  })),
  more_holes: Math.max(holes.length - MOST_HOLES, 0)
})

/** The result of a download as JSON. */
export const downloadFacts = ({ from, series }: DownloadRequest, result: Downloaded) => {
  const span = millisOf(series.timeframe)
  return {
    ...named(series),
    from: seconds(result.listed ?? from),
    to: seconds(result.until - span),
    days_fetched: result.fetched,
    days_kept: result.kept,
    candles_fetched: result.candles,
    listed_from: result.listed === undefined ? null : seconds(result.listed),
    ...holesOf(result.holes, span)
  }
}

/** The result of a download in words. */
export const downloadText = (series: CandleSeries, result: Downloaded): string => {
  const span = millisOf(series.timeframe)
  const { candles, fetched, holes, kept, listed } = result
  const lines = [
    fetched === 0
      ? `Nothing to fetch: all ${counted(kept, "day")} of ${seriesText(series)} are stored.`
      : `${grouped(candles)} ${seriesText(series)} are stored: ${counted(fetched, "day")} fetched${kept === 0 ? "" : `, ${counted(kept, "day")} were there already`}.`
  ]
  if (listed !== undefined) lines.push(`${series.exchange} has none before ${dayText(listed + DAY_MS)}.`)
  const missing = missingIn(holes, span)
  if (missing === 0) lines.push("No candle is missing.")
  else {
    lines.push(
      `${counted(missing, "candle")} ${missing === 1 ? "is" : "are"} missing at the exchange (nobody traded, or it stood still), and will not be asked for again:`
    )
    for (const hole of holes.slice(0, MOST_LINES)) lines.push(`  ${holeText(hole, span)}`)
    if (holes.length > MOST_LINES) lines.push(`  and ${counted(holes.length - MOST_LINES, "more hole")}`)
  }
  return lines.join("\n")
}

const holeText = (hole: Hole, span: number): string => {
  const last = hole.until - span
  const range =
    hole.from === last
      ? moment(seconds(hole.from))
      : `${moment(seconds(hole.from))} to ${moment(seconds(last))}`
  return `${range} (${counted(missingIn([hole], span), "candle")})`
}

/** What is stored of a series as JSON. */
export const holdingFacts = (holding: Holding) => {
  const span = millisOf(holding.timeframe)
  return {
    ...named(holding),
    from: seconds(holding.from),
    to: seconds(holding.to),
    count: holding.count,
    bytes: holding.bytes,
    ...holesOf(holding.holes, span)
  }
}

/** What is stored, as a table. */
export const holdingsTable = (holdings: ReadonlyArray<Holding>): string =>
  columns(
    [
      "exchange",
      "pair",
      "kind",
      "timeframe",
      "from (UTC)",
      "to (UTC)",
      "candles",
      "missing",
      "holes",
      "size"
    ],
    holdings.map((holding) => [
      holding.exchange,
      holding.pair,
      holding.kind,
      holding.timeframe,
      moment(seconds(holding.from)),
      moment(seconds(holding.to)),
      grouped(holding.count),
      grouped(missingIn(holding.holes, millisOf(holding.timeframe))),
      grouped(holding.holes.length),
      size(holding.bytes)
    ])
  )

const grouped = (count: number): string => count.toLocaleString("en")
const counted = (count: number, word: string): string => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`
