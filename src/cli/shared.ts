import { existsSync, statSync } from "node:fs"
import * as Options from "@effect/cli/Options"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database as databaseFile, type Setting } from "../Config.ts"
import { Markets } from "../services/Markets.ts"
import * as Sqlite from "../sqlite/Sqlite.ts"
import { inOneLine } from "./damage.ts"

/** The command line was not understood: exit code 2. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}
export const usage = (message: string) => Effect.fail(new UsageError({ message }))

export const json = Options.boolean("json").pipe(
  Options.withDescription("print one JSON document and nothing else")
)

export const database = Options.text("db").pipe(
  Options.withFallbackConfig(databaseFile),
  Options.withDescription(
    "the database file; by default signalbox.db in the service's or the user's data folder"
  )
)

/** An option that is also an environment variable. */
export const text = ({ config, description, fallback, name, variable }: Setting<string>) =>
  Options.text(name).pipe(
    Options.withFallbackConfig(config),
    Options.withDefault(fallback),
    Options.withDescription(`${description} (${variable})`)
  )
export const integer = ({ config, description, fallback, name, variable }: Setting<number>) =>
  Options.integer(name).pipe(
    Options.withFallbackConfig(config),
    Options.withDefault(fallback),
    Options.withDescription(`${description} (${variable})`)
  )
export const flag = ({ config, description, fallback, name, variable }: Setting<boolean>) =>
  Options.boolean(name).pipe(
    Options.withFallbackConfig(config),
    Options.withDefault(fallback),
    Options.withDescription(`${description} (${variable})`)
  )
export const float = ({ config, description, fallback, name, variable }: Setting<number>) =>
  Options.float(name).pipe(
    Options.withFallbackConfig(config),
    Options.withDefault(fallback),
    Options.withDescription(`${description} (${variable})`)
  )

/** There is nothing to read: exit code 1. */
export class NoDatabase extends Data.TaggedError("NoDatabase")<{ readonly filename: string }> {
  override get message() {
    return `there is no database ${this.filename}: signalbox serve makes it; or name another with --db`
  }
}

/** Runs on the database with the ports that commands use, beside a running server or without one. */
export const onStorage =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(storage(filename)), inOneLine(filename))

/** The same for commands that make none where there is none. */
export const onStored =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (isThere(filename) ? Effect.void : new NoDatabase({ filename }))).pipe(
      Effect.zipRight(onStorage(filename)(self))
    )

/** Runs on the markets as the database switches them; as they were shipped, where there is none. */
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
