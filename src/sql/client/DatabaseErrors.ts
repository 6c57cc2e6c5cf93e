// Why a database cannot be opened.
import * as Schema from "effect/Schema"

/** The database cannot be used. `filename` is the file, or an address without user and password. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  filename: Schema.String,
  reason: Schema.String,
  /** Whether the file itself is damaged. */
  damaged: Schema.optionalWith(Schema.Boolean, { default: () => false })
}) {
  override get message() {
    return `cannot open the database ${this.filename}: ${this.reason}`
  }
}

/** A newer program has changed the database. */
export class DatabaseNewer extends Schema.TaggedError<DatabaseNewer>()("DatabaseNewer", {
  filename: Schema.String,
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return `the database ${this.filename} is of version ${this.found}, and this program knows ${this.known}: use a newer program`
  }
}

/** Another process serves the database. `filename` is the file, or an address without user and password. */
export class DatabaseServed extends Schema.TaggedError<DatabaseServed>()("DatabaseServed", {
  filename: Schema.String
}) {
  override get message() {
    const option = this.filename.startsWith("postgres") ? "--database" : "--db"
    return `another process serves the database ${this.filename}: stop it first, or take another with ${option}`
  }
}
