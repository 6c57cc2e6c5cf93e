import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { orDie } from "../client/Failure.ts"
import * as Rows from "../rows/Rows.ts"

/** That the database was put back from a backup: when (s), from which file, and the head of its ledger then. */
export const Restored = Schema.Struct({ at: Schema.Int, file: Schema.String, head: Schema.String })
export type Restored = typeof Restored.Type

const rows = Rows.reader(Restored)

export const LAST = "SELECT at, file, head FROM restores ORDER BY id DESC LIMIT 1"

/** The last time; none where it never was. */
export const last: Effect.Effect<Option.Option<Restored>, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => rows.first(sql.unsafe(LAST))
)

export const record = ({ at, file, head }: Restored): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(orDie(sql`INSERT INTO restores (at, file, head) VALUES (${at}, ${file}, ${head})`))
  )

/** Somebody has looked, and lets all go on. */
export const resumed: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.flatMap(
  Effect.zip(SqlClient.SqlClient, Rows.nowSeconds),
  ([sql, now]) => Effect.asVoid(orDie(sql`UPDATE restores SET resumed_at = ${now} WHERE resumed_at IS NULL`))
)
