// `signalbox serve`: runs the server until it is stopped, and prints at the start where it listens and what trades
// with real money.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Config from "../Config.ts"
import { type Database, of, shown } from "../domain/requests/Database.ts"
import * as Server from "../Server.ts"
import { Accounts } from "../services/Accounts.ts"
import { CandleLibrary } from "../services/feeds/CandleLibrary.ts"
import { MarketRefresher } from "../services/feeds/MarketRefresher.ts"
import { Ownership } from "../sql/client/Ownership.ts"
import * as Restores from "../sql/rows/RestoreRows.ts"
import { paperFillsWords } from "../trading/backtest/Warnings.ts"
import * as Library from "./candles/library.ts"
import { inProcess } from "./candles/process.ts"
import { options } from "./config/options.ts"
import { reachable } from "./doctor/port.ts"
import * as Refresher from "./market/refresher.ts"
import * as Link from "./open/Link.ts"
import { compileSparingly } from "./program/compiler.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { untilSignalled } from "./program/ending.ts"
import * as Logs from "./program/logs.ts"
import * as StrayErrors from "./program/strayErrors.ts"
import { moment } from "./program/table.ts"
import { fed } from "./service/watchdog.ts"
import * as StatusLines from "./strategy/StatusLines.ts"

export const serve = Command.make("serve", { options: options(Config.SETTINGS) }, ({ options }) =>
  Effect.gen(function* () {
    const server = yield* Server.Server
    yield* compileSparingly
    const tokens = yield* Effect.flatMap(Accounts, (accounts) => accounts.tokens)
    const restored = yield* Restores.last
    if (Option.isSome(restored)) {
      const { at, file, head } = restored.value
      yield* Console.error(
        `signalbox: this database was restored from ${file} on ${moment(at)} UTC; the head of its ledger was ${head}`
      )
    }
    const database = of(options)
    const name = shown(database)
    yield* Console.error(`signalbox: listening on ${server.url}, database ${name}, prices: ${server.prices}`)
    if (options.dashboard === "on") {
      yield* Console.error(`signalbox: the dashboard is at ${server.url}/, the guide at ${server.url}/guide`)
    }
    if (server.alerts !== undefined) {
      yield* Console.error(`signalbox: listening for alerts only on ${server.alerts.url}`)
    }
    if (server.metrics !== undefined) {
      yield* Console.error(`signalbox: metrics, for this machine only, are at ${server.metrics.url}/metrics`)
    }
    const paperFills = Config.paperFillsOf(options.paperFills)
    if (paperFills !== undefined) yield* Console.error(`signalbox: ${paperFillsWords(paperFills)}`)
    for (const line of yield* StatusLines.lines) yield* Console.error(`signalbox: ${line}`)
    if (!tokens.some(({ revokedAt }) => Option.isNone(revokedAt))) {
      yield* Console.error(
        `signalbox: there is no token yet; create the first one to sign in or call the API: signalbox token create --account me${named(database)}`
      )
      if (options.dashboard === "on") yield* wayIn(options, server.url)
    }
    return yield* Effect.flatMap(Ownership, ({ lost }) => lost)
  }).pipe(
    refreshed(options),
    withCandles(options),
    inOneLine(of(options)),
    fed,
    untilSignalled,
    StrayErrors.logged,
    Logs.as(options.logFormat)
  )
)

/** Runs on the server; with streaming prices of the exchanges themselves, their markets are refreshed beside it. */
const refreshed =
  (options: Config.Values<typeof Config.SETTINGS>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const { exchangeUrls, prices, refreshMarkets } = options
      const refresher = yield* Refresher.make(refreshMarkets, Refresher.inProcess(of(options)))
      const isOn = prices === "live" && exchangeUrls === "" && refreshMarkets > 0
      if (!isOn) return yield* Effect.provide(self, Server.layer(options))
      const both = Effect.zipRight(Effect.forkScoped(refresher.run), self).pipe(Effect.scoped)
      return yield* Effect.provide(both, Server.layer(options)).pipe(
        Effect.provideService(MarketRefresher, refresher)
      )
    })

/** Candles of the server's folder are listed, downloaded and removed from the dashboard. */
const withCandles =
  (options: Config.Values<typeof Config.SETTINGS>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Library.make(inProcess(options)), (library) =>
      Effect.provideService(self, CandleLibrary, library)
    ).pipe(Effect.scoped)

/** How to get in without a token. On a terminal it is a link; a journal or a file gets the command that prints one. */
const wayIn = Effect.fnUntraced(function* (options: Config.ServerOptions, url: string) {
  if (!Link.isTerminal(process.stderr))
    return yield* Console.error(
      `signalbox: or sign in without one, by a link: signalbox open${named(of(options))}`
    )
  const link = yield* Link.make(
    url.replace(`//${options.host}:`, `//${reachable(options.host)}:`),
    Option.none()
  )
  yield* Console.error(`signalbox: ${Link.words(link)}\n\n  ${link.url}\n`)
})

/** The option that names a file. An address is found where this server found it: it may hold a password. */
const named = (database: Database): string => (database._tag === "File" ? ` --db ${database.filename}` : "")
