// The one database of all nodes: a file of SQLite that does what our Postgres does. One transaction is open at a time, and
// everybody else waits for its end; what was committed is told to all who listen.
import { Database, type SQLQueryBindings } from "bun:sqlite"
import { SqlError } from "@effect/sql/SqlError"
import { PostgresError, sqlErrorOf } from "../../../src/postgres/client/PostgresError.ts"
import type { Loom } from "../Loom.ts"
import { append } from "./appends.ts"
import { FENCE, inSqlite, type Said } from "./dialect.ts"

export type Row = Readonly<Record<string, unknown>>
/** What became of a statement. */
export type Answer = ReadonlyArray<Row> | SqlError

/** A row of the partitions, as it was committed. Times in ms. */
export interface Lease {
  readonly id: number
  readonly owner: string | null
  readonly epoch: number
  readonly lease: number | null
  readonly cursor: number
}

/** A partition as a commit named it, and whether the fence let it pass. */
export interface Fenced {
  readonly id: number
  readonly epoch: number
  readonly owner: string
  readonly isStored: boolean
}

/** What is told to all who listen: the last alert with its writer, or that somebody changed what others may remember. */
export type Notice =
  | { readonly alert: number; readonly writer: string }
  | { readonly change: number; readonly node: string }

/** A connection on which a transaction may be open. */
export class Session {
  readonly node: string
  isBroken = false

  constructor(node: string) {
    this.node = node
  }
}

/** The statement that appends alerts, as the journal names it. */
export const APPEND = "append"
/** What everybody who listens asks for, again and again. */
export const HEADS = "SELECT last AS alert, changes AS change FROM journal"

/** Tables that nodes keep in memory. */
const REMEMBERED =
  /(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM) (?:tokens|signals|strategies|followings|halts|exchange_switches|market_switches|market_refreshes)\b/

const GONE = sqlErrorOf(new Error("the connection was closed"))
/** The partitions that are of interest: no account of a world is in another. */
export const MOST_PARTITION = 5

export class SharedDatabase {
  readonly #database: Database
  readonly #loom: Loom
  #holder: Session | undefined
  #waiting: Array<() => void> = []
  /** Whether the open transaction has changed what others remember, or any partition. */
  #remembered = false
  #moved = false
  /** Called with what was committed. */
  tell: (notice: Notice) => void = () => {}
  /** Called with the partitions after each commit that may have changed them, and with who committed. */
  onMove: (all: ReadonlyArray<Lease>, by: string) => void = () => {}

  /** Called with what a commit says of a partition, and with the partition. */
  onFence: (fenced: Fenced, lease: Lease) => void = () => {}

  constructor(filename: string, loom: Loom) {
    this.#database = new Database(filename)
    this.#database.run("PRAGMA journal_mode = WAL")
    this.#database.run("PRAGMA synchronous = OFF")
    this.#database.run("PRAGMA foreign_keys = ON")
    this.#loom = loom
  }

  /** Runs a statement, once no other transaction is open. */
  run(node: string, session: Session | undefined, said: Said, answer: (answer: Answer) => void): void {
    if (session?.isBroken === true) return answer(GONE)
    if (this.#holder !== undefined && this.#holder !== session)
      return void this.#waiting.push(() => this.run(node, session, said, answer))
    answer(this.#answer(node, session, said))
    if (this.#holder === undefined) this.#next()
  }

  /** Ends a connection: what it has not committed is undone. */
  end(session: Session): void {
    session.isBroken = true
    if (this.#holder !== session) return
    this.#holder = undefined
    this.#database.run("ROLLBACK")
    this.#next()
  }

  /** Whether a transaction is open there. */
  isOpen(session: Session): boolean {
    return this.#holder === session
  }

  partitions(): ReadonlyArray<Lease> {
    return this.#database
      .query<Lease, []>(
        `SELECT id, owner, epoch, lease, cursor FROM partitions WHERE id <= ${MOST_PARTITION}`
      )
      .all()
  }

  close(): void {
    this.#waiting = []
    this.#database.close()
  }

  #next(): void {
    this.#waiting.shift()?.()
  }

  #answer(node: string, session: Session | undefined, said: Said): Answer {
    try {
      if (said.text === APPEND) return [{ before: this.#append(said.params) }]
      const { params, text } = inSqlite(said, this.#loom.now)
      const rows = this.#database.query<Row, Array<SQLQueryBindings>>(text).all(...params.map(bindable))
      if (said.text === FENCE) this.#fenced(params, rows)
      this.#remembered ||= REMEMBERED.test(text)
      this.#moved ||= text.startsWith("UPDATE partitions")
      if (text.startsWith("BEGIN")) this.#holder = session
      if (text === "ROLLBACK") this.#undone()
      if (this.#holder === undefined || text === "COMMIT") this.#committed(node)
      return rows
    } catch (cause) {
      return new SqlError({ cause: errorOf(cause), message: "Failed to execute statement" })
    }
  }

  #fenced([, ids, epochs, , , owner]: ReadonlyArray<unknown>, rows: ReadonlyArray<Row>): void {
    const named: ReadonlyArray<number> = JSON.parse(String(ids))
    const epoch: ReadonlyArray<number> = JSON.parse(String(epochs))
    const isStored = rows.length === named.length
    const leases = new Map(this.partitions().map((lease) => [lease.id, lease]))
    for (const [place, id] of named.entries()) {
      const lease = leases.get(id)
      if (lease !== undefined)
        this.onFence({ id, epoch: epoch[place] ?? 0, owner: String(owner), isStored }, lease)
    }
  }

  #undone(): void {
    this.#holder = undefined
    this.#remembered = false
    this.#moved = false
  }

  #committed(node: string): void {
    const { remembered, moved } = { remembered: this.#remembered, moved: this.#moved }
    this.#undone()
    if (moved) this.onMove(this.partitions(), node)
    if (!remembered) return
    const [row] = this.#database
      .query<{ changes: number }, []>("UPDATE journal SET changes = changes + 1 RETURNING changes")
      .all()
    this.tell({ change: row?.changes ?? 0, node })
  }

  #append(params: ReadonlyArray<unknown>): number {
    const last = () => this.#database.query<{ last: number }, []>("SELECT last FROM journal").get()?.last ?? 0
    const known = last()
    const before = this.#database.transaction(() => append(this.#database, params, this.#loom.now))()
    if (last() > known) this.tell({ alert: last(), writer: String(params[0]) })
    return before
  }
}

const bindable = (value: unknown): SQLQueryBindings => {
  if (typeof value === "boolean") return Number(value)
  if (value === null || typeof value === "string" || typeof value === "number") return value
  if (value instanceof Uint8Array) return value
  throw new Error(`a parameter that SQLite does not take: ${typeof value}`)
}

/** What SQLite refuses has its own codes, which ours tell apart as well. */
const errorOf = (cause: unknown): unknown =>
  cause instanceof Error && !("code" in cause) ? new PostgresError("XX000", cause.message) : cause
