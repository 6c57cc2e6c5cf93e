// `signalbox move`: copies a whole database between a file and Postgres, verified on both sides, and marks the one that
// it came from, which is not used any more.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Database from "../domain/requests/Database.ts"
import * as PostgresDestination from "../postgres/moves/PostgresDestination.ts"
import * as PostgresOrigin from "../postgres/moves/PostgresOrigin.ts"
import * as Move from "../sql/moves/Move.ts"
import type { Claim } from "../sql/moves/MoveRows.ts"
import * as FileDestination from "../sqlite/moves/FileDestination.ts"
import * as FileOrigin from "../sqlite/moves/FileOrigin.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { json } from "./program/shared.ts"
import { usage } from "./program/usage.ts"
import { document, faulty, notSound } from "./verify.ts"

const place = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("DATABASE"), Options.withDescription(description))

const from = place(
  "from",
  "the database to move: the path of a file, or postgres://user@host:5432/database; nobody may serve it"
)
const to = place("to", "where to: a new file, or a database of Postgres without tables of its own")

export const move = Command.make("move", { from, to, json }, (options) =>
  Effect.gen(function* () {
    const [source, target] = yield* endsOf(options)
    const { verdict, sums } = yield* moved(source, target).pipe(
      inOneLine(Database.shown(source)),
      Effect.catchTag("SourceNotSound", ({ shown, verdict }) =>
        Effect.gen(function* () {
          yield* Console.log(options.json ? JSON.stringify(document(shown, verdict)) : faulty(verdict))
          return yield* notSound(`nothing was changed: ${shown}`, verdict)
        })
      )
    )
    const [left, right] = [Database.shown(source), Database.shown(target)]
    if (options.json)
      yield* Console.log(
        JSON.stringify({
          from: left,
          to: right,
          head: verdict.head,
          rows: verdict.rows,
          tables: Object.fromEntries([...sums].sort())
        })
      )
    else yield* Console.log(report(left, target, { verdict, sums }))
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "move everything between a file and a database of Postgres, verified on both sides; what it came from is marked, and not used any more. A password is better kept out of the list of processes: in PGPASSWORD, or in the file that PGPASSFILE names"
  )
)

/** The two databases, of which one is a file and the other is of Postgres. */
const endsOf = Effect.fnUntraced(function* (options: { readonly from: string; readonly to: string }) {
  const source = yield* databaseOf("--from", options.from)
  const target = yield* databaseOf("--to", options.to)
  if (source._tag === target._tag)
    return yield* usage(
      `one of --from and --to is the path of a file, and the other an address of Postgres: ${Database.FORM}`
    )
  return [source, target] as const
})

const databaseOf = (option: string, text: string) => {
  if (text === "") return usage(`${option} is empty`)
  if (Database.isAddress(text))
    return Effect.succeed<Database.Database>({ _tag: "Postgres", url: Redacted.make(text) })
  return /^postgres(ql)?:/.test(text)
    ? usage(`${option} is no address of Postgres: ${Database.FORM}`)
    : Effect.succeed<Database.Database>({ _tag: "File", filename: text })
}

/** A name of this process that no other has. */
const processOf = (url: Redacted.Redacted) => ({ url, node: `move-${crypto.randomUUID()}` })

const moved = Effect.fnUntraced(function* (source: Database.Database, target: Database.Database) {
  const origin =
    source._tag === "File"
      ? yield* FileOrigin.open(source.filename)
      : yield* PostgresOrigin.open(processOf(source.url))
  const before = yield* Move.soundOrigin(origin)
  const ticket = Move.ticketOf(origin, yield* Clock.currentTimeMillis)
  const claim: Claim = { ...ticket, from: origin.shown, source: origin.standing }
  const destination =
    target._tag === "File"
      ? yield* FileDestination.open(target.filename, claim)
      : yield* PostgresDestination.open(processOf(target.url), claim)
  return yield* Move.move({ ticket, from: origin, before, to: destination })
})

const passwordHint = (url: Redacted.Redacted): string =>
  Database.holdsPassword(Redacted.value(url))
    ? ", with its password in the address or in the file that PGPASSFILE names"
    : ""

const report = (source: string, target: Database.Database, { sums, verdict }: Move.Moved): string => {
  const { head, rows } = verdict
  const all = [...sums.values()].reduce((sum, it) => sum + it.rows, 0)
  const serve =
    target._tag === "File"
      ? `signalbox serve --db ${target.filename}`
      : `SIGNALBOX_DATABASE='${Database.withoutPassword(target.url)}' signalbox serve${passwordHint(target.url)}`
  return [
    `${source} is moved to ${Database.shown(target)} and verified: ${all.toLocaleString("en")} rows of ${sums.size} tables, each the same.`,
    `  ${rows.alerts} alerts, ${rows.trades} trades of ${rows.bots} bots and ${rows.ledger} ledger rows; the head of their chain is ${head}`,
    `  ${source} is kept as it was, and is not used any more.`,
    `  Start the server there: ${serve}`
  ].join("\n")
}
