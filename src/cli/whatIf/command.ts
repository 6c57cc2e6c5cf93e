// `signalbox what-if`: a strategy's own past with other settings, over the recorded alerts and candles, beside what
// happened. It reads the database, whether a server runs or not, and counts the try in it.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Recorded from "../../backtests/Recorded.ts"
import * as Config from "../../Config.ts"
import { MAX_CANDLES } from "../../domain/requests/BacktestRequest.ts"
import type { Database } from "../../domain/requests/Database.ts"
import * as Place from "../../prices/tape/Place.ts"
import * as Recordings from "../../prices/tape/Recordings.ts"
import { factsOf } from "../../services/feeds/MarketFacts.ts"
import { Venues } from "../../services/feeds/Venues.ts"
import { Markets } from "../../services/Markets.ts"
import { counted } from "../../services/whatIf/Counting.ts"
import * as GatheringTried from "../../services/whatIf/GatheringTried.ts"
import * as Trying from "../../services/whatIf/Trying.ts"
import * as Range from "../backtest/range.ts"
import { option } from "../config/options.ts"
import { database, json } from "../program/shared.ts"
import { strategyOf } from "../strategy/Known.ts"
import { onLive } from "../strategy/Ports.ts"
import { changesOf } from "./changes.ts"
import { textOf } from "./text.ts"

/** Nothing can be tried: exit code 1. */
class NothingToTry extends Data.TaggedError("NothingToTry")<{ readonly message: string }> {}

const strategy = Args.integer({ name: "strategy" }).pipe(
  Args.withDescription("the strategy's id, as signalbox strategy list shows it")
)

const set = Options.text("set").pipe(
  Options.repeated,
  Options.withDescription(
    "a setting that changes, such as stop_loss_percentage=3, by its name in requests; a list as JSON; give it again for more"
  )
)

/** The operator's view: a strategy of any account. */
export const whatIf = Command.make(
  "what-if",
  {
    strategy,
    set,
    from: Range.from,
    to: Range.to,
    paperFills: option(Config.SETTINGS.paperFills),
    json,
    db: database
  },
  (options) =>
    Effect.gen(function* () {
      const range = yield* Range.rangeOf(options)
      const changes = yield* changesOf(options.set)
      const { account, id } = yield* strategyOf(options.strategy)
      const folder = yield* folderOf(options.db)
      const body = { changes, ...secondsOf(range) }
      const request = { body, venues: yield* Venues, recordings: yield* Recordings.make(folder) }
      const tried = yield* Effect.catchTags(GatheringTried.gather(account, id, request), {
        NotCompared: ({ message }) => new NothingToTry({ message }),
        Violations: ({ message }) => new NothingToTry({ message: message.replace(/^changes\./, "") })
      })
      const result = yield* resultOf(tried, folder, Config.paperFillsOf(options.paperFills))
      const tries = yield* counted(tried, Trying.outcomeOf(result))
      const view = Trying.answerOf(tried, result, { tries, notices: tried.notices })
      yield* Console.log(options.json ? JSON.stringify(view) : textOf(view))
    }).pipe(onLive(options.db))
).pipe(
  Command.withDescription(
    "try a strategy's own past with other settings: what happened, what its present settings make of the recorded alerts and candles, and what the changed ones would; the try is counted"
  )
)

/** Whole seconds, both included. */
const secondsOf = ({ from, until }: Range.Range) => ({
  ...(from === 0 ? {} : { from: from / 1000 }),
  ...(Number.isFinite(until) ? { to: until / 1000 - 1 } : {})
})

/** Candles lie beside the file of the database, or beside where it would be. */
const folderOf = Effect.fnUntraced(function* (db: Database) {
  const file = db._tag === "File" ? db.filename : yield* Config.SETTINGS.db.value
  return Place.candlesIn(Place.dataFolderOf(file))
})

const resultOf = Effect.fnUntraced(function* (
  tried: Trying.Tried,
  folder: string,
  fillModel: ReturnType<typeof Config.paperFillsOf>
) {
  const facts = factsOf(yield* Effect.flatMap(Markets, (markets) => markets.catalogue))
  const read = Recorded.seriesOf(folder, Trying.candlePlaces(tried), tried.gathered, MAX_CANDLES)
  const result = Either.merge(
    Either.map(read, (series) => Trying.tried(tried, { ...facts, series, fillModel }))
  )
  return typeof result === "string" ? yield* new NothingToTry({ message: result }) : result
})
