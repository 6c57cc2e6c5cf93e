// `signalbox doctor`: checks the machine, the database and its server, and prints advice for every problem. It
// changes nothing.
import { existsSync, readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Config from "../Config.ts"
import { descriptors } from "../ccxt/descriptors.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { KnownExchange } from "../domain/Market.ts"
import { type Database, type PostgresDatabase, shown as shownDatabase } from "../domain/requests/Database.ts"
import * as Records from "../Records.ts"
import { catalogueOf } from "../services/feeds/MemoryMarkets.ts"
import { DatabaseNewer } from "../sql/client/DatabaseErrors.ts"
import * as Checkup from "../sqlite/Checkup.ts"
import { exchangesOf, type Facts } from "../sqlite/readers/Tradeable.ts"
import { sources } from "../vault/Sources.ts"
import { option, usable } from "./config/options.ts"
import { broken } from "./doctor/armed.ts"
import { type Check, fail, GUIDE, render, type Say, say as saying, warn } from "./doctor/Check.ts"
import { contentOf, database as databaseChecks, restored, unreachable } from "./doctor/database.ts"
import { kept, keys, lockedIn } from "./doctor/keys.ts"
import { live } from "./doctor/live.ts"
import * as Machine from "./doctor/machine.ts"
import * as Network from "./doctor/network.ts"
import { type Findings, read as readPostgres } from "./doctor/PostgresCheckup.ts"
import { type Address as ListenAddress, port, serverAt } from "./doctor/port.ts"
import { postgres as postgresChecks } from "./doctor/postgres.ts"
import { healthAt, prices } from "./doctor/prices.ts"
import { strategies } from "./doctor/strategies.ts"
import { tokens } from "./doctor/tokens.ts"
import { trading } from "./doctor/trading.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { database, json } from "./program/shared.ts"
import { UsageError } from "./program/usage.ts"
import * as Address from "./signal/Address.ts"

/** At least one check failed: exit code 1. */
class NotWell extends Data.TaggedError("NotWell")<{ readonly message: string }> {}

const base = Options.text("base").pipe(
  Options.withPseudoName("URL"),
  Options.optional,
  Options.withDescription(
    "the address at which charting platforms reach the server, like https://bots.example.org; it is requested"
  )
)

export const doctor = Command.make(
  "doctor",
  { json, db: database, host: option(Config.SETTINGS.host), port: option(Config.SETTINGS.port), base },
  (options) =>
    Effect.gen(function* () {
      const checks = yield* inOneLine(options.db)(examine(options))
      yield* Console.log(
        options.json
          ? JSON.stringify({ database: shownDatabase(options.db), checks: checks.map(shown) })
          : render(checks)
      )
      const failed = checks.filter(({ level }) => level === "FAIL").length
      if (failed > 0) return yield* new NotWell({ message: `${failed} of ${checks.length} checks failed` })
    })
).pipe(
  Command.withDescription("find problems of the machine, the database and its server, with advice for each")
)

const shown = ({ advice, guide, level, name, text }: Check) => ({
  ...{ name, level: level.toLowerCase(), text },
  ...{ advice: advice ?? null, guide: guide ?? null }
})

interface Given extends ListenAddress {
  readonly db: Database
  readonly base: Option.Option<string>
}

const examine = Effect.fnUntraced(function* (options: Given) {
  const { db } = options
  const address = yield* Option.match(options.base, {
    onNone: () => Effect.succeedNone,
    onSome: (text) =>
      Effect.mapError(Effect.asSome(Address.parse(text)), () => new UsageError({ message: NOT_A_BASE }))
  })
  return yield* db._tag === "File"
    ? examineFile(options, db.filename, address)
    : examinePostgres(options, db, address)
})

const examineFile = Effect.fnUntraced(function* (options: Given, db: string, address: Option.Option<string>) {
  const say = saying(db, !Option.contains(yield* Effect.option(Config.unnamedDatabase), db))
  const now = yield* Clock.currentTimeMillis
  const folder = nearest(dirname(resolve(db)))
  // Check modes before opening the database: SQLite makes files beside it with the same mode.
  const entries = Machine.entriesOf(db)
  const isServed = Checkup.isServed(db)
  const checkup = existsSync(db) ? yield* Effect.either(Checkup.read(db)) : undefined
  const found = checkup?._tag === "Right" ? checkup.right : undefined
  const used = existsSync(db) ? statSync(db).size : 0
  return [
    Machine.clock({ now, folder: Machine.timeOf(folder), newestAt: found?.newestAt ?? 0 }),
    Machine.disk(folder, Machine.free(folder), used),
    ...(checkup === undefined ? [none(db, say), ...closed(folder)] : Machine.modes(entries)),
    ...(checkup?._tag === "Left" ? [unusable(checkup.left, say)] : []),
    ...(found === undefined ? [] : databaseChecks(db, found, isServed, say)),
    ...(yield* records(options, address, { found, isServed, now, say })),
    ...kept(keptBeside(db).filter(Checkup.holdsUnsealed))
  ]
})

/** Commands find the address where this one did: it is not repeated, because it may hold a password. */
const examinePostgres = Effect.fnUntraced(function* (
  options: Given,
  db: PostgresDatabase,
  address: Option.Option<string>
) {
  const say: Say = (words) => `signalbox ${words}`
  const now = yield* Clock.currentTimeMillis
  const name = shownDatabase(db)
  const looked = yield* Effect.either(Records.postgresCheckup(db, readPostgres))
  const { found, health, isServed, version } =
    looked._tag === "Right"
      ? looked.right
      : { found: undefined, health: undefined, isServed: false, version: 0 }
  return [
    Machine.clock({ now, folder: undefined, newestAt: found?.newestAt ?? 0 }),
    ...(looked._tag === "Left" ? [unreachable(looked.left)] : []),
    ...(health === undefined ? [] : postgresChecks(health, isServed)),
    ...(health === undefined ? [] : [contentOf(name, { found, isServed, say, version })]),
    ...(found === undefined ? [] : restored(found)),
    ...(yield* records(options, address, { found, isServed, now, say }))
  ]
})

/** What the records, the network and the master key give to check, whatever database the records are in. */
const records = Effect.fnUntraced(function* (
  options: Given,
  address: Option.Option<string>,
  { found, isServed, now, say }: Examination & { readonly found: Findings | undefined }
) {
  const seconds = Math.floor(now / 1000)
  return [
    ...(found === undefined ? [] : yield* bots(found, { isServed, now, say })),
    ...(Option.isNone(address)
      ? []
      : [
          yield* Effect.map(Network.ask(`${address.value}/healthz`), (it) =>
            Network.webhooks(address.value, it)
          )
        ]),
    yield* port(options, isServed),
    ...(isServed ? yield* pricesAt(options, found) : []),
    ...(found === undefined ? [] : tokens(found.tokens, seconds, say)),
    ...(yield* keys(yield* Effect.orDie(sources), sealedIn(found), seconds, say))
  ]
})

interface Examination {
  readonly isServed: boolean
  readonly now: number
  readonly say: Say
}

/** What is stored of bots: halts, real money, oddities, whether they could buy, and whether their exchanges answer. */
const bots = Effect.fnUntraced(function* (found: Findings, { isServed, now, say }: Examination) {
  const facts = found.tradeable ?? NO_FACTS
  const locked = yield* lockedIn(yield* Effect.orDie(sources), found.exchangeAccounts)
  const faults = broken(facts, { all: found.exchangeAccounts, locked }, say)
  const paper = yield* Effect.all(
    Record.map(Config.SETTINGS.paper, (it) => Effect.map(usable(it), Decimal.fromNumber))
  )
  return [
    ...live(found, isServed, say),
    ...faults.values(),
    ...strategies(found, say),
    ...trading(facts, { now, say, paper, broken: new Set(faults.keys()) }),
    ...(yield* reached(exchangesOf(facts)))
  ]
})

/** A database of a much older version: the server has to migrate it first. */
const NO_FACTS: Facts = {
  strategies: [],
  catalogue: catalogueOf({ exchanges: new Map(), markets: new Map() }),
  prices: new Map()
}

/** The prices of the server that uses the database. */
const pricesAt = Effect.fnUntraced(function* (address: ListenAddress, found: Findings | undefined) {
  const { url } = yield* serverAt(address, "/healthz")
  const health = yield* healthAt(url)
  const isTrading = exchangesOf(found?.tradeable ?? NO_FACTS).length > 0
  return Option.match(health, { onNone: () => [], onSome: (it) => prices(it, isTrading) })
})

/** Asks each exchange on which an active strategy trades, all at the same time. */
const reached = (names: ReadonlyArray<KnownExchange>) =>
  Effect.forEach(
    names,
    (name) =>
      Effect.map(Network.ask(descriptors[name].home), (answer) => Network.exchange(name, answer, proxy())),
    { concurrency: "unbounded" }
  )

const proxy = (): string => process.env["HTTPS_PROXY"] ?? process.env["https_proxy"] ?? ""

const NOT_A_BASE = "--base takes the server's address, like https://bots.example.org"

const sealedIn = (found: Findings | undefined) => ({
  accounts: found?.exchangeAccounts ?? [],
  targets: found?.targets ?? []
})

/** Copies that were kept when the database was migrated. */
const keptBeside = (db: string): ReadonlyArray<string> => {
  const folder = dirname(resolve(db))
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(db)}.before-`))
    .map((name) => join(folder, name))
}

/** The folder, or its nearest parent that exists. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))

const none = (db: string, say: Say): Check =>
  warn(
    "database",
    `there is no database at ${db} yet`,
    `${say("serve")} creates it; or choose another with --db`,
    GUIDE.database
  )

const closed = (folder: string): ReadonlyArray<Check> => {
  const entry = Machine.entryOf(folder)
  return entry.isWritable ? [] : [Machine.readOnly(entry)]
}

type CheckupError = Effect.Effect.Error<ReturnType<typeof Checkup.read>>

/** Advises a backup only for a damaged database of ours. */
const unusable = (refusal: CheckupError, say: Say): Check => {
  const advice = () => {
    if (refusal instanceof DatabaseNewer) return "use a newer program"
    if (refusal.damaged)
      return `put a backup in its place: ${say("restore BACKUP --force")}; or choose another with --db`
    return "choose another with --db, or run this as the server's user"
  }
  return fail("database", refusal.message, advice(), GUIDE.database)
}
