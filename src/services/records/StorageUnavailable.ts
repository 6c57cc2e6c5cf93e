// The defect of a database that cannot be written or read now, as on a full disk. HTTP answers 503 (`http/Fault`), bots
// wait and try again (`engine/store/CommitRetry`), and the owner hears of it (`health/OutageAnnouncer`).
import * as Schema from "effect/Schema"

/** A row could not be written or read now: the disk is full or fails. The HTTP server answers 503. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return "the database cannot be written now; try again"
  }
}
