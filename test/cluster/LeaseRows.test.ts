// Who owns a partition: this node by its own lease alone, others by the database, which may be away or a moment old.
import { describe, expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import * as LeaseRows from "../../src/cluster/LeaseRows.ts"
import { type NodeAddress, PartitionLease } from "../../src/cluster/PartitionLease.ts"
import { Partition } from "../../src/domain/Partition.ts"
import { Leases } from "../../src/postgres/Leases.ts"
import { Nodes } from "../../src/postgres/Nodes.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { it } from "../lib/effect.ts"

const first = Partition.make(0)

/** Leases and nodes as the test sets them. */
const world = {
  left: 1000,
  isBegun: true,
  isAway: false,
  isStuck: false,
  reads: 0,
  owners: new Map([[first, "a.example:7000"]])
}
const rows = LeaseRows.layer.pipe(
  Layer.provide(
    Layer.merge(
      Layer.mock(Leases, {
        leftOf: () => world.left,
        isBegun: () => world.isBegun,
        lasting: () => () => world.left,
        keeping: () => () => world.left > 0,
        finish: () => {}
      }),
      Layer.mock(Nodes, {
        owners: Effect.suspend(() => {
          if (world.isStuck) return Effect.never
          return world.isAway
            ? Effect.die(new StorageUnavailable({ reason: "gone" }))
            : Effect.succeed(new Map(world.owners))
        })
      })
    )
  )
)
const textOf = (owner: Option.Option<NodeAddress>) =>
  Option.match(owner, { onNone: () => "nobody", onSome: ({ host, port }) => `${host} ${port}` })

/** Waits until the owner is read as this one, for at most three seconds. */
const becomes = (owner: string) =>
  Effect.gen(function* () {
    const lease = yield* PartitionLease
    const last = yield* Effect.repeat(Effect.delay(Effect.map(lease.ownerOf(first), textOf), "50 millis"), {
      until: (found) => found === owner,
      times: 60
    })
    expect(last).toBe(owner)
  })

describe("the owner of a partition", () => {
  it.live("is this node for as long as its lease certainly holds, whatever the database says", () =>
    Effect.gen(function* () {
      const lease = yield* PartitionLease
      world.isAway = true
      for (const left of [1, 0, -1]) {
        world.left = left
        expect(yield* lease.isHeld(first)).toBe(left > 0)
      }
      Object.assign(world, { left: 1000, isBegun: false })
      expect(yield* lease.isHeld(first)).toBe(false)
    }).pipe(Effect.provide(rows))
  )

  it.live("is what was read last, and nobody while the database is away or does not answer", () =>
    Effect.gen(function* () {
      Object.assign(world, { isAway: false, isStuck: false })
      yield* becomes("a.example 7000")
      world.owners.set(first, "[::1]:7001")
      yield* becomes("::1 7001")
      world.isAway = true
      yield* becomes("nobody")
      world.isAway = false
      yield* becomes("::1 7001")
      world.isStuck = true
      yield* becomes("nobody")
      world.isStuck = false
      yield* becomes("::1 7001")
      const lease = yield* PartitionLease
      expect(textOf(yield* lease.ownerOf(Partition.make(7)))).toBe("nobody")
    }).pipe(Effect.provide(rows))
  )
})
