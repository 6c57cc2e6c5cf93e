// Confirmations of real money that any server of a database takes, whichever issued them. Only their digests are stored.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  CONFIRMATION_MS,
  type Confirmations,
  draw,
  SharedConfirmations
} from "../services/arming/Confirmations.ts"
import { orDie } from "../sql/client/SqlErrors.ts"

const make = (sql: SqlClient.SqlClient): Confirmations => ({
  give: (what, now) =>
    Effect.gen(function* () {
      const confirmation = draw()
      const expiresAt = now + CONFIRMATION_MS
      yield* sql`DELETE FROM confirmations WHERE expires_at <= ${now}`
      yield* sql`INSERT INTO confirmations (digest, what, expires_at)
        VALUES (sha256(convert_to(${confirmation}, 'UTF8')), ${what}, ${expiresAt})`
      return { confirmation, expiresAt }
    }).pipe(orDie),
  take: (what, confirmation, now) =>
    Effect.map(
      orDie(sql`DELETE FROM confirmations WHERE digest = sha256(convert_to(${confirmation}, 'UTF8'))
        AND what = ${what} AND expires_at > ${now} RETURNING 1`),
      (rows) => rows.length > 0
    )
})

/** The registry of a database. */
export const layer = Layer.effect(
  SharedConfirmations,
  Effect.map(SqlClient.SqlClient, (sql) => Option.some(make(sql)))
)
