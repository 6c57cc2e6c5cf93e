// Options that several commands share, and the layers that commands run on: storage, stored data only, or markets.
import { existsSync, statSync } from "node:fs"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import * as MemoryMarkets from "../../services/feeds/MemoryMarkets.ts"
import * as Sqlite from "../../sqlite/Sqlite.ts"
import { option } from "../config/options.ts"
import { inOneLine } from "./databaseErrors.ts"

export const json = Options.boolean("json").pipe(
  Options.withDescription("print one JSON document and nothing else")
)

export const database = option(SETTINGS.db)

/** A text that may be left out. */
export const optional = (name: string, description: string) =>
  Options.text(name).pipe(Options.optional, Options.withDescription(description))

/** An option with a default, which its help names. */
export const byDefault = <A, const B>(option: Options.Options<A>, value: B, description: string) =>
  option.pipe(Options.withDefault(value), Options.withDescription(`${description}; by default ${value}`))

/** There is no database to read: exit code 1. */
export class NoDatabase extends Data.TaggedError("NoDatabase")<{ readonly filename: string }> {
  override get message() {
    return `there is no database ${this.filename}: signalbox serve creates it; or choose another with --db`
  }
}

/** Runs a command on the database's ports, whether a server runs or not. */
export const onStorage =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(storage(filename)), inOneLine(filename))

/** The same for a command that must not create a database. */
export const onStored =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (isThere(filename) ? Effect.void : new NoDatabase({ filename }))).pipe(
      Effect.zipRight(onStorage(filename)(self))
    )

/**
 * Runs a command on the database's markets. Where the usual database is not made yet, it runs on the built-in markets,
 * and says so; a database that somebody named has to be there.
 */
export const onMarkets =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      if (isThere(filename)) return yield* onStorage(filename)(self)
      const usual = yield* Effect.option(SETTINGS.db.fallback)
      if (!Option.contains(usual, filename)) return yield* new NoDatabase({ filename })
      yield* Console.error(`signalbox: ${builtInWords(filename)}`)
      return yield* Effect.provide(self, MemoryMarkets.layer)
    })

/** The warning of a command that answers from the shipped markets, because there is no database. */
export const builtInWords = (filename: string): string =>
  `there is no database ${filename} yet: this uses the markets that the program ships with`

const storage = (filename: string) => Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename })))

/** SQLite takes an empty file for a new database. */
export const isThere = (filename: string): boolean => existsSync(filename) && statSync(filename).size > 0
