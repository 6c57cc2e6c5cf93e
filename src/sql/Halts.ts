// The stored layer of halts by hand. Ending everybody's halt also marks the last restore as checked.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HaltCause } from "../domain/Halt.ts"
import { Halts, keyOf, type Whose } from "../services/money/Halts.ts"
import { orDie } from "./client/SqlErrors.ts"
import { COLUMNS, HaltRows, rows } from "./rows/HaltRows.ts"
import * as Restores from "./rows/RestoreRows.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const kept = yield* HaltRows

  return Halts.of({
    all: kept.all,
    halt: Effect.fn("Halts.halt")(
      function* (whose: Whose, cause: HaltCause, text: string) {
        const at = yield* Clock.currentTimeMillis
        yield* kept.add({ account: whose, at, cause, text })
        return yield* rows.one(
          sql`SELECT ${sql.literal(COLUMNS)} FROM halts WHERE halts.account = ${keyOf(whose)}`
        )
      },
      sql.withTransaction,
      orDie
    ),
    resume: Effect.fn("Halts.resume")(
      function* (whose: Whose) {
        const deleted = yield* sql`DELETE FROM halts WHERE account = ${keyOf(whose)} RETURNING 1`
        if (deleted.length === 0) return false
        kept.changed()
        if (Option.isNone(whose)) yield* Restores.resumed
        return true
      },
      sql.withTransaction,
      orDie,
      Effect.provideService(SqlClient.SqlClient, sql)
    ),
    changed: kept.changes.rings
  })
})

export const layer = Layer.effect(Halts, make).pipe(Layer.provide(HaltRows.layer))
