// Verifies a whole database: file, schema, rows, references, ledger chain, orders and every bot's books. It reads one
// moment and writes nothing, so a server may run beside it.
import type { Database } from "bun:sqlite"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Breath from "../services/engine/Breath.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import { PAUSE } from "../trading/audit/Books.ts"
import type { Check, Fault } from "./client/Fault.ts"
import * as LongWork from "./client/LongWork.ts"
import * as ReadOnly from "./client/ReadOnly.ts"
import * as LedgerChain from "./rows/LedgerChain.ts"
import { audited } from "./verify/VerifyBooks.ts"
import { disagreeing } from "./verify/VerifyDays.ts"
import * as VerifyFollowings from "./verify/VerifyFollowings.ts"
import { differing } from "./verify/VerifyGroups.ts"
import * as Meter from "./verify/VerifyMeter.ts"
import { contradicted } from "./verify/VerifyOrders.ts"
import { miscounted } from "./verify/VerifyRecords.ts"
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
  const expected = yield* VerifySchema.fresh(version)
  const listen = yield* FiberRef.get(LongWork.listener)
  const meter = listen === undefined ? Meter.OFF : Meter.make(weigh(database, version), listen)
  const checks = everything({ database, version, expected, meter })
  return yield* Effect.ensuring(
    judge(database, version, checks),
    LongWork.tell({ words: "verified", done: 1, total: 1 })
  )
}, Effect.scoped)

/** What is verified, and against what. */
interface Subject {
  readonly database: Database
  readonly version: number
  readonly expected: VerifySchema.Definitions
  readonly meter: Meter.Meter
}

/** SQLite's own check of the file takes about this share of the time that reading the rows takes. */
const FILE_SHARE = 0.2

/** The rows of a table that its check will read. */
const rowsOf = (database: Database, table: string): number =>
  unlessBroken(() => ReadOnly.number(database, `SELECT count(*) FROM ${table}`), 0)

/** The rows of all checks together: those of each table, and the ledger's twice more, for its chain and the books. */
const weigh = (database: Database, version: number): number => {
  const tables = VerifyRows.looks.filter(([table]) => VerifyRows.isThere(table, version))
  const rows = tables.reduce((sum, [table]) => sum + rowsOf(database, table), 0)
  return (rows + 2 * rowsOf(database, "ledger")) * (1 + FILE_SHARE) + 1
}

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
  for (const table of TABLES) rows[table] = rowsOf(database, table)
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
function* everything(subject: Subject): Check {
  const { database, version } = subject
  let isSound = true
  for (const found of rowsAndBooks(subject)) {
    if (found !== PAUSE) isSound = false
    yield found
  }
  if (!isSound) return
  yield* readable("result_days", disagreeing(database, version))
  yield* readable("trade_groups", differing(database, version))
  yield* readable("strategy_records", miscounted(database, version))
}

function* rowsAndBooks({ database, expected, meter, version }: Subject): Check {
  const rowsIn = (table: string) => (meter.isOn ? rowsOf(database, table) : 0)
  const file = meter.isOn ? weigh(database, version) * (FILE_SHARE / (1 + FILE_SHARE)) : 0
  yield* meter.part("verifying the file", file, readable(FILE, intact(database)))
  yield PAUSE
  yield* readable("schema", VerifySchema.differing(database, expected))
  for (const [table, check] of VerifyRows.looks)
    if (VerifyRows.isThere(table, version)) {
      const words = `verifying ${table.replaceAll("_", " ")}`
      yield* meter.part(words, rowsIn(table), readable(table, check(database, version)))
    }
  yield* readable("references", references(database))
  yield* readable("followings", VerifyFollowings.contradicted(database, version))
  const chain = readable("ledger", LedgerChain.broken(database, version))
  yield* meter.part("verifying the ledger", rowsIn("ledger"), chain)
  yield* readable("orders", contradicted(database))
  yield* readable("bots", books(database, meter))
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

function* books(database: Database, meter: Meter.Meter): Check {
  const strategies = database.query(`SELECT strategy_id FROM bots UNION SELECT strategy_id FROM ledger
    UNION SELECT strategy_id FROM fills UNION SELECT strategy_id FROM trades`)
  for (const [id] of strategies.values()) {
    const strategy = Number(id)
    const rows = meter.isOn ? rowsOf(database, `ledger WHERE strategy_id = ${strategy}`) : 0
    yield* meter.part(`verifying the books of strategy ${strategy}`, rows, booksOf(database, strategy))
    yield PAUSE
  }
}

function* booksOf(database: Database, strategy: number): Check {
  for (const found of audited(database, strategy)) yield found === PAUSE ? PAUSE : { strategy, ...found }
}
