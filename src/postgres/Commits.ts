// Commits of the engine, one after another, each stored once. A commit has a name that no other has, and every partition
// keeps the name of its last one:
//
// 1. A commit whose answer is lost is sent again under its name. Its partitions refuse it if it is stored.
// 2. A commit that is given up without an answer keeps its name until it is tried again; before another one, its fate is
//    asked for.
// 3. Of a commit for partitions of which another process has taken some, nothing is stored: whoever commits hears which,
//    and may commit the rest.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { type Partition, partitionOf } from "../domain/Partition.ts"
import type { Cursors, Portfolio, Step } from "../services/Portfolio.ts"
import { PartitionsLost } from "../services/records/PartitionsLost.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import { codeOf, orDie } from "../sql/client/SqlErrors.ts"
import * as CommitRows from "../sql/rows/CommitRows.ts"
import type { Sent } from "./CommitStatements.ts"
import { again } from "./client/Again.ts"
import { sqlErrorOf } from "./client/PostgresError.ts"
import { MOVED } from "./migrations/first/commits.ts"
import type * as Partitions from "./Partitions.ts"

/** Stores a commit, or fails with the code `MOVED` where its partitions are not as it says. */
export type Store = (steps: ReadonlyArray<Step>, sent: Sent) => Effect.Effect<void, SqlError>

/** How often a commit is sent that finds others of this process stored before it. */
const MAX_TRIES = 3

/** A commit that may be stored or not. */
interface Uncertain {
  readonly steps: ReadonlyArray<Step>
  readonly name: string
  readonly held: ReadonlyArray<Partitions.Held>
}

/** Makes the commits of a portfolio. */
export const make = (
  partitions: typeof Partitions.Partitions.Service,
  store: Store
): Effect.Effect<(typeof Portfolio.Service)["commit"]> =>
  Effect.map(Effect.makeSemaphore(1), (permit) => {
    const writer = crypto.randomUUID()
    let count = 0
    let uncertain: Uncertain | undefined
    /** Commits that were given up without an answer, and were stored. */
    const found = new WeakSet<ReadonlyArray<Step>>()

    const settle = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
      if (uncertain === undefined || uncertain.steps === steps) return
      const { refused } = yield* partitions.ask(uncertain.held, uncertain.name)
      if (refused === "stored") found.add(uncertain.steps)
      uncertain = undefined
    })

    const send = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, cursors: Cursors) {
      const name = uncertain?.name ?? `${writer}:${++count}`
      const rows = CommitRows.of(steps)
      const ids = concerned(steps, cursors)
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const held = uncertain?.held ?? partitions.of(ids)
        const gone = missing(ids, held)
        if (gone.size > 0) return yield* Effect.die(new PartitionsLost({ partitions: gone, isStored: false }))
        uncertain = { steps, name, held }
        if (yield* attempt(store(steps, { name, held, cursors, rows }))) return partitions.stored(held)
        const { lost, refused } = yield* partitions.ask(held, name)
        uncertain = undefined
        const isStored = refused === "stored"
        if (lost.size > 0) return yield* Effect.die(new PartitionsLost({ partitions: lost, isStored }))
        if (isStored) return
      }
      return yield* Effect.dieMessage("the partitions of a commit change all the time")
    })

    return Effect.fn("Portfolio.commit")(function* (steps, cursors = new Map()) {
      yield* partitions.claim
      yield* settle(steps)
      if (found.delete(steps) || (steps.length === 0 && cursors.size === 0)) return
      yield* Effect.catchAllDefect(send(steps, cursors), (defect) => {
        // What is refused for good is certain.
        if (!(defect instanceof StorageUnavailable)) uncertain = undefined
        return Effect.die(defect)
      })
      uncertain = undefined
    }, permit.withPermits(1))
  })

/** False where the partitions refused. */
const attempt = (storing: Effect.Effect<void, SqlError>): Effect.Effect<boolean> =>
  again(
    // A read within the transaction dies of the same: all of it is sent again.
    Effect.catchAllDefect(storing, (defect) =>
      defect instanceof StorageUnavailable ? sqlErrorOf(new Error(defect.reason)) : Effect.die(defect)
    )
  ).pipe(
    Effect.as(true),
    Effect.catchIf(
      (error) => codeOf(error.cause) === MOVED,
      () => Effect.succeed(false)
    ),
    orDie
  )

/** The partitions that this process does not have. */
const missing = (
  ids: ReadonlySet<Partition>,
  held: ReadonlyArray<Partitions.Held>
): ReadonlySet<Partition> => {
  const own = new Set(held.map(({ id }) => id))
  return new Set([...ids].filter((id) => !own.has(id)))
}

/** The partitions that a commit writes to. */
const concerned = (steps: ReadonlyArray<Step>, cursors: Cursors): ReadonlySet<Partition> =>
  new Set([...cursors.keys(), ...steps.map(({ account }) => partitionOf(account))])
