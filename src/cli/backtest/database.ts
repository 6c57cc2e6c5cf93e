// The database of a back-test, which it needs only for switched markets, for the rule of a signal, and for stored candles.
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SETTINGS } from "../../Config.ts"
import { type Database, FORM, isAddress, of, shown } from "../../domain/requests/Database.ts"
import { catalogueOf } from "../../services/feeds/MemoryMarkets.ts"
import { Markets } from "../../services/Markets.ts"
import { builtInWords, isThere, onStorage } from "../program/shared.ts"
import { usage } from "../program/usage.ts"

export const options = {
  db: Options.text("db").pipe(
    Options.optional,
    Options.withDescription("use the markets of this database, and the recorded candles beside it")
  ),
  database: Options.redacted("database").pipe(
    Options.optional,
    Options.withDescription("use the markets and signals of this Postgres database in place of a file's")
  )
}

/** What the options say. */
export interface Named {
  readonly db: Option.Option<string>
  readonly database: Option.Option<Redacted.Redacted>
}

/** The database that the options name, if they name one. */
const named = ({ database, db }: Named) =>
  Effect.gen(function* () {
    if (Option.isSome(db) && Option.isSome(database))
      return yield* usage("--db and --database both name a database: give one of the two")
    if (Option.isNone(database)) return Option.map(db, (filename): Database => ({ _tag: "File", filename }))
    if (!isAddress(Redacted.value(database.value))) return yield* usage(`--database takes ${FORM}`)
    return Option.some<Database>({ _tag: "Postgres", url: database.value })
  })

/** The database that the options name, else the server's. */
export const orServers = (options: Named) =>
  Effect.flatMap(
    named(options),
    Option.match({
      onNone: () => Effect.map(Effect.all({ db: SETTINGS.db.value, database: SETTINGS.database.value }), of),
      onSome: Effect.succeed
    })
  )

/** The markets of the database that the options name, else the built-in ones. */
export const catalogue = (options: Named) =>
  Effect.flatMap(
    named(options),
    Option.match({
      onNone: () => Effect.succeed(builtIn),
      onSome: (database) =>
        // Candles may be recorded beside a database that is elsewhere.
        Effect.if(isThere(database), {
          onTrue: () => onStorage(database)(Effect.flatMap(Markets, (markets) => markets.catalogue)),
          onFalse: () => Effect.as(Console.error(`signalbox: ${builtInWords(shown(database))}`), builtIn)
        })
    })
  )

const builtIn = catalogueOf({ exchanges: new Map(), markets: new Map() })
