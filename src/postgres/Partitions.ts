// The partitions whose bots a process runs. Each has an owner, an epoch that rises with each change of owner, and a
// sequence number that rises with each commit: a commit names all three, and stores nothing where they are others.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** Why partitions refused a commit: it is stored, or others were stored before it. */
export type Refused = "stored" | "moved"

/** The fate of a commit: what became of it, and the partitions that another process has taken over since it was sent. */
export interface Fate {
  readonly refused: Refused
  readonly lost: ReadonlySet<Partition>
}

/** The partitions of this process. All effects die with `StorageUnavailable` while the database is away. */
export class Partitions extends Context.Tag("signalbox/postgres/Partitions")<
  Partitions,
  {
    /**
     * Begins to commit for these partitions; call it before their state is read. A process that is alone takes them:
     * earlier owners store nothing from then on. Beside others, it has those that it was given. Without partitions: all of
     * them, once, where this process is alone.
     */
    readonly claim: (some?: Iterable<Partition>) => Effect.Effect<void>
    /** Those of these ids, ascending, that this process commits for. */
    readonly of: (ids: Iterable<Partition>) => ReadonlyArray<Held>
    /** Notes that a commit is stored in its partitions. */
    readonly stored: (held: ReadonlyArray<Held>) => void
    /** Finds out why partitions refused a commit, or whether one without an answer is stored. */
    readonly ask: (held: ReadonlyArray<Held>, name: string) => Effect.Effect<Fate>
    /**
     * Notes partitions that were given to this process, as they are stored. It commits nothing for them before `claim`:
     * what it remembers of them may be of an earlier lease, and others may have stored since.
     */
    readonly gained: (held: ReadonlyArray<Held>) => void
    /** Forgets partitions that this process has no more: it commits nothing for them. */
    readonly dropped: (ids: Iterable<Partition>) => void
  }
>() {}

/** Reads rows of partitions. */
export const rows = Rows.reader(
  Schema.Struct({
    id: Partition,
    owner: Schema.NullOr(Schema.String),
    epoch: Schema.Int,
    seq: Schema.Int,
    last: Schema.NullOr(Schema.String)
  })
)
/** The columns of `rows`. */
export const COLUMNS = "id, owner, epoch, seq, last"

/** The commit's fate, by the partitions as they are now and as they were when it was sent. */
export const fateOf = (before: ReadonlyArray<Held>, now: ReadonlyArray<Held>, name: string): Fate => {
  const present = new Map(now.map((held) => [held.id, held]))
  const isOurs = ({ epoch, id, owner }: Held) => {
    const held = present.get(id)
    return held?.owner === owner && held.epoch === epoch
  }
  const lost = new Set(before.filter((held) => !isOurs(held)).map(({ id }) => id))
  // A commit is stored in all of its partitions, or in none. Those that are lost may have had others since.
  const isStored = now.some(({ id, last }) => !lost.has(id) && last === name)
  return { refused: isStored ? "stored" : "moved", lost }
}

/** Keeps the partitions of this process in memory, with the epoch and the sequence number that its next commit names. */
const remembering = () => {
  const known = new Map<Partition, Held>()
  /** Those that were given to this process, and that it has not begun with. */
  const given = new Map<Partition, Held>()
  const keep = (found: Iterable<Held>) => {
    for (const held of found) known.set(held.id, held)
  }
  /** Whether a partition is still had as it was when a commit was sent: taken anew since, it is another. */
  const isSame = ({ epoch, id }: Held) => known.get(id)?.epoch === epoch
  return {
    keep,
    /** Begins with those that were given. */
    begin: (some: Iterable<Partition>) => {
      for (const id of some) {
        const held = given.get(id)
        if (held !== undefined) known.set(id, held)
        given.delete(id)
      }
    },
    /** Takes in a commit's fate, as the partitions were when it was sent and are now. */
    learn: (before: ReadonlyArray<Held>, now: ReadonlyArray<Held>, { lost }: Fate) => {
      const ours = new Set(before.filter(isSame).map(({ id }) => id))
      keep(now.filter(({ id }) => ours.has(id) && !lost.has(id)))
      for (const id of lost) if (ours.has(id)) known.delete(id)
    },
    of: (ids: Iterable<Partition>): ReadonlyArray<Held> =>
      [...ids].sort((one, other) => one - other).flatMap((id) => known.get(id) ?? []),
    stored: (held: ReadonlyArray<Held>) =>
      keep(held.filter(isSame).map((it) => ({ ...it, seq: it.seq + 1 }))),
    gained: (held: ReadonlyArray<Held>) => {
      for (const row of held) {
        known.delete(row.id)
        given.set(row.id, row)
      }
    },
    dropped: (ids: Iterable<Partition>) => {
      for (const id of ids) {
        known.delete(id)
        given.delete(id)
      }
    }
  }
}

const make = Effect.fnUntraced(function* (isAlone: boolean) {
  const sql = yield* SqlClient.SqlClient
  const permit = yield* Effect.makeSemaphore(1)
  const columns = sql.literal(COLUMNS)
  const { begin, dropped, gained, keep, of, stored, learn } = remembering()
  /** Once: whoever lost all partitions must not take them back. */
  let hasClaimed = false
  const claimed = (found: ReadonlyArray<Held>) => {
    hasClaimed = true
    keep(found)
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

  return Partitions.of({
    claim: (some) =>
      Effect.suspend(() => {
        if (!isAlone) return Effect.sync(() => begin(some ?? []))
        if (some === undefined && hasClaimed) return Effect.void
        return Effect.map(claim([...(some ?? partitions)]), claimed)
      }).pipe(permit.withPermits(1)),
    of,
    stored,
    ask: Effect.fnUntraced(function* (held, name) {
      const ids = held.map(({ id }) => id)
      // Waits for a commit that is still on its way.
      const now = yield* rows.all(
        again(sql`SELECT ${columns} FROM partitions
          WHERE id IN ${Dialect.ids(sql, ids)} ORDER BY id FOR UPDATE`)
      )
      const fate = fateOf(held, now, name)
      learn(held, now, fate)
      return fate
    }),
    gained,
    dropped
  })
})

/** Of the one server of a database: it takes partitions by itself. */
export const layerAlone = Layer.effect(Partitions, make(true))

/** Of a server beside others: it has the partitions that it is given. */
export const layerShared = Layer.effect(Partitions, make(false))
