// The record of restores, and whether the operator has resumed since.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { orDie } from "../client/SqlErrors.ts"
import * as Rows from "./Rows.ts"

/** A restore: its time (s), the backup's file, and the ledger's head at that time. */
export const Restored = Schema.Struct({ at: Schema.Int, file: Schema.String, head: Schema.String })
export type Restored = typeof Restored.Type

const rows = Rows.reader(Restored)

export const LAST = "SELECT at, file, head FROM restores ORDER BY id DESC LIMIT 1"

/** The last restore; none where there was none. */
export const last: Effect.Effect<Option.Option<Restored>, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => rows.first(sql.unsafe(LAST))
)

export const record = ({ at, file, head }: Restored): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(orDie(sql`INSERT INTO restores (at, file, head) VALUES (${at}, ${file}, ${head})`))
  )

/** Marks restores as resumed by the operator. */
export const resumed: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.flatMap(
  Effect.zip(SqlClient.SqlClient, Rows.nowSeconds),
  ([sql, now]) => Effect.asVoid(orDie(sql`UPDATE restores SET resumed_at = ${now} WHERE resumed_at IS NULL`))
)
