// The Postgres layer of the storage's room: the size of the database. How much more the server may write it does not
// tell.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Storage } from "../services/health/Storage.ts"
import * as Rows from "../sql/rows/Rows.ts"

const sizes = Rows.reader(Schema.Struct({ used: Schema.Int }))

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  room: Effect.map(sizes.one(sql`SELECT pg_database_size(current_database()) AS used`), ({ used }) => ({
    used,
    free: Option.none()
  }))
}))

export const layer = Layer.effect(Storage, make)
