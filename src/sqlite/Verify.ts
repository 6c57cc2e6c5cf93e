import type { Database } from "bun:sqlite"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Finding } from "../trading/Books.ts"
import { reasonOf } from "./Failure.ts"
import * as LedgerChain from "./LedgerChain.ts"
import * as ReadOnly from "./ReadOnly.ts"
import * as StrategyRows from "./StrategyRows.ts"
import { audited, ORDER_OF_FILL } from "./VerifyBooks.ts"

/** Something that is wrong in a database, with the strategy whose books it is in. */
export interface Fault extends Finding {
  readonly strategy?: number
}

/** What a look at a whole database came to. */
export interface Verdict {
  readonly version: number
  readonly faults: ReadonlyArray<Fault>
  /** Faults beyond the most that are told of. */
  readonly untold: number
  readonly rows: Readonly<Record<(typeof TABLES)[number], number>>
  /** The hash of the ledger's last row, in hex: it stands for all rows of the ledger. */
  readonly head: string
}

const TABLES = ["ledger", "fills", "trades", "orders", "bots", "strategies", "signals", "alerts"] as const

/** Stands for a table where the file itself is damaged. */
export const FILE = "file"

/** The most faults that are told of. */
export const MAX_FAULTS = 1_000

/**
 * Looks at everything in a database that can be checked: the file, the references, the ledger's chain, and the books
 * of each bot. Reads one moment of it, row by row, and writes nothing; a server beside it goes on undisturbed.
 */
export const verify = Effect.fn("Verify.verify")(function* (filename: string) {
  const { database, version } = yield* ReadOnly.open(filename)
  return yield* Effect.sync(() => judge(database, version))
}, Effect.scoped)

const judge = (database: Database, version: number): Verdict => {
  const faults: Array<Fault> = []
  let untold = 0
  for (const fault of everything(database)) {
    if (faults.length < MAX_FAULTS) faults.push(fault)
    else untold++
  }
  const rows = { ledger: 0, fills: 0, trades: 0, orders: 0, bots: 0, strategies: 0, signals: 0, alerts: 0 }
  for (const table of TABLES)
    rows[table] = unlessBroken(() => ReadOnly.number(database, `SELECT count(*) FROM ${table}`), 0)
  return { version, faults, untold, rows, head: unlessBroken(() => LedgerChain.head(database), "") }
}

/** A file that is broken has been told of already. */
const unlessBroken = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function* everything(database: Database): Generator<Fault> {
  yield* told(FILE, intact(database))
  yield* told("references", references(database))
  yield* told("ledger", LedgerChain.broken(database))
  yield* told("orders", unfilled(database))
  yield* told("strategies", settings(database))
  yield* told("bots", books(database))
}

/** A file may be too broken to be read on: that is a finding too. */
function* told(table: string, faults: Generator<Fault>): Generator<Fault> {
  try {
    yield* faults
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

/** Orders that are said to have filled, and no fill of them is there. */
function* unfilled(database: Database): Generator<Fault> {
  const found = database.query(`SELECT strategy_id, sequence, id, status FROM orders WHERE id IN (
    SELECT id FROM orders WHERE status IN ('partly_filled', 'filled')
    EXCEPT SELECT ${ORDER_OF_FILL} FROM fills) ORDER BY sequence`)
  for (const [strategy, row, id, status] of found.values()) {
    const text = `order ${id} is ${status}, and there is no fill of it`
    yield { strategy: Number(strategy), table: "orders", row: Number(row), text }
  }
}

/** Settings that a server could not read, and so not start with. */
function* settings(database: Database): Generator<Fault> {
  for (const [id, text] of database.query("SELECT id, settings FROM strategies").values())
    if (Option.isNone(StrategyRows.decode(text)))
      yield {
        strategy: Number(id),
        table: "strategies",
        row: Number(id),
        text: "its settings cannot be read"
      }
}

function* books(database: Database): Generator<Fault> {
  const strategies = database.query(`SELECT strategy_id FROM bots UNION SELECT strategy_id FROM ledger
    UNION SELECT strategy_id FROM fills UNION SELECT strategy_id FROM trades`)
  for (const [id] of strategies.values()) {
    const strategy = Number(id)
    for (const finding of audited(database, strategy)) yield { strategy, ...finding }
  }
}
