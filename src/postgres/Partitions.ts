// The partitions whose bots a process runs. Each has an owner, an epoch that rises with each change of owner, and a
// sequence number that rises with each commit: a commit names all three, and stores nothing where they are others.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Partition, partitions } from "../domain/Partition.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as Dialect from "../sql/Dialect.ts"
import * as Rows from "../sql/rows/Rows.ts"
import { again } from "./client/Again.ts"

/** A partition as its owner knows it. `last` is the name of its last commit. */
export interface Held {
  readonly id: Partition
  readonly owner: string | null
  readonly epoch: number
  readonly seq: number
  readonly last: string | null
}

/** A commit that some partitions refused: another process owns them, or it is stored, or others were stored before it. */
export type Refused = "lost" | "stored" | "moved"

/** The partitions of this process. Both effects die with `StorageUnavailable` while the database is away. */
export interface Partitions {
  /** Takes these partitions: earlier owners store nothing from then on. Without them, all of them, unless it has some. */
  readonly claim: (some?: Iterable<Partition>) => Effect.Effect<void>
  /** Those of these ids, ascending, that were claimed. */
  readonly of: (ids: Iterable<Partition>) => ReadonlyArray<Held>
  /** Notes that a commit is stored in its partitions. */
  readonly stored: (held: ReadonlyArray<Held>) => void
  /** Finds out why partitions refused a commit, or whether one without an answer is stored. */
  readonly ask: (held: ReadonlyArray<Held>, name: string) => Effect.Effect<Refused>
}

const rows = Rows.reader(
  Schema.Struct({
    id: Partition,
    owner: Schema.NullOr(Schema.String),
    epoch: Schema.Int,
    seq: Schema.Int,
    last: Schema.NullOr(Schema.String)
  })
)
const COLUMNS = "id, owner, epoch, seq, last"

/** The commit's fate, by the partitions as they are now and as they were when it was sent. */
export const fateOf = (before: ReadonlyArray<Held>, now: ReadonlyArray<Held>, name: string): Refused => {
  const known = new Map(before.map((held) => [held.id, held]))
  const isOurs = ({ epoch, id, owner }: Held) => {
    const held = known.get(id)
    return held?.owner === owner && held.epoch === epoch
  }
  // Whoever lost a partition must do nothing more, even if the last that it did is stored.
  if (now.length < before.length || !now.every(isOurs)) return "lost"
  // A commit is stored in all of its partitions, or in none.
  return now.some(({ last }) => last === name) ? "stored" : "moved"
}

/** Makes the partitions of a process, which has claimed none yet. */
export const make: Effect.Effect<Partitions, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const permit = yield* Effect.makeSemaphore(1)
  const columns = sql.literal(COLUMNS)
  const known = new Map<Partition, Held>()
  const keep = (found: ReadonlyArray<Held>) => {
    for (const held of found) known.set(held.id, held)
  }

  const read = (ids: ReadonlyArray<Partition>) =>
    rows.all(sql`SELECT ${columns} FROM partitions WHERE id IN ${Dialect.ids(sql, ids)} ORDER BY id`)
  /** The server's lease may have given them to this process already. Rows are locked in one sequence everywhere. */
  const take = (ids: ReadonlyArray<Partition>) =>
    sql`UPDATE partitions SET owner = current_setting('application_name'), epoch = epoch + 1
      WHERE id IN (SELECT id FROM partitions WHERE id IN ${Dialect.ids(sql, ids)}
        AND owner IS DISTINCT FROM current_setting('application_name') ORDER BY id FOR UPDATE)`
  const claim = (ids: ReadonlyArray<Partition>) =>
    orDie(again(sql.withTransaction(Effect.zipRight(take(ids), read(ids)))))

  return {
    claim: (some) =>
      Effect.suspend(() =>
        some === undefined && known.size > 0
          ? Effect.void
          : Effect.map(claim([...(some ?? partitions)]), keep)
      ).pipe(permit.withPermits(1)),
    of: (ids) =>
      [...ids]
        .sort((one, other) => one - other)
        .flatMap((id) => {
          const held = known.get(id)
          return held === undefined ? [] : [held]
        }),
    stored: (held) => keep(held.map((it) => ({ ...it, seq: it.seq + 1 }))),
    ask: Effect.fnUntraced(function* (held, name) {
      const ids = held.map(({ id }) => id)
      // Waits for a commit that is still on its way.
      const now = yield* rows.all(
        again(sql`SELECT ${columns} FROM partitions
          WHERE id IN ${Dialect.ids(sql, ids)} ORDER BY id FOR UPDATE`)
      )
      const fate = fateOf(held, now, name)
      if (fate !== "lost") keep(now)
      return fate
    })
  }
})
