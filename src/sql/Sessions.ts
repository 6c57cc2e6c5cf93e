// The stored layer of dashboard sessions. Nothing is cached, so that a session ends at once, whichever process ends it.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { AccountId, type Identity, SessionId, TokenId } from "../domain/Account.ts"
import {
  endOf,
  isAlive,
  isSecret,
  type Kept,
  MAX_IDLE_SECONDS,
  MAX_SESSIONS,
  NOTED_SECONDS,
  type Now
} from "../domain/Session.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { drawSecret, Sessions, shown } from "../services/Sessions.ts"
import { orDie, reasonOf } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/Rows.ts"

const Row = Schema.Struct({
  id: SessionId,
  account: AccountId,
  token: TokenId,
  expiresAt: Schema.Int,
  lastUsedAt: Schema.Int,
  tokenExpiresAt: Schema.NullOr(Schema.Int)
})
export const rows = Rows.reader(Row)
export const SESSIONS = `SELECT sessions.id, tokens.account, token, sessions.expires_at AS "expiresAt",
  sessions.last_used_at AS "lastUsedAt", tokens.expires_at AS "tokenExpiresAt"
  FROM sessions JOIN tokens ON tokens.id = sessions.token`

const ends = Rows.reader(Schema.Struct({ expiresAt: Schema.NullOr(Schema.Int) }))
const ids = Rows.reader(Schema.Struct({ id: SessionId }))

/** Makes the layer's service. */
const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sessions = sql.literal(SESSIONS)

  const living = (row: Option.Option<Kept>) =>
    Effect.map(both, (now) => Option.filter(row, (kept) => isAlive(kept, now)))

  /** Deletes ended sessions, and the account's oldest beyond the bound. */
  const makeRoom = Effect.fnUntraced(function* (account: AccountId, { ours, tokens }: Now) {
    yield* sql`DELETE FROM sessions WHERE expires_at <= ${ours} OR last_used_at <= ${ours - MAX_IDLE_SECONDS}
      OR token IN (SELECT id FROM tokens WHERE revoked_at IS NOT NULL OR expires_at <= ${tokens})`
    yield* sql`DELETE FROM sessions WHERE id IN (SELECT sessions.id
      FROM sessions JOIN tokens ON tokens.id = token WHERE account = ${account}
      ORDER BY sessions.id DESC LIMIT ${Rows.NO_LIMIT} OFFSET ${MAX_SESSIONS - 1})`
  })

  const begin = Effect.fn("Sessions.begin")(
    function* ({ account, token }: Identity) {
      const now = yield* both
      const secret = drawSecret()
      yield* Dialect.inTurn(sql, "sessions", account)
      yield* makeRoom(account, now)
      const bound = yield* ends.one(sql`SELECT expires_at AS "expiresAt" FROM tokens WHERE id = ${token}`)
      const expiresAt = endOf(now, bound.expiresAt)
      const { id } =
        yield* ids.one(sql`INSERT INTO sessions (token, hash, created_at, last_used_at, expires_at)
        VALUES (${token}, ${digest(secret)}, ${now.ours}, ${now.ours}, ${expiresAt}) RETURNING id`)
      return { session: { id, account, token, expiresAt }, secret: Redacted.make(secret) }
    },
    sql.withTransaction,
    orDie
  )

  /** Records the use; a failed write signs nobody out. */
  const note = (id: SessionId, now: number) =>
    Effect.catchAll(sql`UPDATE sessions SET last_used_at = ${now} WHERE id = ${id}`, (error) =>
      Effect.logWarning(`cannot note the use of a session: ${reasonOf(error.cause)}`)
    )

  const use = Effect.fn("Sessions.use")(function* (secret: string) {
    if (!isSecret(secret)) return Option.none()
    const found = yield* Effect.flatMap(
      rows.first(sql`${sessions} WHERE sessions.hash = ${digest(secret)} AND revoked_at IS NULL`),
      living
    )
    const now = yield* ours
    if (Option.isSome(found) && now - found.value.lastUsedAt >= NOTED_SECONDS)
      yield* note(found.value.id, now)
    return Option.map(found, shown)
  })

  const get = Effect.fn("Sessions.get")((id: SessionId) =>
    Effect.map(
      Effect.flatMap(rows.first(sql`${sessions} WHERE sessions.id = ${id} AND revoked_at IS NULL`), living),
      Option.map(shown)
    )
  )

  const end = Effect.fn("Sessions.end")((id: SessionId) =>
    orDie(Effect.asVoid(sql`DELETE FROM sessions WHERE id = ${id}`))
  )

  return Sessions.of({ begin, use, get, end })
})

/** Real time, also in a replay: people must not be signed out every few minutes. */
const ours = inRealTime(Rows.nowSeconds)
const both = Effect.all({ ours, tokens: Rows.nowSeconds })

const digest = (secret: string) => new Bun.CryptoHasher("sha256").update(secret).digest()

export const layer = Layer.effect(Sessions, make)
