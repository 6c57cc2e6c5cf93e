// A partition as Effect Cluster knows it: an entity that lives on one node at a time. It answers nothing but a knock;
// requests about bots go to their node by themselves (`BotsServer`).
import * as Entity from "@effect/cluster/Entity"
import * as EntityId from "@effect/cluster/EntityId"
import type { ShardId } from "@effect/cluster/ShardId"
import { make as shardIdOf } from "@effect/cluster/ShardId"
import type { Sharding } from "@effect/cluster/Sharding"
import * as Rpc from "@effect/rpc/Rpc"
import { Partition, partitions } from "../domain/Partition.ts"

/** The shards of Effect Cluster that are our partitions. */
const GROUP = "default"

/** The entity of a partition. A knock makes it live where its shard is. */
export const PartitionEntity = Entity.make("Partition", [Rpc.make("Knock")])

/** The shard of a partition: those of Effect Cluster begin with 1. */
export const shardOf = (partition: Partition): ShardId => shardIdOf(GROUP, partition + 1)

/** The partition of a shard. */
export const partitionOf = ({ id }: Pick<ShardId, "id">): Partition => Partition.make(id - 1)

/**
 * The id of each partition's entity. Effect Cluster finds the shard of an entity by a hash of its id: the id is the
 * smallest number whose hash is the partition's shard.
 */
export const entityIds = ({ getShardId }: typeof Sharding.Service): ReadonlyMap<Partition, string> => {
  const found = new Map<Partition, string>()
  for (let number = 0; found.size < partitions.length; number++) {
    const id = String(number)
    const partition = partitionOf(getShardId(EntityId.make(id), GROUP))
    if (!found.has(partition)) found.set(partition, id)
  }
  return found
}
