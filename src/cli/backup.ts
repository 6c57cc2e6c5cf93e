// `signalbox backup`: writes a verified copy of the database, also while the server runs.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Backup from "../sqlite/backups/Backup.ts"
import * as Thread from "./backup/Thread.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { database, fileOf, json } from "./program/shared.ts"
import { size } from "./program/table.ts"
import { document, faulty, notSound } from "./verify.ts"

const force = Options.boolean("force").pipe(Options.withDescription("replace the file if it exists"))

export const backup = Command.make(
  "backup",
  {
    file: Args.text({ name: "file" }).pipe(Args.withDescription("path of the copy")),
    force,
    json,
    db: database
  },
  (options) =>
    Effect.gen(function* () {
      const { file, force, json } = options
      const db = yield* fileOf(options.db, "back it up with pg_dump, or by point-in-time recovery")
      const { bytes, verdict } = yield* inOneLine(db)(Backup.write(db, file, { force, copy: Thread.copy }))
      const { faults, head, rows } = verdict
      if (json) yield* Console.log(JSON.stringify({ file, bytes, ...document(db, verdict) }))
      else if (faults.length > 0) yield* Console.log(faulty(verdict))
      else {
        yield* Console.log(
          `${file} is written and verified: ${size(bytes)}, ${rows.alerts} alerts, ${rows.trades} trades of ${rows.bots} bots.\n` +
            `  ${rows.ledger} ledger rows; the head of their chain is ${head}`
        )
      }
      // The copy is kept although its books are faulty: it may be the only one.
      if (faults.length > 0) return yield* notSound(`${file} is written, but its content`, verdict)
    })
).pipe(
  Command.withDescription("write a verified copy of the database to a file; works while the server runs")
)
