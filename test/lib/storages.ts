// Where a server of tests keeps its records: a file, or a database of a real Postgres server. The same flows run on both.
import { describe, test } from "bun:test"
import { join } from "node:path"
import { Effect, Redacted, Scope, TestClock, TestContext } from "effect"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { folder } from "../services/ports.ts"
import * as Disk from "./disk.ts"
import { run } from "./effect.ts"
import { database, isInstalled } from "./postgres/Database.ts"
import * as Snapshot from "./postgres/Snapshot.ts"
import * as Stillness from "./postgres/Stillness.ts"

/** A database of one test. */
export interface Place {
  /** What `Disk.run` runs a server on. */
  readonly db: string
  /** The database as a kill would leave it at this moment, as another one. */
  readonly copy: Effect.Effect<string>
}

type Body = () => Effect.Effect<unknown, unknown, Scope.Scope>
type Test = (name: string, self: Body, timeoutMs?: number) => void

/** A kind of storage, and the clocks on which tests run on it. */
export interface Storage {
  readonly name: string
  readonly isPostgres: boolean
  readonly place: Effect.Effect<Place, never, Scope.Scope>
  /** On a test clock, as `it.effect`. */
  readonly effect: Test
  /** On a `VirtualClock`. */
  readonly virtually: (
    self: Effect.Effect<unknown, unknown, VirtualClock.VirtualClock | Scope.Scope>
  ) => Promise<unknown>
  /** Lets other fibers run until they wait for something else than the storage. */
  readonly pause: Effect.Effect<void>
}

const yields = Effect.repeatN(Effect.yieldNow(), 20)

const onFile: Storage = {
  name: "on disk",
  isPostgres: false,
  place: Effect.map(folder, (path) => {
    let copies = 0
    const db = join(path, "signalbox.db")
    return { db, copy: Effect.sync(() => Disk.copy(db, join(path, `killed-${++copies}.db`))) }
  }),
  effect: (name, self, timeoutMs) =>
    test(name, () => run(Effect.provide(Effect.scoped(self()), TestContext.TestContext)), timeoutMs),
  virtually: (self) => VirtualClock.run(self),
  pause: yields
}

const settled = Effect.promise(Stillness.settled)

/** A test clock that moves only while no statement is on its way. */
const patient = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TestClock.testClock(), (inner) => {
    const adjust: typeof inner.adjust = (by) =>
      Effect.zipRight(settled, Effect.zipLeft(inner.adjust(by), settled))
    const clock: TestClock.TestClock = Object.create(inner, { adjust: { value: adjust } })
    return Effect.withClock(self, clock)
  })

const onPostgres: Storage = {
  name: "on Postgres",
  isPostgres: true,
  place: Effect.gen(function* () {
    Stillness.watch()
    const { url } = yield* database()
    const scope = yield* Effect.scope
    return {
      db: Redacted.value(url),
      copy: Effect.gen(function* () {
        const rows = yield* Effect.promise(() => Snapshot.read(url))
        const other = yield* database()
        yield* Effect.promise(() => Snapshot.write(other.url, rows))
        return Redacted.value(other.url)
      }).pipe(Effect.provideService(Scope.Scope, scope))
    }
  }),
  effect: (name, self, timeoutMs) =>
    test(name, () => run(Effect.provide(patient(Effect.scoped(self())), TestContext.TestContext)), timeoutMs),
  virtually: (self) => VirtualClock.run(self, { outside: Stillness.still }),
  pause: Effect.zipRight(yields, settled)
}

/** Declares tests on every storage; without Postgres, those on it are skipped by name. */
export const onEach = (tests: (storage: Storage) => void): void => {
  describe(onFile.name, () => tests(onFile))
  describe.skipIf(!isInstalled)(onPostgres.name, () => tests(onPostgres))
}

/** Whether the long form runs, in which nothing is left out on Postgres: `SIGNALBOX_FLOWS=all bun test test/flow`. */
const isLong = process.env["SIGNALBOX_FLOWS"] === "all"

/** What of it is tested on a storage: on Postgres the first, unless the long form runs. */
export const chosen = <A>(storage: Storage, all: ReadonlyArray<A>, few: number): ReadonlyArray<A> =>
  storage.isPostgres && !isLong ? all.slice(0, few) : all

/** Every how manieth moment of a kill is tried on a storage: of a few on Postgres, unless the long form runs. */
export const strideOf = (storage: Storage, few: number): number => (storage.isPostgres && !isLong ? few : 1)
