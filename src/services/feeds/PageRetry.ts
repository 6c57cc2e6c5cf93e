// Asks for pages until they come: waits as long as the exchange says, and gives up after several failures in a row.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type CandleSeries, seriesText } from "../../domain/candles/CandleSeries.ts"
import type { PageFailed } from "./CandlePages.ts"
import type { Gap } from "./CandleWindow.ts"

/** What a download tells while it runs: candles done of all, or a pause of `ms` and its reason. */
export type DownloadNews =
  | { readonly _tag: "Progress"; readonly done: number; readonly total: number }
  | { readonly _tag: "Waiting"; readonly reason: string; readonly ms: number }

/** Called with the news of a download. */
export type Heard = (news: DownloadNews) => void

/** A download ended before its time. What was stored stays, and the next download goes on from there. */
export class DownloadStopped extends Data.TaggedError("DownloadStopped")<{
  readonly series: CandleSeries
  readonly reason: string
  readonly isLasting: boolean
}> {
  override get message() {
    const { isLasting, reason, series } = this
    const advice = isLasting ? "" : "; what came is stored, and the same download goes on from there"
    return `the download of ${seriesText(series)} stopped: ${reason}${advice}`
  }
}

/** The most failures in a row, and the most pauses in a row that an exchange may ask for. */
const MOST_FAILURES = 6
const MOST_PAUSES = 20
/** The first wait after a failure (ms), which doubles with each, and the longest wait of any sort. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 600_000

/** Asks for pages of any series; failures that may pass are tried again. */
export const pageAsker =
  <Row>({ page }: Pages<Row>, heard: Heard) =>
  (series: CandleSeries, { from, until }: Gap) => {
    const stopped = (reason: string, isLasting: boolean) =>
      Effect.fail(new DownloadStopped({ series, reason, isLasting }))
    const attempt = (failures: number, pauses: number): Effect.Effect<ReadonlyArray<Row>, DownloadStopped> =>
      Effect.catchAll(page(series, from, until), ({ kind, pauseMs, reason }: PageFailed) => {
        const isLimit = kind === "limit"
        if (kind === "lasting") return stopped(reason, true)
        if (isLimit ? pauses >= MOST_PAUSES : failures >= MOST_FAILURES) return stopped(reason, false)
        const ms = Math.min(Math.max(pauseMs, FIRST_WAIT_MS * 2 ** failures), LONGEST_WAIT_MS)
        heard({ _tag: "Waiting", reason, ms })
        const next = Effect.suspend(() => attempt(failures + (isLimit ? 0 : 1), pauses + (isLimit ? 1 : 0)))
        return Effect.zipRight(Effect.sleep(ms), next)
      })
    return attempt(0, 0)
  }

/** What serves pages of a series: rows of a stretch of time (ms). */
interface Pages<Row> {
  readonly page: (
    series: CandleSeries,
    from: number,
    until: number
  ) => Effect.Effect<ReadonlyArray<Row>, PageFailed>
}
