// What the page says of stored candles and of their download. Pure.
import * as Format from "../parts/format.ts"
import type { Answer } from "../wire.ts"

export type Stored = Answer<"candles", "list">["data"][number]
export type Download = NonNullable<Answer<"candles", "download">["download"]>
type Series = Pick<Stored, "exchange" | "pair" | "kind" | "timeframe">

/** The name of a series: `BTC/USDT on binance, 1m`. */
export const nameOf = ({ exchange, kind, pair, timeframe }: Series): string =>
  `${pair}${kind === "swap" ? " perpetual" : ""} on ${exchange}, ${timeframe}`

/** The text that tells a series from others. */
export const keyOf = ({ exchange, kind, pair, timeframe }: Series): string =>
  `${exchange}:${pair}:${kind}:${timeframe}`

/** How far a download is: the share, the numbers, and the time left. */
export const progressText = ({ done, left_seconds: left, total }: Download): string => {
  if (total === 0) return "Asking the exchange…"
  const share = `${Math.floor((done / total) * 100)} %`
  const numbers = `${Format.count(done)} of ${Format.counted(total, "candle")}`
  return `${share}: ${numbers}${left === null ? "" : `, about ${Format.duration(Math.max(1, left))} left`}`
}

/** The result of a download in sentences. */
export const resultText = (download: Download): string => {
  const { exchange, result } = download
  if (result === null) return ""
  const { candles_fetched, days_fetched, days_kept, listed_from, missing } = result
  const parts = [
    days_fetched === 0
      ? `Nothing to fetch: all ${Format.counted(days_kept, "day")} are stored.`
      : `${Format.counted(candles_fetched, "candle")} of ${Format.counted(days_fetched, "day")} fetched${days_kept === 0 ? "." : `; ${Format.counted(days_kept, "day")} ${days_kept === 1 ? "was" : "were"} stored already.`}`
  ]
  if (listed_from !== null)
    parts.push(`${exchange} has none before ${Format.utcDay(utcDayOf(listed_from + 86_400))}.`)
  if (missing > 0)
    parts.push(
      `${Format.counted(missing, "candle")} ${missing === 1 ? "is" : "are"} missing at the exchange itself.`
    )
  return parts.join(" ")
}

/** The UTC day of a time (seconds) as `2026-11-05`. */
export const utcDayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** A hole in words: its times in UTC, the number of candles, and whether the exchange has them. */
export const holeText = ({ candles, from, known, to }: Stored["holes"][number]): string => {
  const times = from === to ? minute(from) : `${minute(from)} to ${minute(to)}`
  const why = known ? "the exchange has none" : "not downloaded"
  return `${times}: ${Format.counted(candles, "candle")}, ${why}`
}

const minute = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")
