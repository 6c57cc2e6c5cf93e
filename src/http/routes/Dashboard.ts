// The dashboard's own reads. Bodies are not validated against the contract on the way out, which would take longer than
// the rest of a chart: the types ensure that they fit, and the tests decode them by the contract.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Api } from "../../api/Api.ts"
import { StrategyBoard } from "../../api/Dashboard.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { AccountId } from "../../domain/Account.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import { Accounts } from "../../services/Accounts.ts"
import { StrategyFigures } from "../../services/equity/StrategyFigures.ts"
import { Charts } from "../../services/feeds/Charts.ts"
import { Venues } from "../../services/feeds/Venues.ts"
import { standingOf } from "../../services/internal/Operator.ts"
import { Overview } from "../../services/records/Overview.ts"
import { StrategyPages } from "../../services/records/StrategyPages.ts"
import { Timeline } from "../../services/Timeline.ts"
import { type Failure, refuse } from "../Problems.ts"
import * as DashboardQuery from "../request/DashboardQuery.ts"
import * as Answers from "../views/Answers.ts"
import { chartView, curveView } from "../views/ChartViews.ts"
import { boardView, linesView, tradesView } from "../views/DashboardViews.ts"
import { overviewView } from "../views/OverviewViews.ts"
import * as TradesCsv from "../views/TradesCsv.ts"
import * as Timelines from "./Timelines.ts"

/** A strategy's settings have other names on the wire. */
const encodeBoard = lazily(() => Schema.encodeSync(Schema.parseJson(StrategyBoard)))

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "dashboard", (handlers) =>
  Effect.gen(function* () {
    const overview = yield* Overview
    const boards = yield* StrategyPages
    const charts = yield* Charts
    const timeline = Timelines.searching(yield* Timeline)
    const figures = yield* StrategyFigures
    const accounts = yield* Accounts
    const venues = yield* Venues
    const operating = (account: AccountId) => Effect.provideService(standingOf(account), Accounts, accounts)

    /** A missing record is reported before violations of the request. */
    const answered = <Q, A, R>(
      id: number,
      question: Either.Either<Q, Violations>,
      of: (account: AccountId, question: Q) => Effect.Effect<A, Failure, R>
    ) =>
      own((account) =>
        Either.isRight(question)
          ? of(account, question.right)
          : Effect.zipRight(charts.known(account, id), Effect.fail(question.left))
      )

    return handlers
      .handleRaw("overview", () =>
        own((account) =>
          Effect.map(Effect.zip(overview.of(account), operating(account)), ([glance, { isOperator }]) =>
            overviewView(glance, isOperator)
          )
        )
      )
      .handleRaw("strategies", ({ urlParams }) =>
        own((account) =>
          Effect.flatMap(DashboardQuery.search(urlParams), (search) =>
            Effect.map(boards.list(account, search), linesView)
          )
        )
      )
      .handleRaw("strategy", ({ path }) =>
        own((account) => Effect.map(boards.get(account, path.id), boardView), encodeBoard)
      )
      .handleRaw("equity", ({ path, urlParams }) =>
        answered(path.id, DashboardQuery.points(urlParams), (account, points) =>
          Effect.map(charts.equity(account, path.id, points), curveView)
        )
      )
      .handleRaw("figures", ({ path, urlParams }) =>
        answered(path.id, DashboardQuery.points(urlParams), (account, points) =>
          figures.get(account, path.id, points)
        )
      )
      .handleRaw("chart", ({ path, urlParams }) =>
        answered(path.id, DashboardQuery.chart(urlParams, venues), (account, query) =>
          Effect.map(charts.prices(account, path.id, query), chartView)
        )
      )
      .handleRaw("trades", ({ path, urlParams }) =>
        answered(path.id, DashboardQuery.trades(urlParams), (account, stretch) =>
          Effect.map(charts.trades(account, path.id, stretch), tradesView)
        )
      )
      .handleRaw("tradesCsv", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.map(charts.everyTrade(account, path.id), (trades) => download(path.id, trades))
          )
        )
      )
      .handleRaw("timeline", ({ path, urlParams }) => refuse(timeline(path.id, urlParams)))
  })
)

/** Answers the caller with a view as JSON. */
const own = <A, E extends Failure, R>(
  of: (account: AccountId) => Effect.Effect<A, E, R>,
  encode: (view: A) => string = JSON.stringify
) =>
  refuse(
    Effect.flatMap(Caller, ({ account }) =>
      Effect.map(of(account), (view) => Answers.json(encode(view), 200))
    )
  )

const utf8 = new TextEncoder()

const download = (id: number, trades: Stream.Stream<Parameters<typeof TradesCsv.linesOf>[0]>) =>
  HttpServerResponse.stream(
    Stream.map(Stream.concat(Stream.make(TradesCsv.HEADER), Stream.map(trades, TradesCsv.linesOf)), (text) =>
      utf8.encode(text)
    ),
    {
      contentType: "text/csv; charset=utf-8",
      headers: { "content-disposition": `attachment; filename="signalbox-strategy-${id}-trades.csv"` }
    }
  )
