// Verifies a whole database: file, schema, rows, references, ledger chain, orders and every bot's books. It reads one
// moment and writes nothing, so a server may run beside it.
import type { Database } from "bun:sqlite"
import * as Effect from "effect/Effect"
import * as Breath from "../services/engine/Breath.ts"
import { PAUSE } from "../trading/audit/Books.ts"
import type { Check, Fault } from "./client/Fault.ts"
import * as ReadOnly from "./client/ReadOnly.ts"
import { inRealTime } from "./client/RealTime.ts"
import { reasonOf } from "./client/SqlErrors.ts"
import * as LedgerChain from "./rows/LedgerChain.ts"
import { audited } from "./verify/VerifyBooks.ts"
import { disagreeing } from "./verify/VerifyDays.ts"
import * as VerifyFollowings from "./verify/VerifyFollowings.ts"
import { differing } from "./verify/VerifyGroups.ts"
import { contradicted } from "./verify/VerifyOrders.ts"
import * as VerifyRows from "./verify/VerifyRows.ts"
import * as VerifySchema from "./verify/VerifySchema.ts"

/** The result of a verification. */
export interface Verdict {
  readonly version: number
  readonly faults: ReadonlyArray<Fault>
  /** The number of faults beyond those listed. */
  readonly untold: number
  readonly rows: Readonly<Record<(typeof TABLES)[number], number>>
  /** One hash, in hex, over the ends of all ledger chains: it stands for all rows. */
  readonly head: string
}

const TABLES = ["ledger", "fills", "trades", "orders", "bots", "strategies", "signals", "alerts"] as const

/** The table's name for faults of the file itself. */
export const FILE = "file"

/** The most faults that are listed. */
export const MAX_FAULTS = 1_000

/** Verifies a database, row by row. Can be interrupted between groups of rows. */
export const verify = Effect.fn("Verify.verify")(function* (filename: string) {
  const { database, version } = yield* ReadOnly.open(filename)
  return yield* judge(database, version, everything(database, version, yield* VerifySchema.fresh(version)))
}, Effect.scoped)

/** Lets signals in, which takes a whole turn of the event loop. */
const breathe = inRealTime(Breath.breathe)

const judge = Effect.fnUntraced(
  function* (database: Database, version: number, check: Check) {
    const faults: Array<Fault> = []
    let untold = 0
    for (const found of check) {
      if (found === PAUSE) yield* breathe
      else if (faults.length < MAX_FAULTS) faults.push(found)
      else untold++
    }
    return summary(database, version, faults, untold)
  },
  // Closes the generator's statements after an interruption.
  (judging, _database, _version, check) =>
    Effect.ensuring(
      judging,
      Effect.sync(() => check.return(undefined))
    )
)

const summary = (
  database: Database,
  version: number,
  faults: ReadonlyArray<Fault>,
  untold: number
): Verdict => {
  const rows = { ledger: 0, fills: 0, trades: 0, orders: 0, bots: 0, strategies: 0, signals: 0, alerts: 0 }
  for (const table of TABLES)
    rows[table] = unlessBroken(() => ReadOnly.number(database, `SELECT count(*) FROM ${table}`), 0)
  return { version, faults, untold, rows, head: unlessBroken(() => LedgerChain.head(database, version), "") }
}

/** A damaged file is a fault already. */
const unlessBroken = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Sums are verified only where all rows behind them are sound. */
function* everything(database: Database, version: number, expected: VerifySchema.Definitions): Check {
  let isSound = true
  for (const found of rowsAndBooks(database, version, expected)) {
    if (found !== PAUSE) isSound = false
    yield found
  }
  if (!isSound) return
  yield* readable("result_days", disagreeing(database, version))
  yield* readable("trade_groups", differing(database, version))
}

function* rowsAndBooks(database: Database, version: number, expected: VerifySchema.Definitions): Check {
  yield* readable(FILE, intact(database))
  yield PAUSE
  yield* readable("schema", VerifySchema.differing(database, expected))
  for (const [table, check] of VerifyRows.looks)
    if (VerifyRows.isThere(table, version)) yield* readable(table, check(database, version))
  yield* readable("references", references(database))
  yield* readable("followings", VerifyFollowings.contradicted(database, version))
  yield* readable("ledger", LedgerChain.broken(database, version))
  yield* readable("orders", contradicted(database))
  yield* readable("bots", books(database))
}

/** A file that is too damaged to read on is a fault too. */
function* readable(table: string, check: Check): Check {
  try {
    yield* check
  } catch (cause) {
    yield { table, text: `cannot be read any further: ${reasonOf(cause)}` }
  }
}

function* intact(database: Database): Generator<Fault> {
  for (const [text] of database.query("PRAGMA integrity_check").values())
    if (text !== "ok") yield { table: FILE, text: String(text).replaceAll("\n", " ") }
}

function* references(database: Database): Generator<Fault> {
  for (const [table, row, parent] of database.query("PRAGMA foreign_key_check").values())
    yield {
      table: String(table),
      row: Number(row),
      text: `it refers to a row of ${parent} that is not there`
    }
}

function* books(database: Database): Check {
  const strategies = database.query(`SELECT strategy_id FROM bots UNION SELECT strategy_id FROM ledger
    UNION SELECT strategy_id FROM fills UNION SELECT strategy_id FROM trades`)
  for (const [id] of strategies.values()) {
    const strategy = Number(id)
    for (const found of audited(database, strategy)) yield found === PAUSE ? PAUSE : { strategy, ...found }
    yield PAUSE
  }
}
