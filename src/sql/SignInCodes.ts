// The stored layer of one-time codes for signing in. Nothing is cached, so that a code that a command issued counts at
// once in the running server.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TokenId } from "../domain/Account.ts"
import { MAX_AGE_SECONDS, MAX_CODES } from "../domain/internal/SignInCode.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { digestOf, drawCode, matching, SignInCodes } from "../services/records/SignInCodes.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/Rows.ts"

const Row = Schema.Struct({
  id: Schema.Int,
  token: Schema.OptionFromNullOr(TokenId),
  digest: Schema.Uint8ArrayFromSelf,
  expiresAt: Schema.Int
})
export const rows = Rows.reader(Row)
export const CODES = 'SELECT id, token, hash AS digest, expires_at AS "expiresAt" FROM sign_in_codes'

/** Real time, also in a replay: the ten minutes are people's. */
const now = inRealTime(Rows.nowSeconds)

/** Makes the layer's service. */
const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const issue = Effect.fn("SignInCodes.issue")(
    function* (token: Option.Option<TokenId>) {
      const at = yield* now
      const code = drawCode()
      const expiresAt = at + MAX_AGE_SECONDS
      yield* Dialect.inTurn(sql, "sign_in_codes")
      yield* sql`DELETE FROM sign_in_codes WHERE expires_at <= ${at}
        OR id IN (SELECT id FROM sign_in_codes ORDER BY id DESC LIMIT ${Rows.NO_LIMIT} OFFSET ${MAX_CODES - 1})`
      yield* sql`INSERT INTO sign_in_codes (token, hash, expires_at)
        VALUES (${Option.getOrNull(token)}, ${digestOf(code)}, ${expiresAt})`
      return { code: Redacted.make(code), expiresAt }
    },
    sql.withTransaction,
    orDie
  )

  const redeem = Effect.fn("SignInCodes.redeem")(function* (code: string) {
    const at = yield* now
    const waiting = yield* rows.all(sql`${sql.literal(CODES)} WHERE expires_at > ${at}`)
    const found = matching(waiting, code)
    if (found === undefined) return Option.none()
    // Of two that found it, one deletes it.
    const deleted = yield* orDie(sql`DELETE FROM sign_in_codes WHERE id = ${found.id} RETURNING id`)
    return deleted.length === 1 ? Option.some({ token: found.token }) : Option.none()
  })

  return SignInCodes.of({ issue, redeem })
})

export const layer = Layer.effect(SignInCodes, make)
