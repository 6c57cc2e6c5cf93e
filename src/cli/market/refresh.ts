// `signalbox market refresh`: asks exchanges for their markets and fees, and stores what changed. One exchange's
// failure does not stop the others.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import { parse } from "../../ccxt/Addresses.ts"
import { EXCHANGE_NAMES } from "../../domain/Market.ts"
import { option } from "../config/options.ts"
import { exchangeNamed } from "../exchange.ts"
import * as Progress from "../program/progress.ts"
import { database, json, onStorage } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import { renewed } from "./Renewal.ts"
import { report, table } from "./report.ts"

/** The most exchanges to ask at a time. */
const AT_A_TIME = 3

const names = Args.text({ name: "exchange" }).pipe(
  Args.repeated,
  Args.withDescription("exchanges to ask, like binance; by default all")
)

/** Some exchanges could not be refreshed: exit code 1, with a line for each. */
class NotRefreshed extends Data.TaggedError("NotRefreshed")<{ readonly errors: ReadonlyArray<string> }> {
  override get message() {
    return this.errors.join("\nsignalbox: ")
  }
}

export const refresh = Command.make(
  "refresh",
  { names, json, db: database, exchangeUrls: option(SETTINGS.exchangeUrls) },
  (options) =>
    Effect.gen(function* () {
      const named = yield* Effect.forEach(options.names, exchangeNamed)
      const urls = parse(options.exchangeUrls)
      if (Either.isLeft(urls)) {
        return yield* usage(`--exchange-urls ${urls.left}`)
      }
      const exchanges = named.length === 0 ? EXCHANGE_NAMES : [...new Set(named)]
      let finished = 0
      const outcomes = yield* Effect.forEach(
        exchanges,
        (exchange) =>
          Effect.tap(renewed(exchange, urls.right.get(exchange)), () => Effect.sync(() => finished++)),
        { concurrency: AT_A_TIME }
      ).pipe(
        Progress.during({ unit: "exchanges", total: exchanges.length, json: options.json }, () => finished)
      )
      const done = outcomes.some(({ result }) => Either.isRight(result))
      if (options.json) yield* Console.log(JSON.stringify(report(outcomes)))
      else if (done) yield* Console.log(table(outcomes))
      const errors = outcomes.flatMap(({ result }) => Option.toArray(Either.getLeft(result)))
      if (errors.length > 0) return yield* new NotRefreshed({ errors })
    }).pipe(onStorage(options.db))
).pipe(
  Command.withDescription("refresh markets from the exchanges: steps, minimums, fees, and which are traded")
)
