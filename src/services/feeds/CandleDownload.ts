// The use case of a download: fetches the days of a series that are not stored yet, oldest first, and stores each day
// whole. A download that is cut off goes on where it stopped.
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Hole, holesIn } from "../../domain/candles/CandleHoles.ts"
import { type CandleDays, MAX_DAYS } from "../../domain/candles/CandleRequest.ts"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import {
  type CandleSeries,
  closedUntil,
  DAY_MS,
  dayOf,
  dayText,
  seriesText
} from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { CandlePages, type PageLimits } from "./CandlePages.ts"
import { CandleStore } from "./CandleStore.ts"
import { fetchWindow, type Gap } from "./CandleWindow.ts"
import { type Heard, pageAsker } from "./PageRetry.ts"

/** What to download: whole UTC days from `from` on and before `until` (both the start of a day, ms). */
export type DownloadRequest = CandleDays

/** Why nothing is downloaded; the message says what to do instead. */
export class DownloadRefused extends Data.TaggedError("DownloadRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** The result of a download. Times in ms. */
export interface Downloaded {
  /** The days that were fetched now, and those that were there already. */
  readonly fetched: number
  readonly kept: number
  /** Candles that were fetched now. */
  readonly candles: number
  /** The first day that the exchange has, if that is later than asked. */
  readonly listed: number | undefined
  /** The end of what was asked for: the newest candle may still be running. */
  readonly until: number
  /** What is missing at the exchange. */
  readonly holes: ReadonlyArray<Hole>
}

/** Downloads candles. `heard` is called with the progress, and with the pauses that the exchange wants. */
export const download = Effect.fn("CandleDownload.download")(function* (
  request: DownloadRequest,
  heard: Heard
) {
  const { from, series, until } = request
  const pages = yield* CandlePages
  const store = yield* CandleStore
  const now = yield* Clock.currentTimeMillis
  const span = millisOf(series.timeframe)
  const end = Math.min(until, closedUntil(series.timeframe, now))
  const limits = yield* Either.mapLeft(pages.limits(series), (reason) => new DownloadRefused({ reason }))
  const conditions = { limits, now, end }
  const refusal = refusalOf(request, conditions)
  if (refusal !== undefined) return yield* new DownloadRefused({ reason: refusal })

  const known = yield* store.days(series)
  const days = Arr.makeBy(Math.ceil((end - from) / DAY_MS), (index) => from + index * DAY_MS)
  const wanted = days.filter((day) => (known.get(day) ?? 0) < Math.min(day + DAY_MS, end))
  const kept = days.length - wanted.length
  const ask = pageAsker(pages, heard)
  const listed = yield* listingOf(request, wanted[0], conditions, ask)
  const open = wanted.filter((day) => day >= (listed ?? from))
  let candles = 0
  for (const run of runsOf(open)) {
    const fill = dayFiller(run.from, Math.min(run.until, end))
    for (let start = run.from; start < Math.min(run.until, end); start += limits.rows * span) {
      const window: Gap = { from: start, until: Math.min(start + limits.rows * span, run.until, end) }
      const rows = yield* fetchWindow(window, span, (gap) => ask(series, gap))
      candles += rows.length
      for (const day of fill(rows, window.until)) yield* store.put(series, day)
      const done = open.filter((day) => day < run.from).length * DAY_MS + window.until - run.from
      heard({ _tag: "Progress", done: done / span, total: (open.length * DAY_MS) / span })
    }
  }
  const begin = Math.max(from, listed ?? from)
  const holes = holesIn(
    yield* store.read(series, begin, end),
    { from: begin, until: end, span },
    yield* store.days(series)
  )
  return { fetched: open.length, kept, candles, listed, until: end, holes } satisfies Downloaded
})

interface Conditions {
  readonly limits: PageLimits
  readonly now: number
  readonly end: number
}

/** Why a request cannot be met; undefined if it can. */
const refusalOf = ({ from, series, until }: DownloadRequest, { end, limits, now }: Conditions) => {
  const { exchange, timeframe } = series
  if (end <= from) return `there are no finished ${seriesText(series)} from ${dayText(from)} on yet`
  if (until - from > MAX_DAYS * DAY_MS)
    return `a download takes at most ${MAX_DAYS} days: choose a later --from`
  const { newest } = limits
  if (newest === undefined || from >= end - newest * millisOf(timeframe)) return undefined
  const reaches = limits.timeframes.flatMap((other) => {
    const reach = closedUntil(other, now) - newest * millisOf(other)
    const first = Math.ceil(reach / DAY_MS) * DAY_MS
    return first < now ? [`${other} from ${dayText(first)} on`] : []
  })
  return `${exchange} serves only the newest ${newest} candles of a timeframe, so there are no ${timeframe} candles from ${dayText(from)} on: it has ${reaches.join(", ")}; shorter ones are had by recording them as they come (signalbox serve)`
}

/** For no more days than this it is not worth to look when a market was listed. */
const FEW_DAYS = 2

/**
 * The day before the first daily candle, if it is later than the first wanted day: nothing is older. One request for
 * each page of daily candles saves one for each window before the listing. Without any daily candle nothing is concluded.
 */
const listingOf = Effect.fnUntraced(function* (
  { from, series }: DownloadRequest,
  first: number | undefined,
  { end, limits }: Conditions,
  ask: ReturnType<typeof pageAsker<ExactCandle>>
) {
  if (first === undefined || end - from <= FEW_DAYS * DAY_MS || !limits.timeframes.includes("1d"))
    return undefined
  const daily: CandleSeries = { ...series, timeframe: "1d" }
  const last = dayOf(end)
  for (let start = first; start < last; start += limits.rows * DAY_MS) {
    const window = { from: start, until: Math.min(start + limits.rows * DAY_MS, last) }
    const [row] = yield* fetchWindow(window, DAY_MS, (gap) => ask(daily, gap))
    if (row !== undefined) return row.at - DAY_MS > first ? row.at - DAY_MS : undefined
  }
  return undefined
})

/** Stretches of days that follow each other. */
const runsOf = (days: ReadonlyArray<number>): ReadonlyArray<Gap> => {
  const runs: Array<Gap> = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last?.until === day) runs[runs.length - 1] = { ...last, until: day + DAY_MS }
    else runs.push({ from: day, until: day + DAY_MS })
  }
  return runs
}

/** Collects rows from a day on, and gives each day as soon as it is whole; the last one as far as `end` (ms). */
const dayFiller = (begin: number, end: number) => {
  let waiting: ReadonlyArray<ExactCandle> = []
  let day = begin
  return (rows: ReadonlyArray<ExactCandle>, until: number) => {
    waiting = [...waiting, ...rows]
    const whole = []
    for (; day < until; day += DAY_MS) {
      const next = day + DAY_MS
      if (until < next && until < end) break
      whole.push({ day, until: Math.min(next, until), candles: waiting.filter(({ at }) => at < next) })
      waiting = waiting.filter(({ at }) => at >= next)
    }
    return whole
  }
}
