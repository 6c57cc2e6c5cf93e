// Moves everything from one database to another, neither of which is served meanwhile:
//
// 1. Verify the source. With faults, nothing is changed.
// 2. Mark the target as the target of an unfinished move: from now on nobody uses it but a move.
// 3. Copy every table and the last ids, and hash what was read. Read the target again: the hashes must be the same.
// 4. Read the ends of the target's ledger chains: they must be those of the source.
// 5. Mark the source as moved: from now on nobody uses it. Then mark the move as finished: the target may be used.
//
// So at no time may both be used, and one that ends early is begun anew.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import type * as Scope from "effect/Scope"
import type { DatabaseNewer, DatabaseUnavailable } from "../client/DatabaseErrors.ts"
import * as LongWork from "../client/LongWork.ts"
import type { Verdict } from "../verify/Verify.ts"
import { MoveRefused, type Standing } from "./MoveRows.ts"
import * as MoveTable from "./MoveTable.ts"
import * as RowHash from "./RowHash.ts"

/** Why an end of a move fails. */
export type MoveError = DatabaseNewer | DatabaseUnavailable | MoveRefused

/** The last id that was given out, by table. */
export type LastIds = ReadonlyMap<string, number>

/** One of the two databases. */
export interface End {
  /** The path of the file, or the address without user and password. */
  readonly shown: string
  readonly tables: ReadonlyArray<MoveTable.Table>
  /** The number of rows. */
  readonly count: (table: MoveTable.Table) => Effect.Effect<number, MoveError>
  /** Reads a table sorted by its key, a page at a time; a page without rows is the end. */
  readonly read: (
    table: MoveTable.Table
  ) => Effect.Effect<Effect.Effect<ReadonlyArray<RowHash.Row>, MoveError>, MoveError, Scope.Scope>
  readonly lastIds: Effect.Effect<LastIds, MoveError>
  /** One hash that stands for all rows of the ledger. */
  readonly head: Effect.Effect<string, MoveError>
}

/** A move, as both ends name it. */
export interface Ticket {
  readonly id: string
  /** When it began (ms). */
  readonly at: number
}

/** The ticket of a new move. A source that was marked, but whose target is unfinished, goes on with its own. */
export const ticketOf = ({ standing }: Origin, at: number): Ticket => ({
  id: standing._tag === "Moved" ? standing.move.move : crypto.randomUUID(),
  at
})

/** Where everything is. Nobody else writes to it while it is open. */
export interface Origin extends End {
  readonly standing: Standing
  readonly verify: Effect.Effect<Verdict, MoveError>
  /** Marks it as moved to another, on disk. */
  readonly leave: (ticket: Ticket, to: string) => Effect.Effect<void, MoveError>
}

/** Where everything goes. It is marked as unfinished. */
export interface Destination extends End {
  readonly write: (table: MoveTable.Table, rows: ReadonlyArray<RowHash.Row>) => Effect.Effect<void, MoveError>
  readonly setLastIds: (ids: LastIds) => Effect.Effect<void, MoveError>
  /** Ends the copying: what was written can be read by others. */
  readonly settle: Effect.Effect<void, MoveError>
  /** Puts everything into its place on disk; it may still not be used. */
  readonly arrive: Effect.Effect<void, MoveError>
  /** Lets the database be used. */
  readonly finish: Effect.Effect<void, MoveError>
}

/** What was moved. */
export interface Moved {
  /** On the source. The target has the same rows, and the same head. */
  readonly verdict: Verdict
  readonly sums: ReadonlyMap<string, RowHash.Sum>
}

/** The source has faults, and nothing was changed. */
export class SourceNotSound extends Data.TaggedError("SourceNotSound")<{
  readonly shown: string
  readonly verdict: Verdict
}> {}

/** Verifies the source, before anything is done. */
export const soundOrigin = Effect.fnUntraced(function* (from: Origin) {
  const verdict = yield* from.verify
  if (verdict.faults.length > 0) return yield* new SourceNotSound({ shown: from.shown, verdict })
  return verdict
})

/** Both ends of a move; `before` is the verdict on the source. */
export interface Ends {
  readonly ticket: Ticket
  readonly from: Origin
  readonly before: Verdict
  readonly to: Destination
}

/** Moves everything. */
export const move = Effect.fn("Move.move")(function* ({ before, from, ticket, to }: Ends) {
  const plan = MoveTable.planOf(from.tables, to.tables)
  if (plan._tag === "Misfit")
    return yield* new MoveRefused({ message: `${from.shown} does not fit into ${to.shown}: ${plan.text}` })
  const { tables } = plan
  const meter = yield* metered(from, tables)
  const sums = new Map<string, RowHash.Sum>()
  for (const table of tables)
    sums.set(
      table.name,
      yield* summed(from, table, (rows) =>
        Effect.zipRight(to.write(table, rows), meter("copying", table, rows))
      )
    )
  const ids = yield* from.lastIds
  yield* to.setLastIds(ids)
  yield* to.settle
  for (const table of tables) {
    const sum = yield* summed(to, table, (rows) => meter("comparing", table, rows))
    if (sum.hash !== sums.get(table.name)?.hash)
      return yield* differing(from, to, `table ${table.name} does not hold the same rows`)
  }
  yield* sameIds(from, to, ids)
  yield* LongWork.tell({ words: "copied", done: 1, total: 1 })
  if ((yield* to.head) !== before.head) return yield* differing(from, to, "the ledger ends otherwise")
  yield* to.arrive
  yield* Effect.uninterruptible(Effect.zipRight(from.leave(ticket, to.shown), to.finish))
  return { verdict: before, sums } satisfies Moved
})

const differing = (from: End, to: End, text: string) =>
  new MoveRefused({
    message: `what arrived in ${to.shown} is not what ${from.shown} holds (${text}): the source is as it was, and the target is not used; run signalbox move again`
  })

const summed = (
  end: End,
  table: MoveTable.Table,
  each: (rows: ReadonlyArray<RowHash.Row>) => Effect.Effect<void, MoveError>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const hash = RowHash.make(table.columns.map(({ name }) => name))
      const next = yield* end.read(table)
      // The next page is read while the one before is hashed and written: both ends work at once.
      for (let reading = yield* Effect.forkScoped(next); ; ) {
        const rows = yield* Fiber.join(reading)
        if (rows.length === 0) return hash.end()
        reading = yield* Effect.forkScoped(next)
        hash.add(rows)
        yield* each(rows)
      }
    })
  )

/** An id that was given out once is never given out again. */
const sameIds = Effect.fnUntraced(function* (from: Origin, to: Destination, ids: LastIds) {
  const there = yield* to.lastIds
  for (const [table, id] of ids)
    if (there.has(table) && (there.get(table) ?? 0) < id)
      return yield* differing(from, to, `table ${table} would give out an id again`)
})

/** Tells how far a move is: every row is copied once and read once more. */
const metered = Effect.fnUntraced(function* (from: Origin, tables: ReadonlyArray<MoveTable.Table>) {
  const listen = yield* FiberRef.get(LongWork.listener)
  if (listen === undefined) return () => Effect.void
  let total = 1
  for (const table of tables) total += 2 * (yield* from.count(table))
  let done = 0
  return (verb: string, { name }: MoveTable.Table, rows: ReadonlyArray<RowHash.Row>) =>
    Effect.sync(() => {
      done += rows.length
      listen({ words: `${verb} ${name.replaceAll("_", " ")}`, done: Math.min(done, total * 0.99), total })
    })
})
