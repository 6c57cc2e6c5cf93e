// What Effect Cluster asks about partitions. The adversary: an engine whose turns are long, nodes that give nothing back yet,
// and a node that is told to stop while it takes partitions.
import { describe, expect } from "bun:test"
import { RunnerAddress } from "@effect/cluster/RunnerAddress"
import { RunnerStorage } from "@effect/cluster/RunnerStorage"
import { Clock, Context, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { shardOf } from "../../src/cluster/PartitionEntity.ts"
import * as RunnerRows from "../../src/cluster/RunnerRows.ts"
import { Partition } from "../../src/domain/Partition.ts"
import { Leases } from "../../src/postgres/Leases.ts"
import { Nodes } from "../../src/postgres/Nodes.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { it } from "../lib/effect.ts"

const [one, two, three] = [1, 2, 3].map((id) => Partition.make(id)) as [Partition, Partition, Partition]
const own = RunnerAddress.make({ host: "127.0.0.1", port: 7000 })

/** A node whose database answers as the test says; whatever it does with partitions is noted. */
const aNode = Effect.fnUntraced(function* (...begun: ReadonlyArray<Partition>) {
  const notes: Array<string> = []
  const [held, free] = [new Set(begun), new Set<Partition>()]
  /** Open where the database answers at once. */
  const answer = Effect.unsafeMakeLatch(true)
  const database = { isAway: false }
  let left: ReadonlyArray<Partition> = []
  const leases = Layer.mock(Leases, {
    acquire: (ids) =>
      Effect.gen(function* () {
        const taken = [...ids].filter((id) => free.delete(id))
        yield* answer.await
        for (const id of taken) held.add(id)
        return taken
      }),
    // As the real ones do: what could not be given back goes with the next.
    release: (ids) =>
      Effect.suspend(() => {
        left = [...left, ...[...ids].filter((id) => held.delete(id))]
        if (database.isAway) return Effect.die(new StorageUnavailable({ reason: "it is away" }))
        if (left.length > 0) notes.push(`gave ${left} back`)
        left = []
        return Effect.void
      }),
    renew: () => Effect.succeed([]),
    all: Effect.sync(() => new Set(held)),
    leftOf: () => 10_000,
    isBegun: () => true,
    lasting: () => () => 10_000,
    keeping: () => () => true,
    finish: () => {}
  })
  const engine = Layer.mock(EnginePartitions, {
    release: (some) => Effect.sync(() => void notes.push(`ended ${[...some]}`))
  })
  const nodes = Layer.mock(Nodes, {
    seen: Effect.void,
    unregister: (address) =>
      address.startsWith("gone")
        ? Effect.die(new StorageUnavailable({ reason: "the list is away" }))
        : Effect.sync(() => void notes.push("left the list"))
  })
  const rows = Layer.provide(RunnerRows.layer(yield* Effect.clock), Layer.mergeAll(leases, engine, nodes))
  const storage = Context.get(yield* Layer.build(rows), RunnerStorage)
  const take = (...some: ReadonlyArray<Partition>) => storage.acquire(own, some.map(shardOf))
  return { storage, take, notes, held, free, answer, database }
})

describe("partitions that Effect Cluster", () => {
  it.live("gives back one by one wait for one turn of the engine together", () =>
    Effect.gen(function* () {
      const { notes, storage } = yield* aNode(one, two, three)
      yield* Effect.forEach([one, two, three], (id) => storage.release(own, shardOf(id)), {
        concurrency: "unbounded"
      })
      expect(notes).toEqual(["ended 1,2,3", "gave 1,2,3 back"])
    })
  )

  it.effect(
    "wants are waited for as long as none is free, and answered after 600 ms with those that are",
    () =>
      Effect.gen(function* () {
        const { free, take } = yield* aNode()
        const nothing = yield* Effect.fork(Effect.timeoutOption(take(one, two), "1 second"))
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(nothing)).toEqual(Option.none())

        const from = yield* Clock.currentTimeMillis
        const taking = yield* Effect.fork(Effect.zip(take(one, two), Clock.currentTimeMillis))
        yield* TestClock.adjust("250 millis")
        free.add(one)
        yield* TestClock.adjust("750 millis")
        const [taken, at] = yield* Fiber.join(taking)
        expect(taken).toEqual([shardOf(one)])
        expect(at - from).toBe(600)
      })
  )
})

describe("a node that leaves", () => {
  it.effect("leaves the list and gives all partitions back before its entities end", () =>
    Effect.gen(function* () {
      const { notes, storage } = yield* aNode(one, two)
      yield* storage.unregister(own)
      expect(notes).toEqual(["left the list", "ended 1,2", "gave 1,2 back"])
    })
  )

  it.effect("gives back later what the database did not take at first", () =>
    Effect.gen(function* () {
      const { database, notes, storage } = yield* aNode(one, two)
      database.isAway = true
      yield* storage.unregister(own)
      expect(notes).toEqual(["left the list", "ended 1,2"])
      database.isAway = false
      yield* storage.releaseAll(own)
      expect(notes.slice(2)).toEqual(["gave 1,2 back"])
    })
  )

  it.effect("gives all back although the list could not be reached", () =>
    Effect.gen(function* () {
      const { notes, storage } = yield* aNode(one)
      const failed = yield* Effect.exit(storage.unregister(RunnerAddress.make({ host: "gone", port: 1 })))
      expect(failed._tag).toBe("Failure")
      expect(notes).toEqual(["ended 1", "gave 1 back"])
    })
  )

  it.effect("takes no partition any more, not even one that it was waiting for", () =>
    Effect.gen(function* () {
      const { free, held, storage, take } = yield* aNode()
      const waiting = yield* Effect.fork(take(one))
      yield* TestClock.adjust("150 millis")
      yield* storage.unregister(own)
      free.add(one)
      free.add(two)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(waiting)).toEqual([])
      expect(yield* take(two)).toEqual([])
      expect(held.size).toBe(0)
    })
  )

  it.effect("gives back what it was taking when it was told to leave", () =>
    Effect.gen(function* () {
      const { answer, free, held, notes, storage, take } = yield* aNode()
      free.add(one)
      yield* answer.close
      const taking = yield* Effect.fork(take(one))
      yield* TestClock.adjust("50 millis")
      expect(free.size).toBe(0)
      yield* storage.unregister(own)
      yield* answer.open
      expect(yield* Fiber.join(taking)).toEqual([])
      expect(held.size).toBe(0)
      expect(notes).toEqual(["left the list", "ended 1", "gave 1 back"])
    })
  )
})
