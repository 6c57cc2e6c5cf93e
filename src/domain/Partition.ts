// Partitions: every account belongs to one of 256 for ever (account id mod 256). Each partition has its own journal
// cursor and ledger chain.
import * as Schema from "effect/Schema"
import type { AccountId } from "./Account.ts"

/** The number of partitions. It can never change: accounts would move with it. */
export const PARTITIONS = 256

/** The number of a partition, from 0. */
export const Partition = Schema.Int.pipe(Schema.between(0, PARTITIONS - 1), Schema.brand("Partition"))
/** A partition's number. */
export type Partition = typeof Partition.Type

/** All partitions, ascending. */
export const partitions: ReadonlyArray<Partition> = Array.from({ length: PARTITIONS }, (_, id) => id).filter(
  Schema.is(Partition)
)

/** The partition of an account. */
export const partitionOf = (account: AccountId): Partition =>
  // Engines ask this for every bot. A look-up is cheaper than the schema's check of the number.
  partitions[account % PARTITIONS] ?? Partition.make(account % PARTITIONS)
