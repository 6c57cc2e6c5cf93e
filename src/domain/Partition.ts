import * as Schema from "effect/Schema"
import type { AccountId } from "./Account.ts"

/** How many partitions a database has. It never changes: an account would change its partition with it. */
export const PARTITIONS = 256

/** A part of the accounts: the engine reads the journal, and chains the ledger, of each for itself. */
export const Partition = Schema.Int.pipe(Schema.between(0, PARTITIONS - 1), Schema.brand("Partition"))
/** The number of a partition, from 0. */
export type Partition = typeof Partition.Type

/** The partition that an account belongs to, for ever. */
export const partitionOf = (account: AccountId): Partition => Partition.make(account % PARTITIONS)

/** All partitions, in their order. */
export const partitions: ReadonlyArray<Partition> = Array.from({ length: PARTITIONS }, (_, id) =>
  Partition.make(id)
)
