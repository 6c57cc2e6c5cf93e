// Options that several commands share, and the layers that commands run on: storage, stored data only, or markets.
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import { type Database, isAddress, of, shown } from "../../domain/requests/Database.ts"
import * as Records from "../../Records.ts"
import * as MemoryMarkets from "../../services/feeds/MemoryMarkets.ts"
import { option } from "../config/options.ts"
import { inOneLine } from "./databaseErrors.ts"
import { usage } from "./usage.ts"

export const json = Options.boolean("json").pipe(
  Options.withDescription("print one JSON document and nothing else")
)

/** The database that a command uses: `--db` or `--database`, their variables, or the usual file. */
export const database: Options.Options<Database> = Options.all({
  db: option(SETTINGS.db),
  database: option(SETTINGS.database)
}).pipe(Options.map(of))

/** A text that may be left out. */
export const optional = (name: string, description: string) =>
  Options.text(name).pipe(Options.optional, Options.withDescription(description))

/** An option with a default, which its help names. */
export const byDefault = <A, const B>(option: Options.Options<A>, value: B, description: string) =>
  option.pipe(Options.withDefault(value), Options.withDescription(`${description}; by default ${value}`))

/** There is no database to read: exit code 1. */
export class NoDatabase extends Data.TaggedError("NoDatabase")<{ readonly filename: string }> {
  override get message() {
    const option = isAddress(this.filename) ? "--database" : "--db"
    return `there is no database ${this.filename}: signalbox serve creates it; or choose another with ${option}`
  }
}

/** Runs a command on the database's ports, whether a server runs or not. */
export const onStorage =
  (database: Database) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(Records.layer(database)), inOneLine(database))

/** The same for a command that must not create a database. */
export const onStored =
  (database: Database) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(isThere(database), (there) =>
      there ? Effect.void : new NoDatabase({ filename: shown(database) })
    ).pipe(Effect.zipRight(onStorage(database)(self)))

/**
 * Runs a command on the database's markets. Where the usual database is not made yet, it runs on the built-in markets,
 * and says so; a database that somebody named has to be there.
 */
export const onMarkets =
  (database: Database) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      if (yield* isThere(database)) return yield* onStorage(database)(self)
      const filename = shown(database)
      const usual = yield* Effect.option(SETTINGS.db.fallback)
      if (!Option.contains(usual, filename)) return yield* new NoDatabase({ filename })
      yield* Console.error(`signalbox: ${builtInWords(filename)}`)
      return yield* Effect.provide(self, MemoryMarkets.layer)
    })

/** The warning of a command that answers from the shipped markets, because there is no database. */
export const builtInWords = (filename: string): string =>
  `there is no database ${filename} yet: this uses the markets that the program ships with`

/** Whether the database holds records. SQLite takes an empty file for a new database. */
export const isThere = (database: Database) =>
  database._tag === "File"
    ? Effect.sync(() => existsSync(database.filename) && statSync(database.filename).size > 0)
    : Records.holdsRecords(database)

/** A database for people: the whole path of a file, or an address without user and password. */
export const placeOf = (database: Database): string =>
  database._tag === "File" ? resolve(database.filename) : shown(database)

/** The file of a database; a command that only a file has fails with what to use on Postgres. */
export const fileOf = (database: Database, instead: string) =>
  database._tag === "File"
    ? Effect.succeed(database.filename)
    : usage(`the database ${shown(database)} is on a Postgres server: ${instead}`)
