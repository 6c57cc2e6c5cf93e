// The defect of a commit for partitions whose bots another process runs by now. What was decided for them counts for
// nothing: that process goes on from what is stored.
import * as Data from "effect/Data"
import type { Partition } from "../../domain/Partition.ts"

/** Partitions that another process has taken over. */
export class PartitionsLost extends Data.TaggedError("PartitionsLost")<{
  readonly partitions: ReadonlySet<Partition>
  /** Whether the commit was stored before they were taken over; else nothing of it was. */
  readonly isStored: boolean
}> {
  override get message() {
    return "another process runs the bots of these accounts"
  }
}
