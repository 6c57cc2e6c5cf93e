// Planted bugs of several nodes, which the seeded world of nodes must find.
import type { Edit } from "../plants.ts"

/** Planted bugs by name. */
export const nodePlants: Readonly<Record<string, ReadonlyArray<Edit>>> = {
  "a commit that names no epoch": [
    {
      file: "postgres/migrations/first/commits.ts",
      from: " AND partitions.owner = process\n        AND partitions.epoch = held.epoch AND partitions.seq = held.seq;",
      to: " AND partitions.seq = held.seq;"
    }
  ],
  "a lease that nobody looks at before an order is sent": [
    {
      file: "services/engine/orders/OrderSender.ts",
      from: "      if (lease.leftOf(partitionOf(bot.strategy.account)) < SENDING_MS) continue\n",
      to: ""
    },
    {
      file: "services/engine/PartitionLease.ts",
      from: "SendingLease, lasting(partitionOf(account)))",
      to: "SendingLease, always)"
    }
  ],
  "a lease that is not looked at again once a request has had its turn": [
    {
      file: "services/engine/PartitionLease.ts",
      from: "SendingLease, lasting(partitionOf(account)))",
      to: "SendingLease, always)"
    }
  ],
  "a cursor of the node instead of the partition": [
    {
      file: "services/engine/alerts/Backlog.ts",
      from: "this.front = Math.min(isFirst ? Number.POSITIVE_INFINITY : this.front, ...cursors.values())",
      to: "if (isFirst) this.front = Math.min(...cursors.values())"
    }
  ],
  "an alert of another node heard by the bell alone": [
    {
      file: "postgres/Journal.ts",
      from: "if (by !== stored.writer) writer.reached(upTo)",
      to: "if (by !== undefined && by !== stored.writer) writer.reached(upTo)"
    }
  ],
  "a partition taken in the epoch of its last owner": [
    { file: "postgres/Leases.ts", from: "epoch = epoch + 1, lease", to: "epoch = epoch, lease" }
  ],
  "a lease that has ended by the clock of the node": [
    {
      file: "postgres/Leases.ts",
      from: "OR lease < clock_timestamp())",
      to: `OR lease < to_timestamp(\${present().wall} / 1000.0))`
    }
  ],
  "a partition given back before the engine has ended": [
    {
      file: "services/engine/Handover.ts",
      from: "    yield* Effect.when(end, () =>",
      to: "    yield* Effect.when(Effect.forkDaemon(end), () =>"
    }
  ],
  "a new owner that goes on from where it was itself": [
    {
      file: "services/engine/alerts/Backlog.ts",
      from: "    for (const partition of some) this.#read.delete(partition)\n",
      to: ""
    },
    {
      file: "services/engine/alerts/Backlog.ts",
      from: "for (const [partition, cursor] of cursors) this.#read.set(partition, cursor)",
      to: "for (const [partition, cursor] of cursors) if (!this.#read.has(partition)) this.#read.set(partition, cursor)"
    }
  ],
  "old memory of a partition that was taken anew": [
    {
      file: "postgres/Partitions.ts",
      from: "        known.delete(row.id)\n        given.set(row.id, row)",
      to: "        known.set(row.id, row)"
    }
  ],
  "a lease held anew by whoever had it once": [
    {
      file: "postgres/Leases.ts",
      from: ` AND partitions.epoch = held.epoch\n    WHERE partitions.owner = \${node} ORDER`,
      to: "\n    ORDER"
    }
  ],
  "the followers of the partitions that a node had before": [
    { file: "sql/rows/Followers.ts", from: "            if (some !== kept) known.clear()\n", to: "" }
  ],
  "an answer lost taken for a commit that is not stored": [
    { file: "postgres/Commits.ts", from: "        if (isStored) return\n", to: "" }
  ]
}
