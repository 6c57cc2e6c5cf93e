// `signalbox verify`: recomputes every balance, position and figure from the fills and reports what differs.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { shown } from "../domain/requests/Database.ts"
import * as Records from "../Records.ts"
import type { Fault } from "../sql/verify/Fault.ts"
import type { Verdict } from "../sql/verify/Verify.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { database, json } from "./program/shared.ts"

/** The database has faults: exit code 1. */
export class NotSound extends Data.TaggedError("NotSound")<{ readonly message: string }> {}

export const verify = Command.make("verify", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const verdict = yield* inOneLine(options.db)(Records.verify(options.db))
    const name = shown(options.db)
    yield* Console.log(options.json ? JSON.stringify(document(name, verdict)) : report(name, verdict))
    if (verdict.faults.length > 0) return yield* notSound(name, verdict)
  })
)

export const notSound = (subject: string, { faults, untold }: Verdict) => {
  const count = faults.length + untold
  return new NotSound({ message: `${subject} is not sound: ${count} ${count === 1 ? "fault" : "faults"}` })
}

export const document = (filename: string, { faults, head, rows, untold, version }: Verdict) => ({
  database: filename,
  sound: faults.length === 0,
  version,
  rows,
  head,
  faults: faults.map(({ row, strategy, table, text }) => ({
    strategy: strategy ?? null,
    table,
    row: row ?? null,
    text
  })),
  untold
})

const report = (filename: string, verdict: Verdict): string =>
  verdict.faults.length === 0 ? sound(filename, verdict) : faulty(verdict)

const sound = (filename: string, { head, rows }: Verdict): string =>
  [
    `${filename} is sound.`,
    `  ${rows.ledger} ledger rows, all balanced and linked in one chain, whose head is ${head}`,
    `  ${rows.bots} bots with ${rows.orders} orders, ${rows.fills} fills and ${rows.trades} trades:`,
    "  their balances, positions and figures match their fills"
  ].join("\n")

export const faulty = ({ faults, untold }: Verdict): string =>
  [...faults.map(line), ...(untold > 0 ? [`and ${untold} more`] : [])].join("\n")

const line = ({ row, strategy, table, text }: Fault): string => {
  const place = row === undefined ? table : `${table} row ${row}`
  return `${strategy === undefined ? "" : `strategy ${strategy}, `}${place}: ${text}`
}
