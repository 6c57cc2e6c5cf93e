// The defect of a storage that cannot be written or read now. Ports die with it, since no caller can do better than try
// again later.
import * as Schema from "effect/Schema"

/** A row could not be written or read now: the disk is full or fails. The HTTP server answers 503. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return "the database cannot be written now; try again"
  }
}
