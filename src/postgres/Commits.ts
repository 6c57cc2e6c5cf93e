// Commits of the engine, one after another, each stored once. A commit has a name that no other has, and every partition
// keeps the name of its last one:
//
// 1. A commit whose answer is lost is sent again under its name. Its partitions refuse it if it is stored.
// 2. A commit that is given up without an answer keeps its name until it is tried again; before another one, its fate is
//    asked for.
// 3. A process whose partitions another one has taken stores nothing more, and answers nothing as stored.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { type Partition, partitionOf } from "../domain/Partition.ts"
import type { Cursors, Portfolio, Step } from "../services/Portfolio.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import { codeOf, orDie } from "../sql/client/SqlErrors.ts"
import * as CommitRows from "../sql/rows/CommitRows.ts"
import type { Sent } from "./CommitStatements.ts"
import { again } from "./client/Again.ts"
import { sqlErrorOf } from "./client/PostgresError.ts"
import { MOVED } from "./migrations/first/commits.ts"
import type { Held, Partitions } from "./Partitions.ts"

/** Stores a commit, or fails with the code `MOVED` where its partitions are not as it says. */
export type Store = (steps: ReadonlyArray<Step>, sent: Sent) => Effect.Effect<void, SqlError>

/** How often a commit is sent that finds others of this process stored before it. */
const MAX_TRIES = 3

/** A commit that may be stored or not. */
interface Uncertain {
  readonly steps: ReadonlyArray<Step>
  readonly name: string
  readonly held: ReadonlyArray<Held>
}

/** Makes the commits of a portfolio. */
export const make = (
  partitions: Partitions,
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
      if ((yield* partitions.ask(uncertain.held, uncertain.name)) === "stored") found.add(uncertain.steps)
      uncertain = undefined
    })

    const send = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, cursors: Cursors) {
      const name = uncertain?.name ?? `${writer}:${++count}`
      const rows = CommitRows.of(steps)
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const held = partitions.of(concerned(steps, cursors))
        uncertain = { steps, name, held }
        if (yield* attempt(store(steps, { name, held, cursors, rows }))) return partitions.stored(held)
        const fate = yield* partitions.ask(held, name)
        if (fate === "stored") return
        if (fate === "lost") return yield* Effect.die(new StorageUnavailable({ reason: LOST }))
      }
      return yield* Effect.dieMessage("the partitions of a commit change all the time")
    })

    return Effect.fn("Portfolio.commit")(function* (steps, cursors = new Map()) {
      yield* partitions.claim()
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

const LOST = "another process has taken over the bots of this database"

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

/** The partitions that a commit writes to. */
const concerned = (steps: ReadonlyArray<Step>, cursors: Cursors): ReadonlySet<Partition> =>
  new Set([...cursors.keys(), ...steps.map(({ account }) => partitionOf(account))])
