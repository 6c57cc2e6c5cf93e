import { existsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Command from "@effect/cli/Command"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Config from "../Config.ts"
import * as Checkup from "../sqlite/Checkup.ts"
import { inOneLine } from "./damage.ts"
import { type Check, fail, render, warn } from "./doctor/Check.ts"
import { database as databaseChecks } from "./doctor/database.ts"
import * as Machine from "./doctor/machine.ts"
import { port } from "./doctor/port.ts"
import { tokens } from "./doctor/tokens.ts"
import { database, integer, json, text } from "./shared.ts"

/** Something has to be done before a server can do its work: exit code 1. */
class NotWell extends Data.TaggedError("NotWell")<{ readonly message: string }> {}

export const doctor = Command.make(
  "doctor",
  { json, db: database, host: text(Config.host), port: integer(Config.port) },
  (options) =>
    Effect.gen(function* () {
      const checks = yield* inOneLine(options.db)(examine(options))
      yield* Console.log(
        options.json ? JSON.stringify({ database: options.db, checks: checks.map(shown) }) : render(checks)
      )
      const failed = checks.filter(({ level }) => level === "FAIL").length
      if (failed > 0) return yield* new NotWell({ message: `${failed} of ${checks.length} checks failed` })
    })
).pipe(
  Command.withDescription("tell what is wrong with the machine, the database and its server, and what to do")
)

const shown = ({ advice, level, name, text }: Check) => ({
  name,
  level: level.toLowerCase(),
  text,
  advice: advice ?? null
})

const examine = Effect.fnUntraced(function* (options: {
  readonly db: string
  readonly host: string
  readonly port: number
}) {
  const { db } = options
  const now = yield* Clock.currentTimeMillis
  const folder = nearest(dirname(resolve(db)))
  // Before anything is opened: SQLite makes files beside the database, in its mode.
  const entries = Machine.entriesOf(db)
  const isServed = Checkup.isServed(db)
  const checkup = existsSync(db) ? yield* Effect.either(Checkup.look(db)) : undefined
  const found = checkup?._tag === "Right" ? checkup.right : undefined
  const used = existsSync(db) ? statSync(db).size : 0
  return [
    Machine.clock({ now, folder: Machine.timeOf(folder), newestAt: found?.newestAt ?? 0 }),
    Machine.disk(folder, Machine.free(folder), used),
    ...(checkup === undefined ? [none(db)] : Machine.modes(entries)),
    ...(checkup?._tag === "Left" ? [unusable(checkup.left.message)] : []),
    ...(found === undefined ? [] : databaseChecks(db, found, isServed)),
    yield* port(options, isServed),
    ...(found === undefined ? [] : tokens(found.tokens, Math.floor(now / 1000)))
  ]
})

/** The folder, or what there is of the way to it. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))

const none = (db: string): Check =>
  warn("database", `there is none at ${db} yet`, "signalbox serve makes it; or name another with --db")

const unusable = (message: string): Check =>
  fail(
    "database",
    message,
    "name another with --db, or put a backup in its place: signalbox restore BACKUP --force"
  )
