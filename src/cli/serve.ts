// `signalbox serve`: runs the server until it is stopped, and prints at the start where it listens and what trades
// with real money.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Config from "../Config.ts"
import * as Server from "../Server.ts"
import { Accounts } from "../services/Accounts.ts"
import * as Restores from "../sqlite/backups/Restores.ts"
import { compileReadily } from "./program/compiler.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { untilTold } from "./program/ending.ts"
import * as Logs from "./program/logs.ts"
import { database, flag, float, integer, repeated, text } from "./program/shared.ts"
import { moment } from "./program/table.ts"
import { fed } from "./service/watchdog.ts"
import * as StatusLines from "./strategy/StatusLines.ts"

const options = {
  host: text(Config.host),
  port: integer(Config.port),
  alertHost: text(Config.alertHost),
  alertPort: integer(Config.alertPort),
  metricsPort: integer(Config.metricsPort),
  dashboard: text(Config.dashboard),
  tlsCert: text(Config.tlsCert),
  tlsKey: text(Config.tlsKey),
  trustedProxies: text(Config.trustedProxies),
  maxConnections: integer(Config.maxConnections),
  db: database,
  prices: text(Config.prices),
  record: flag(Config.record),
  exchangeUrls: text(Config.exchangeUrls),
  replaySpeed: float(Config.replaySpeed),
  anyTime: flag(Config.anyTime),
  crudRate: integer(Config.crudRate),
  alertRate: integer(Config.alertRate),
  staleAfter: integer(Config.staleAfter),
  priceWait: integer(Config.priceWait),
  paper: {
    USDT: float(Config.paperUsdt),
    USD: float(Config.paperUsd),
    BTC: float(Config.paperBtc),
    ETH: float(Config.paperEth)
  },
  maxSignals: integer(Config.maxSignals),
  maxStrategies: integer(Config.maxStrategies),
  maxPairs: integer(Config.maxPairs),
  logFormat: text(Config.logFormat),
  allowPrivateTargets: flag(Config.allowPrivateTargets),
  telegramUrl: text(Config.telegramUrl),
  withoutStrategy: repeated(Config.withoutStrategy),
  withStrategy: repeated(Config.withStrategy)
}

export const serve = Command.make("serve", options, (options) =>
  Effect.gen(function* () {
    const server = yield* Server.Server
    yield* compileReadily
    const tokens = yield* Effect.flatMap(Accounts, (accounts) => accounts.tokens)
    const restored = yield* Restores.last
    if (Option.isSome(restored)) {
      const { at, file, head } = restored.value
      yield* Console.error(
        `signalbox: this database was restored from ${file} on ${moment(at)} UTC; the head of its ledger was ${head}`
      )
    }
    yield* Console.error(
      `signalbox: listening on ${server.url}, database ${options.db}, prices: ${server.prices}`
    )
    if (options.dashboard === "on") {
      yield* Console.error(`signalbox: the dashboard is at ${server.url}/`)
    }
    if (server.alerts !== undefined) {
      yield* Console.error(`signalbox: listening for alerts only on ${server.alerts.url}`)
    }
    if (server.metrics !== undefined) {
      yield* Console.error(`signalbox: metrics, for this machine only, are at ${server.metrics.url}/metrics`)
    }
    for (const line of yield* StatusLines.lines) yield* Console.error(`signalbox: ${line}`)
    if (!tokens.some(({ revokedAt }) => Option.isNone(revokedAt))) {
      yield* Console.error(
        `signalbox: there is no token yet; create the first one to sign in or call the API: signalbox token create --account me --db ${options.db}`
      )
    }
    return yield* Effect.never
  }).pipe(
    Effect.provide(Server.layer(options)),
    inOneLine(options.db),
    fed,
    Logs.as(options.logFormat),
    untilTold
  )
).pipe(Command.withDescription("run the server: API, webhooks and paper bots"))
