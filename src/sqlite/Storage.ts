// The SQLite layer of the storage's room: the size of the database, and the free space of its file system.
import { statfs } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage } from "../services/health/Storage.ts"
import { orDie } from "../sql/client/SqlErrors.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const one = (statement: string) => Effect.map(orDie(sql.unsafe(statement).values), (rows) => rows[0] ?? [])

  /** The database's file; empty for one in memory. */
  const [filename] = yield* one("SELECT file FROM pragma_database_list WHERE name = 'main'")
  const folder = String(filename ?? "") === "" ? undefined : dirname(resolve(String(filename)))

  const used = Effect.map(
    one("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
    ([bytes]) => Number(bytes ?? 0)
  )
  const free =
    folder === undefined
      ? Effect.succeedNone
      : Effect.option(
          Effect.map(
            Effect.tryPromise(() => statfs(folder)),
            ({ bavail, bsize }) => bavail * bsize
          )
        )
  return { room: Effect.all({ used, free }) }
})

export const layer = Layer.effect(Storage, make)
