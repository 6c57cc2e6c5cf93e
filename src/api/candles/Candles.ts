// The contract of stored candles: everybody may list them, only the operator may download and remove.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { ExchangeName, MarketKind, Pair } from "../../domain/Market.ts"
import { moment } from "../shared/Moment.ts"
import * as Problems from "../shared/Problems.ts"
import { Access, Bearer } from "../shared/Security.ts"

const Timeframe = Schema.Literal(...TIMEFRAMES)
const series = { exchange: ExchangeName, pair: Pair, kind: MarketKind, timeframe: Timeframe }
const count = (description: string) => Schema.Int.annotations({ description })

const StoredCandles = Schema.Struct({
  ...series,
  from: moment("start of the first candle"),
  to: moment("start of the last candle"),
  count: count("the number of candles"),
  bytes: Schema.Int,
  missing: count("the number of candles that are missing between the first and the last"),
  holes: Schema.Array(
    Schema.Struct({
      from: moment("start of the first missing candle"),
      to: moment("start of the last missing candle"),
      candles: Schema.Int,
      known: Schema.Boolean.annotations({ description: "whether the exchange was asked, and has none" })
    })
  ).annotations({ description: "the newest ones" }),
  more_holes: count("the number of older holes")
}).annotations({ identifier: "StoredCandles", description: "Recorded and downloaded candles of a market." })
export type StoredCandles = typeof StoredCandles.Type

const CandleList = Schema.Struct({
  is_on: Schema.Boolean.annotations({ description: "whether this server stores candles at all" }),
  data: Schema.Array(StoredCandles),
  total: count("the total number; `data` may hold only the first ones")
}).annotations({ identifier: "StoredCandlesList", description: "Stored candles." })

const CandleDownload = Schema.Struct({
  ...series,
  from: moment("first day"),
  to: moment("last day"),
  stage: Schema.Literal("running", "done", "failed", "cancelled").annotations({
    description: "running, or how it ended"
  }),
  began: moment("begin"),
  ended: Schema.NullOr(Schema.Int).annotations({ description: "its end, seconds since the Unix epoch" }),
  done: count("candles that are done"),
  total: count("candles to fetch; 0 until that is known"),
  left_seconds: Schema.NullOr(Schema.Int).annotations({ description: "a guess at the time left" }),
  waiting: Schema.NullOr(Schema.String).annotations({ description: "why it waits before the next request" }),
  failure: Schema.NullOr(Schema.String).annotations({ description: "why it failed" }),
  result: Schema.NullOr(
    Schema.Struct({
      days_fetched: Schema.Int,
      days_kept: count("days that were stored already"),
      candles_fetched: Schema.Int,
      missing: count("candles that the exchange does not have"),
      listed_from: Schema.NullOr(Schema.Int).annotations({
        description: "the first time that the exchange has, where that is later than asked"
      })
    })
  )
}).annotations({ identifier: "CandleDownload", description: "The last download since the server's start." })
export type CandleDownload = typeof CandleDownload.Type

const DownloadStatus = Schema.Struct({ download: Schema.NullOr(CandleDownload) }).annotations({
  identifier: "CandleDownloadStatus"
})

const text = (description: string) => Schema.String.annotations({ description })
const pair = text("like BTC/USDT")
const day = (description: string) => text(`${description}, like 2026-11-01 (UTC)`)
const DownloadRequest = Schema.Struct({
  exchange: ExchangeName,
  pair,
  kind: Schema.optional(MarketKind).annotations({ description: "spot where left out" }),
  timeframe: Schema.optional(Timeframe).annotations({ description: "1m where left out" }),
  from: day("the first day"),
  to: Schema.optional(day("the last day; today where left out"))
}).annotations({ identifier: "CandleDownloadRequest" })
const RemoveRequest = Schema.Struct({
  exchange: ExchangeName,
  pair,
  kind: Schema.optional(MarketKind).annotations({ description: "spot where left out" }),
  timeframe: Schema.optional(Timeframe).annotations({ description: "1m where left out" })
}).annotations({ identifier: "CandleRemoval" })
const Removed = Schema.Struct({ days_removed: Schema.Int }).annotations({ identifier: "CandlesRemoved" })

const DOWNLOAD_PATH = "/v1/dashboard/candles/download"
const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const OPERATOR = "For the operator: the account that was made first."

/** Operations on stored candles. */
export const Candles = HttpApiGroup.make("candles")
  .add(
    HttpApiEndpoint.get("list", "/v1/dashboard/candles")
      .addSuccess(CandleList)
      .annotateContext(
        words(
          "List stored candles",
          "Recorded and downloaded, with their holes; it may be half a minute old."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("download", DOWNLOAD_PATH)
      .addSuccess(DownloadStatus)
      .annotateContext(words("See the download of candles", `${OPERATOR} Its progress, or how it ended.`))
  )
  .add(
    HttpApiEndpoint.post("begin", DOWNLOAD_PATH)
      .setPayload(DownloadRequest)
      .addSuccess(DownloadStatus, { status: 202 })
      .addError(Problems.OfJsonBody)
      .addError(Problems.conflict("candles_busy", "candles_off"))
      .annotateContext(
        words(
          "Download candles",
          `JSON. ${OPERATOR} Begins in the background, one at a time, and answers at once. Days that are stored are not fetched again.`
        )
      )
  )
  .add(
    HttpApiEndpoint.del("cancel", DOWNLOAD_PATH)
      .addSuccess(DownloadStatus)
      .annotateContext(words("Cancel the download of candles", `${OPERATOR} What came is stored.`))
  )
  .add(
    HttpApiEndpoint.post("remove", "/v1/dashboard/candles/remove")
      .setPayload(RemoveRequest)
      .addSuccess(Removed)
      .addError(Problems.OfJsonBody)
      .addError(Problems.conflict("candles_busy", "candles_off"))
      .annotateContext(
        words("Remove downloaded candles", `JSON. ${OPERATOR} What the server recorded stays.`)
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({ title: "Candles", description: "Past prices on the server, for the dashboard." })
  )
