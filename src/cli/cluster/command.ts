// `signalbox cluster`: shows the servers that share a database of Postgres, and has one give its partitions away before it
// is stopped. Both go by the database, beside running servers.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { type Database, shown } from "../../domain/requests/Database.ts"
import { cluster as state } from "../../postgres/Postgres.ts"
import { database, json, onStored } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import { drained, undone } from "./drain.ts"
import { json as document, text } from "./status.ts"

const ALONE = "one server serves it alone; servers that share a database of Postgres start with --cluster"

/** A file has one server. */
const onShared =
  (db: Database) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      if (db._tag === "File") return yield* usage(`the database ${shown(db)} is a file: ${ALONE}`)
      return yield* onStored(db)(self)
    })

const status = Command.make("status", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const whole = yield* state.read
    const isAlone = yield* state.isServedAlone
    const place = shown(options.db)
    yield* Console.log(
      options.json ? JSON.stringify(document(place, whole, isAlone)) : text(place, whole, isAlone)
    )
  }).pipe(onShared(options.db))
).pipe(
  Command.withDescription("show the servers that share a database, and partitions that none of them has")
)

const node = Args.text({ name: "node" }).pipe(
  Args.withDescription("where the others reach it, as status shows it: like 10.0.0.2:8090")
)

const undo = Options.boolean("undo").pipe(
  Options.withDescription(
    "end it: the server takes its share of partitions again, as it does after a restart"
  )
)

const drain = Command.make("drain", { node, undo, json, db: database }, (options) =>
  Effect.gen(function* () {
    const report = yield* options.undo ? undone(options.node) : drained(options.node)
    yield* Console.log(options.json ? JSON.stringify(report.document) : report.text)
  }).pipe(onShared(options.db))
).pipe(
  Command.withDescription(
    "have a server give its partitions to the others and take no more, so that it can be stopped; its /readyz answers 503 meanwhile"
  )
)

export const cluster = Command.make("cluster").pipe(
  Command.withDescription(
    "show the servers that share a database of Postgres, and prepare one to be stopped"
  ),
  Command.withSubcommands([status, drain])
)
