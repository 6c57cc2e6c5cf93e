// `signalbox compare`: what a strategy did, on paper or with real money, against its test over recorded candles and
// alerts, with the parts of the difference. It reads the database, whether a server runs or not.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Recorded from "../../backtests/Recorded.ts"
import * as Config from "../../Config.ts"
import { MAX_CANDLES } from "../../domain/requests/BacktestRequest.ts"
import type { Database } from "../../domain/requests/Database.ts"
import * as Place from "../../prices/tape/Place.ts"
import { compared, placesOf } from "../../services/compare/Comparing.ts"
import { type Gathered, gather, USUAL_DAYS } from "../../services/compare/Gathering.ts"
import { factsOf } from "../../services/feeds/MarketFacts.ts"
import { Markets } from "../../services/Markets.ts"
import * as Range from "../backtest/range.ts"
import { option } from "../config/options.ts"
import { database, json } from "../program/shared.ts"
import { strategyOf } from "../strategy/Known.ts"
import { onLive } from "../strategy/Ports.ts"
import { textOf } from "./text.ts"

/** Nothing can be compared: exit code 1. */
class NothingToCompare extends Data.TaggedError("NothingToCompare")<{ readonly message: string }> {}

const strategy = Args.integer({ name: "strategy" }).pipe(
  Args.withDescription("the strategy's id, as signalbox strategy list shows it")
)

/** The operator's view: a strategy of any account. */
export const compare = Command.make(
  "compare",
  {
    strategy,
    from: Range.from,
    to: Range.to,
    paperFills: option(Config.SETTINGS.paperFills),
    json,
    db: database
  },
  (options) =>
    Effect.gen(function* () {
      const range = yield* Range.rangeOf(options)
      const { account, id } = yield* strategyOf(options.strategy)
      const gathered = yield* Effect.catchTag(
        gather(account, id, { until: range.until, ...(range.from === 0 ? {} : { from: range.from }) }),
        "NotCompared",
        ({ message }) => new NothingToCompare({ message })
      )
      const series = yield* seriesOf(options.db, gathered)
      const facts = factsOf(yield* Effect.flatMap(Markets, (markets) => markets.catalogue))
      const fillModel = Config.paperFillsOf(options.paperFills)
      const view = compared(gathered, { ...facts, series, fillModel })
      if (typeof view === "string") return yield* new NothingToCompare({ message: view })
      yield* Console.log(options.json ? JSON.stringify(view) : textOf(view))
    }).pipe(onLive(options.db))
).pipe(
  Command.withDescription(
    `show why a strategy did otherwise than its back-test over the recorded candles and alerts, trade by trade; without --from, over the last ${USUAL_DAYS} days at most`
  )
)

/** Candles lie beside the file of the database, or beside where it would be. */
const seriesOf = Effect.fnUntraced(function* (db: Database, gathered: Gathered) {
  const file = db._tag === "File" ? db.filename : yield* Config.SETTINGS.db.value
  const folder = Place.candlesIn(Place.dataFolderOf(file))
  return yield* Either.mapLeft(
    Recorded.seriesOf(folder, placesOf(gathered), gathered, MAX_CANDLES),
    (message) => new NothingToCompare({ message })
  )
})
