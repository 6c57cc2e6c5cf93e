// The stored layer of idempotency keys: the response is stored in the transaction of the request itself.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { Idempotency, type StoredAnswer } from "../services/Idempotency.ts"
import { KeyReused } from "../services/Journal.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as KeyRows from "./rows/KeyRows.ts"
import * as Rows from "./rows/Rows.ts"

/** The most expired responses that one request deletes. */
const PURGE = 100

const answers = Rows.reader(
  Schema.Struct({
    request: Schema.String,
    status: Schema.Int,
    location: Schema.NullOr(Schema.String),
    body: Schema.String
  })
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const stored = Effect.fnUntraced(function* (account: AccountId, key: string, request: string, now: number) {
    const row = yield* answers.first(sql`SELECT request, status, location, body FROM idempotency
      WHERE account = ${account} AND key = ${key} AND expires_at > ${now}`)
    if (Option.isNone(row)) return undefined
    const { body, location, request: first, status } = row.value
    if (first !== request) return yield* new KeyReused()
    const answer: StoredAnswer = { status, location: location ?? undefined, body }
    return answer
  })

  const store = Effect.fnUntraced(function* (
    account: AccountId,
    key: string,
    request: string,
    answer: StoredAnswer
  ) {
    const now = yield* Clock.currentTimeMillis
    yield* sql`DELETE FROM idempotency WHERE (account, key) IN
      (SELECT account, key FROM idempotency WHERE expires_at <= ${now} LIMIT ${PURGE})`
    yield* KeyRows.insert(sql, account, { key, request, answer }, now)
  })

  return Idempotency.of({
    once: Effect.fn("Idempotency.once")(
      function* (account, key, request, answer) {
        yield* Dialect.inTurn(sql, "idempotency", account, key)
        const before = yield* stored(account, key, request, yield* Clock.currentTimeMillis)
        if (before !== undefined) return before
        const given = yield* answer
        yield* store(account, key, request, given)
        return given
      },
      sql.withTransaction,
      orDie
    ),
    find: Effect.fn("Idempotency.find")(function* (account, key, request) {
      return Option.fromNullable(yield* stored(account, key, request, yield* Clock.currentTimeMillis))
    }, orDie),
    amend: Effect.fn("Idempotency.amend")(
      (account, { answer, key, request }) =>
        sql`UPDATE idempotency SET status = ${answer.status}, location = ${answer.location ?? null}, body = ${answer.body}
          WHERE account = ${account} AND key = ${key} AND request = ${request}`,
      Effect.asVoid,
      orDie
    )
  })
})

export const layer = Layer.effect(Idempotency, make)
