// The Postgres layer of backups: Postgres makes its own, of all its databases and to any moment.
import * as Layer from "effect/Layer"
import { BackupRefused, Backups } from "../services/Backups.ts"

/** How to back up a database of Postgres, in words. */
export const ADVICE = "back it up with the tools of Postgres: pg_dump, or point-in-time recovery"

/** Refuses, and says what to use. */
export const layer = Layer.succeed(Backups, {
  make: new BackupRefused({ reason: "nothing", message: `the database is on a Postgres server: ${ADVICE}` })
})
