// `signalbox compare`: what a strategy did, on paper or with real money, against its test over recorded candles and
// alerts, with the parts of the difference. It reads the database, whether a server runs or not, or asks a running server,
// which has the candles.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ComparisonView } from "../../api/Backtests.ts"
import * as Recorded from "../../backtests/Recorded.ts"
import * as Config from "../../Config.ts"
import { MAX_CANDLES } from "../../domain/requests/BacktestRequest.ts"
import type { Database } from "../../domain/requests/Database.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import * as Place from "../../prices/tape/Place.ts"
import { Accounts } from "../../services/Accounts.ts"
import { compared, placesOf } from "../../services/compare/Comparing.ts"
import { type Gathered, gather, USUAL_DAYS, type Wanted } from "../../services/compare/Gathering.ts"
import { factsOf } from "../../services/feeds/MarketFacts.ts"
import { Markets } from "../../services/Markets.ts"
import * as Range from "../backtest/range.ts"
import { option } from "../config/options.ts"
import { addressOf, ask, decoded, server } from "../program/runningServer.ts"
import { database, json } from "../program/shared.ts"
import { strategyOf } from "../strategy/Known.ts"
import { onLive } from "../strategy/Ports.ts"
import { textOf } from "./text.ts"

/** Nothing can be compared: exit code 1. */
class NothingToCompare extends Data.TaggedError("NothingToCompare")<{ readonly message: string }> {}

const strategy = Args.integer({ name: "strategy" }).pipe(
  Args.withDescription("the strategy's id, as signalbox strategy list shows it")
)

const period = Options.integer("period").pipe(
  Options.withDescription(
    "a period of its bot, by number, in place of the present one: arming begins a new one, and so does going back on paper"
  ),
  Options.optional
)

/** The operator's view: a strategy of any account. */
export const compare = Command.make(
  "compare",
  {
    strategy,
    from: Range.from,
    to: Range.to,
    period,
    paperFills: option(Config.SETTINGS.paperFills),
    server,
    json,
    db: database
  },
  (options) =>
    Effect.gen(function* () {
      const { from, until } = yield* Range.rangeOf(options)
      const wanted = {
        period: Option.getOrUndefined(options.period),
        from: from === 0 ? undefined : from,
        until: until === Number.POSITIVE_INFINITY ? undefined : until
      }
      const found = yield* strategyOf(options.strategy)
      const view = Option.isSome(options.server)
        ? yield* ofServer(yield* addressOf(options.server), found, wanted)
        : yield* ofDatabase(options, found, wanted)
      yield* Console.log(options.json ? JSON.stringify(view) : textOf(view))
    }).pipe(onLive(options.db))
).pipe(
  Command.withDescription(
    `show why a strategy did otherwise than its back-test over the recorded candles and alerts, trade by trade; without --from, over the last ${USUAL_DAYS} days at most`
  )
)

interface Given {
  readonly db: Database
  readonly paperFills: string
}

/** Compares in this process, with the candles beside the database. */
const ofDatabase = ({ db, paperFills }: Given, { account, id }: Strategy, wanted: Wanted) =>
  Effect.gen(function* () {
    const gathered = yield* Effect.catchTag(
      gather(account, id, wanted),
      "NotCompared",
      ({ message }) => new NothingToCompare({ message })
    )
    const series = yield* seriesOf(db, gathered)
    const facts = factsOf(yield* Effect.flatMap(Markets, (markets) => markets.catalogue))
    const fillModel = Config.paperFillsOf(paperFills)
    const view = compared(gathered, { ...facts, series, fillModel })
    if (typeof view === "string") return yield* new NothingToCompare({ message: view })
    return view
  })

/** A comparison takes a server up to a minute. */
const PATIENCE_MS = 70_000
const Answer = Schema.Struct({
  comparison: Schema.NullOr(ComparisonView),
  reason: Schema.NullOr(Schema.String)
})

/** Asks the server, as the strategy's owner. Its candles and paper fills are those of the test. */
const ofServer = (base: string, { account, id }: Strategy, { from, period, until }: Wanted) =>
  Effect.gen(function* () {
    const accounts = yield* Effect.flatMap(Accounts, ({ all }) => all)
    const owner = accounts.find((one) => one.id === account)
    if (owner === undefined) return yield* new NothingToCompare({ message: "the strategy has no owner" })
    const query = new URLSearchParams({
      ...(from === undefined ? {} : { from: String(Math.floor(from / 1000)) }),
      ...(until === undefined ? {} : { to: String(Math.floor(until / 1000)) }),
      ...(period === undefined ? {} : { period: String(period) })
    })
    const path = `/v1/dashboard/strategies/${id}/comparison?${query}`
    const response = yield* ask(base, owner.name, { method: "GET", path, patienceMs: PATIENCE_MS })
    const { comparison, reason } = yield* decoded(Answer, response)
    return comparison ?? (yield* new NothingToCompare({ message: reason ?? "there is nothing to compare" }))
  })

/** Candles lie beside the file of the database, or beside where it would be. */
const seriesOf = Effect.fnUntraced(function* (db: Database, gathered: Gathered) {
  const file = db._tag === "File" ? db.filename : yield* Config.SETTINGS.db.value
  const folder = Place.candlesIn(Place.dataFolderOf(file))
  return yield* Either.mapLeft(
    Recorded.seriesOf(folder, placesOf(gathered), gathered, MAX_CANDLES),
    (message) => new NothingToCompare({ message })
  )
})
