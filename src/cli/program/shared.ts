// Options that several commands share, and the layers that commands run on: storage, stored data only, or markets.
import { existsSync, statSync } from "node:fs"
import * as Options from "@effect/cli/Options"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SETTINGS } from "../../Config.ts"
import { Markets } from "../../services/Markets.ts"
import * as Sqlite from "../../sqlite/Sqlite.ts"
import { option } from "../config/options.ts"
import { inOneLine } from "./databaseErrors.ts"

export const json = Options.boolean("json").pipe(
  Options.withDescription("print one JSON document and nothing else")
)

export const database = option(SETTINGS.db)

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

/** Runs a command on the database's markets, or on the built-in ones if there is no database. */
export const onMarkets =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(marketsIn(filename)), inOneLine(filename))

const storage = (filename: string) => Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename })))

/** SQLite takes an empty file for a new database. */
const isThere = (filename: string): boolean => existsSync(filename) && statSync(filename).size > 0

const marketsIn = (filename: string) =>
  Layer.suspend(
    (): Layer.Layer<Markets, Layer.Layer.Error<ReturnType<typeof storage>>> =>
      isThere(filename) ? storage(filename) : Markets.layerMemory
  )
