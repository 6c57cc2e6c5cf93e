// The partitions that this process has leased, of those that all nodes of a database share. The row of a partition is its
// lock and its fence at once: taking it raises its epoch, so that whoever had it before stores nothing more.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Partition } from "../domain/Partition.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as Dialect from "../sql/Dialect.ts"
import * as Rows from "../sql/rows/Rows.ts"
import { again } from "./client/Again.ts"
import { numbers } from "./client/ArrayText.ts"
import { LEASE_SECONDS } from "./Lease.ts"
import { COLUMNS, type Held, Partitions, rows } from "./Partitions.ts"

/** A time on the two clocks of a machine (ms): one may be set, the other stops while the machine sleeps. */
interface Moment {
  readonly wall: number
  readonly running: number
}

/** The leases of a node. Effects die with `StorageUnavailable` while the database is away. */
export class Leases extends Context.Tag("signalbox/postgres/Leases")<
  Leases,
  {
    /** Takes those of these partitions that nobody has a lease on, and returns them. */
    readonly acquire: (ids: Iterable<Partition>) => Effect.Effect<ReadonlyArray<Partition>>
    /** Holds those of these partitions anew that are still this node's, and returns them. */
    readonly renew: (ids: Iterable<Partition>) => Effect.Effect<ReadonlyArray<Partition>>
    /** Gives partitions back, so that another node can take them at once. */
    readonly release: (ids: Iterable<Partition>) => Effect.Effect<void>
    /**
     * Notes that this process has ended with partitions. What it did for those whose lease held until now counts, whoever
     * takes them next.
     */
    readonly finish: (ids: Iterable<Partition>) => void
    /** All that this node has leased, whether it still holds or not. */
    readonly all: Effect.Effect<ReadonlySet<Partition>>
    /** How long the lease of a partition certainly holds (ms); 0 or less where it may have ended, or was never taken. */
    readonly leftOf: (partition: Partition) => number
    /** Whether this process has begun to commit for the partition under the lease that it has. */
    readonly isBegun: (partition: Partition) => boolean
    /**
     * Reads, as often as it is called, how long the lease that is held now still holds. It never holds again once it was
     * lost, also where the partition was taken anew.
     */
    readonly lasting: (partition: Partition) => () => number
    /**
     * Reads, as often as it is called, whether all that was done for a partition under the lease that is held now counts:
     * the lease holds, or held until this process had ended with the partition.
     */
    readonly keeping: (partition: Partition) => () => boolean
  }
>() {}

const LEASE_MS = LEASE_SECONDS * 1000

const present = (): Moment => ({ wall: Date.now(), running: performance.now() })

/** The end of a lease that is asked for now: the database counts from when it is asked, which is later. */
const end = (): Moment => {
  const { running, wall } = present()
  return { running: running + LEASE_MS, wall: wall + LEASE_MS }
}

/** How long it is to the end of a lease on whichever clock is further; nothing where there is none. */
const leftUntil = (until: Moment | undefined): number => {
  if (until === undefined) return 0
  const { running, wall } = present()
  return Math.min(until.wall - wall, until.running - running)
}

/** A lease as this process has it. */
interface Lease {
  readonly row: Held
  until: Moment
  isFinished: boolean
}

const ids = Rows.reader(Schema.Struct({ id: Partition }))

/** Reads from memory how long leases hold, and whether work under them counts: the database is not asked. */
const reading = (held: ReadonlyMap<Partition, Lease>) => {
  /** How long a lease holds (ms); 0 once it is not the one of its partition any more. */
  const left = (partition: Partition, lease: Lease | undefined): number =>
    held.get(partition) === lease ? leftUntil(lease?.until) : 0
  return {
    leftOf: (partition) => left(partition, held.get(partition)),
    lasting: (partition) => {
      const lease = held.get(partition)
      return () => left(partition, lease)
    },
    keeping: (partition) => {
      const lease = held.get(partition)
      return () => lease?.isFinished === true || left(partition, lease) > 0
    }
  } satisfies Partial<typeof Leases.Service>
}

const make = Effect.fnUntraced(function* (node: string) {
  const sql = yield* SqlClient.SqlClient
  const partitions = yield* Partitions
  const held = new Map<Partition, Lease>()

  const drop = (some: Iterable<Partition>) => {
    partitions.dropped(some)
    for (const id of some) held.delete(id)
  }
  const mine = (some: Iterable<Partition>) =>
    rowsOf(
      sql,
      node,
      [...some].flatMap((id) => held.get(id)?.row ?? [])
    )

  const giveBack = yield* givingBack(sql, node)

  return Leases.of({
    acquire: Effect.fn("Leases.acquire")(function* (some) {
      const first = end()
      const found = yield* rows.all(taking(sql, node, some))
      // The answer to an earlier request may come after that to a later one.
      const taken = found.filter(({ epoch, id }) => epoch > (held.get(id)?.row.epoch ?? -1))
      partitions.gained(taken)
      for (const row of taken) held.set(row.id, { row, until: first, isFinished: false })
      return found.map(({ id }) => id)
    }, known),
    renew: Effect.fn("Leases.renew")(function* (some) {
      const next = end()
      const wanted = new Map(
        [...some].flatMap((id) => held.get(id) ?? []).map((lease) => [lease.row.id, lease])
      )
      if (wanted.size === 0) return []
      const kept = yield* ids.all(sql`UPDATE partitions SET lease = ${until(sql)}
        WHERE id IN (${mine(wanted.keys())}) RETURNING id`)
      const still = new Set(kept.map(({ id }) => id))
      for (const id of still) Object.assign(wanted.get(id) ?? {}, { until: next })
      // One that was taken anew meanwhile is another lease.
      drop([...wanted].flatMap(([id, lease]) => (still.has(id) || held.get(id) !== lease ? [] : [id])))
      return [...still]
    }),
    // Effect Cluster asks for this effect before it ends the bots, and runs it after them.
    release: Effect.fn("Leases.release")(function* (some) {
      const own = [...some].flatMap((id) => held.get(id)?.row ?? [])
      // From here on nothing is done for them, whether the database hears of it or not.
      drop(own.map(({ id }) => id))
      yield* giveBack(own)
    }),
    finish: (some) => {
      for (const id of some) {
        const lease = held.get(id)
        if (lease !== undefined && leftUntil(lease.until) > 0) lease.isFinished = true
      }
    },
    all: Effect.sync(() => new Set(held.keys())),
    isBegun: (partition) => partitions.of([partition]).length > 0,
    ...reading(held)
  })
})

/** Makes the giving back, of all in one statement that wait for it. What could not be given back goes with the next. */
const givingBack = (sql: SqlClient.SqlClient, node: string) =>
  Effect.map(Effect.makeSemaphore(1), (permit) => {
    let waiting: ReadonlyArray<Held> = []
    const next = Effect.suspend(() => {
      const all = waiting
      if (all.length === 0) return Effect.void
      return Effect.map(
        orDie(
          again(sql`UPDATE partitions SET owner = NULL, lease = NULL WHERE id IN (${rowsOf(sql, node, all)})`)
        ),
        () => {
          waiting = waiting.filter((row) => !all.includes(row))
        }
      )
    })
    return (own: ReadonlyArray<Held>) => {
      waiting = [...waiting, ...own]
      // A node that stops waits for it: the partitions would stay dark for as long as the lease.
      return Effect.uninterruptible(Effect.zipRight(Effect.yieldNow(), permit.withPermits(1)(next)))
    }
  })

/**
 * Takes in the answer even where the caller is interrupted, and has the interruption wait for it for a moment. Without it a
 * node that stops would not give back what it had just taken, and those bots would stand still until the lease ends.
 */
const known = <A>(self: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.flatMap(Effect.forkDaemon(self), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () =>
      inRealTime(Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), ANSWER))
    )
  )

/** How long an interruption waits for the answer. */
const ANSWER = "2 seconds"

/** Takes those of some partitions that nobody has a lease on. */
const taking = (sql: SqlClient.SqlClient, node: string, some: Iterable<Partition>) =>
  sql`UPDATE partitions SET owner = ${node}, epoch = epoch + 1, lease = ${until(sql)}
    WHERE id IN (SELECT id FROM partitions WHERE id IN ${Dialect.ids(sql, [...some])}
      AND (owner IS NULL OR owner = ${node} OR lease IS NULL OR lease < clock_timestamp())
      ORDER BY id FOR UPDATE)
    RETURNING ${sql.literal(COLUMNS)}`

/** The end of a lease that begins now, by the clock of the database. */
const until = (sql: SqlClient.SqlClient) =>
  sql.literal(`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`)

/** The rows that a node has, locked in the sequence in which everybody locks them. */
const rowsOf = (sql: SqlClient.SqlClient, node: string, held: ReadonlyArray<Held>) => {
  const [all, epochs] = [held.map(({ id }) => id), held.map(({ epoch }) => epoch)]
  return sql`SELECT partitions.id FROM partitions
    JOIN unnest(${numbers(all)}::bigint[], ${numbers(epochs)}::bigint[]) AS held (id, epoch)
      ON partitions.id = held.id AND partitions.epoch = held.epoch
    WHERE partitions.owner = ${node} ORDER BY partitions.id FOR UPDATE OF partitions`
}

/** The leases of a node with this name. */
export const layer = (node: string): Layer.Layer<Leases, never, Partitions | SqlClient.SqlClient> =>
  Layer.effect(Leases, make(node))
