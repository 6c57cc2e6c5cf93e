// The routes of stored candles. Every account may list them; only the operator may download and remove, and sees the
// download.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Api } from "../../api/Api.ts"
import type { CandleDownload } from "../../api/candles/Candles.ts"
import * as CandleRequest from "../../domain/candles/CandleRequest.ts"
import { DAY_MS } from "../../domain/candles/CandleSeries.ts"
import { Accounts } from "../../services/Accounts.ts"
import { CandleLibrary, type DownloadState } from "../../services/feeds/CandleLibrary.ts"
import { operatorOnly } from "../access/operatorOnly.ts"
import { refuse } from "../Problems.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import { CurrentRequest } from "../request/Request.ts"

/** The most series of an answer. */
const MOST_SERIES = 500
/** How long the connection may be quiet while the disk is read (s). */
const QUIET_SECONDS = 70
/** A guess at the time left is worth nothing before (ms). */
const GUESS_AFTER_MS = 1_000

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** The download at a time (ms), with a guess at the time left. */
const downloadView = (state: DownloadState, now: number): CandleDownload => {
  const { began, done, ended, request, stage, total } = state
  const { exchange, kind, pair, timeframe } = request.series
  const isGuessed = stage === "running" && done > 0 && total > 0 && now - began >= GUESS_AFTER_MS
  return {
    ...{ exchange, pair, kind, timeframe, stage, done, total },
    from: seconds(request.from),
    to: seconds(request.until - DAY_MS),
    began: seconds(began),
    ended: ended === undefined ? null : seconds(ended),
    left_seconds: isGuessed ? Math.max(0, Math.round(((now - began) * (total / done - 1)) / 1000)) : null,
    waiting: state.waiting ?? null,
    failure: state.failure ?? null,
    result: state.result ?? null
  }
}

/** Lets the connection be quiet while another process reads the disk. */
const patience = Effect.map(CurrentRequest, ({ linger }) => linger(QUIET_SECONDS))

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "candles", (handlers) =>
  Effect.gen(function* () {
    const library = yield* CandleLibrary
    const operator = operatorOnly(yield* Accounts)

    const status = Effect.gen(function* () {
      const state = yield* library.state
      const now = yield* Clock.currentTimeMillis
      return { download: state === undefined ? null : downloadView(state, now) }
    })
    const list = Effect.gen(function* () {
      yield* patience
      const all = yield* library.list
      return { is_on: library.isOn, data: all.slice(0, MOST_SERIES), total: all.length }
    })
    const begin = Effect.fn("http.Candles.begin")(function* (request: HttpServerRequest.HttpServerRequest) {
      yield* operator
      const { fields } = yield* jsonOnly(request)
      yield* library.begin(yield* CandleRequest.readDownload(fields, yield* Clock.currentTimeMillis))
      return yield* status
    })
    const remove = Effect.fn("http.Candles.remove")(function* (request: HttpServerRequest.HttpServerRequest) {
      yield* operator
      const series = yield* CandleRequest.readSeries((yield* jsonOnly(request)).fields)
      yield* patience
      return { days_removed: yield* library.remove(series) }
    })

    return handlers
      .handle("list", () => refuse(list))
      .handle("download", () => refuse(Effect.zipRight(operator, status)))
      .handleRaw("begin", ({ request }) => refuse(begin(request)))
      .handle("cancel", () => refuse(Effect.zipRight(operator, library.cancel).pipe(Effect.zipRight(status))))
      .handleRaw("remove", ({ request }) => refuse(remove(request)))
  })
)
