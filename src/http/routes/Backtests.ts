// The routes of back-tests. Body and result pass through as bytes and text: neither is parsed here.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Api } from "../../api/Api.ts"
import { MAX_BACKTEST_BYTES } from "../../api/Backtests.ts"
import { Caller } from "../../api/shared/Security.ts"
import { Backtester, type Recording } from "../../services/Backtester.ts"
import type { Wanted } from "../../services/compare/Gathering.ts"
import * as Periods from "../../services/compare/Periods.ts"
import type { Directory } from "../../services/directory/Directory.ts"
import type { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { refuse } from "../Problems.ts"
import { malformed, notJson } from "../RequestRejected.ts"
import * as Body from "../request/Body.ts"
import * as DashboardQuery from "../request/DashboardQuery.ts"
import { isJson, jsonOnly } from "../request/RecordBody.ts"
import { CurrentRequest } from "../request/Request.ts"
import * as Answers from "../views/Answers.ts"
import { requestOf } from "../Web.ts"

/** How long the connection may be quiet until there is a result: a minute and a bit. */
const QUIET_SECONDS = 70

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "backtests", (handlers) =>
  Effect.gen(function* () {
    const backtester = yield* Backtester
    const strategies = yield* StrategyStore
    const records = yield* Effect.context<StrategyStore | Portfolio | Directory>()

    const run = Effect.fn("http.Backtests.run")(function* (request: HttpServerRequest.HttpServerRequest) {
      const { account } = yield* Caller
      const { linger } = yield* CurrentRequest
      linger(QUIET_SECONDS)
      const web = yield* requestOf(request)
      const body = Effect.filterOrFail(
        Body.bytes(web, MAX_BACKTEST_BYTES),
        () => isJson(web),
        () => notJson
      )
      const result = yield* Effect.catchTag(
        backtester.run(account, body),
        "BacktestUnreadable",
        ({ message }) => malformed(message)
      )
      return Answers.json(result, 200)
    })

    const compare = Effect.fn("http.Backtests.compare")(function* (
      id: number,
      query: DashboardQuery.Read<Wanted>
    ) {
      const { account } = yield* Caller
      const { linger } = yield* CurrentRequest
      linger(QUIET_SECONDS)
      // A missing strategy is reported before violations of the request.
      if (Either.isLeft(query)) yield* strategies.get(account, id)
      const wanted = yield* query
      const found = yield* Effect.map(backtester.compare(account, id, wanted), comparedAs).pipe(
        Effect.catchTag("NotCompared", ({ message }) =>
          Effect.succeed({ comparison: "null", reason: JSON.stringify(message) })
        )
      )
      const periods = yield* Effect.provide(Periods.ofStrategy(account, id), records)
      return Answers.json(objectOf({ ...found, periods: JSON.stringify(periods.map(periodView)) }), 200)
    })

    const whatIf = whatIfBy(backtester)

    return handlers
      .handleRaw("run", ({ request }) => refuse(run(request)))
      .handleRaw("compare", ({ path, urlParams }) =>
        refuse(compare(path.id, DashboardQuery.comparison(urlParams)))
      )
      .handleRaw("whatIf", ({ path, request }) => refuse(whatIf(path.id, request)))
      .handle("recordings", () =>
        Effect.map(backtester.recordings, (recordings) => ({ data: recordings.map(recordingView) }))
      )
  })
)

/** Answers a what-if. */
const whatIfBy = ({ whatIf }: typeof Backtester.Service) =>
  Effect.fn("http.Backtests.whatIf")(function* (id: number, request: HttpServerRequest.HttpServerRequest) {
    const { account } = yield* Caller
    const { linger } = yield* CurrentRequest
    linger(QUIET_SECONDS)
    const body = Effect.map(jsonOnly(request), ({ fields }) => fields)
    const view = yield* Effect.map(whatIf(account, id, body), triedAs).pipe(
      Effect.catchTag("NotCompared", ({ message }) =>
        Effect.succeed(JSON.stringify({ what_if: null, reason: message }))
      )
    )
    return Answers.json(view, 200)
  })

/** The views are JSON already. */
const comparedAs = (json: string) => ({ comparison: json, reason: "null" })
const triedAs = (json: string): string => objectOf({ what_if: json, reason: "null" })

/** An object of values that are JSON already. */
const objectOf = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields)
    .map(([name, json]) => `"${name}":${json}`)
    .join()}}`

const periodView = ({ ended, from, isLive, number }: Periods.Period) => ({
  period: number,
  mode: isLive ? "live" : "paper",
  from: Math.floor(from / 1000),
  to: ended === undefined ? null : Math.floor(ended.until / 1000)
})

const recordingView = ({ bytes, exchange, from, kind, pair, to }: Recording) => ({
  exchange,
  pair,
  kind,
  from: Math.floor(from / 1000),
  to: Math.floor(to / 1000),
  bytes
})
