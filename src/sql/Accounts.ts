// The stored layer of accounts and tokens. Bearers are cached, so that authenticating costs no query; a token's last
// use is written to disk in batches.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import {
  AccountId,
  AccountNameRefused,
  type Identity,
  isSecret,
  isValid,
  type Scope,
  Token,
  TokenId,
  TokenNotFound
} from "../domain/Account.ts"
import { Accounts, drawSecret, isName } from "../services/Accounts.ts"
import * as Cache from "./client/Cache.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/Rows.ts"

/** The most secrets whose bearers are cached. */
const MAX_KNOWN = 10_000

const BearerRow = Schema.Struct({
  account: AccountId,
  token: TokenId,
  scope: Token.fields.scope,
  expiresAt: Schema.NullOr(Schema.Int)
})
const bearers = Rows.reader(BearerRow)
export const tokens = Rows.reader(Token)
/** The query for all tokens. */
export const TOKENS = `SELECT tokens.id, accounts.name AS account, scope, tokens.created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", made_by AS "madeBy"
  FROM tokens JOIN accounts ON accounts.id = tokens.account`
const accounts = Rows.reader(Schema.Struct({ id: AccountId, name: Schema.String }))
const ids = Rows.reader(Schema.Struct({ id: TokenId }))

/** A bearer, ready to return, so that a request allocates nothing. `expiresAt` in ms. */
interface Bearer {
  readonly identity: Identity
  readonly expiresAt: number
}

const bearerOf = ({ account, expiresAt, scope, token }: typeof BearerRow.Type) => ({
  identity: { account, token, scope },
  expiresAt: expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt * 1000
})

/** A token's row before it has an id; times in seconds. */
interface NewToken {
  readonly account: string
  readonly scope: Scope
  readonly secret: string
  readonly now: number
  readonly expiresAt: number | null
  readonly madeBy: TokenId | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = yield* Cache.make(MAX_KNOWN, (secret: string) =>
    Effect.map(
      bearers.first(sql`SELECT account, id AS token, scope, expires_at AS "expiresAt" FROM tokens
        WHERE hash = ${digest(secret)} AND revoked_at IS NULL`),
      (row) => Option.getOrUndefined(Option.map(row, bearerOf))
    )
  )
  const living = yield* Cache.make(MAX_KNOWN, (id: TokenId) =>
    Effect.map(tokens.first(sql`${sql.literal(TOKENS)} WHERE tokens.id = ${id}`), Option.getOrUndefined)
  )
  const forget = () => {
    known.drop()
    living.drop()
  }
  const uses = yield* noteUses

  const recall = (secret: string, now: number) => judge(known.peek(secret), now)

  /** Without a span, which would cost more than the look-up, on every request. */
  const authenticate = (secret: string): Effect.Effect<Option.Option<Identity>> =>
    Effect.suspend(() =>
      isSecret(secret)
        ? Effect.zipWith(known.get(secret), Clock.currentTimeMillis, (bearer, now) =>
            Option.fromNullable(judge(bearer, now))
          )
        : Effect.succeedNone
    )

  const judge = (bearer: Bearer | undefined, now: number): Identity | undefined => {
    if (bearer === undefined || now >= bearer.expiresAt) return undefined
    uses.note(bearer.identity.token, now)
    return bearer.identity
  }

  const issue = Effect.fn("Accounts.issue")(function* (
    account: string,
    scope: Scope,
    expiresAt: Option.Option<number>,
    madeBy?: TokenId
  ) {
    if (!isName(account)) return yield* new AccountNameRefused()
    const secret = drawSecret(scope)
    const now = yield* Rows.nowSeconds
    const ends = Option.getOrNull(expiresAt)
    const id = yield* sql.withTransaction(
      insert({ account, scope, secret, now, expiresAt: ends, madeBy: madeBy ?? null })
    )
    forget()
    const token: Token = {
      id,
      account,
      scope,
      createdAt: now,
      expiresAt,
      lastUsedAt: Option.none(),
      revokedAt: Option.none(),
      madeBy: Option.fromNullable(madeBy)
    }
    return { token, secret: Redacted.make(secret) }
  }, orDie)

  const insert = Effect.fnUntraced(function* (token: NewToken) {
    const { account, expiresAt, madeBy, now, scope, secret } = token
    yield* sql`INSERT INTO accounts (name, created_at) SELECT ${account}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE name = ${account}) ON CONFLICT DO NOTHING`
    const { id } =
      yield* ids.one(sql`INSERT INTO tokens (account, scope, hash, created_at, expires_at, made_by)
      SELECT id, ${scope}, ${digest(secret)}, ${now}, ${expiresAt}, ${madeBy} FROM accounts WHERE name = ${account}
      RETURNING id`)
    return id
  })

  const used = (token: Token): Token => ({
    ...token,
    lastUsedAt: uses.latest(token.id, token.lastUsedAt)
  })
  const list = Effect.gen(function* () {
    return (yield* tokens.all(sql`${sql.literal(TOKENS)} ORDER BY tokens.id`)).map(used)
  }).pipe(Effect.withSpan("Accounts.tokens"))

  const valid = (id: TokenId) =>
    Effect.zipWith(living.get(id), Rows.nowSeconds, (token, now) =>
      token !== undefined && isValid(token, now) ? Option.some(used(token)) : Option.none()
    )

  const revoke = Effect.fn("Accounts.revoke")(function* (id: number) {
    const now = yield* Rows.nowSeconds
    const row = yield* ids.first(
      sql`UPDATE tokens SET revoked_at = coalesce(revoked_at, ${now}) WHERE id = ${id} RETURNING id`
    )
    forget()
    if (Option.isNone(row)) return yield* new TokenNotFound({ id })
  })

  const all = accounts.all(sql`SELECT id, name FROM accounts ORDER BY id`)
  return Accounts.of({ issue, authenticate, recall, valid, all, tokens: list, revoke })
})

/** How long uses of tokens are collected before they are written together. */
const GATHER = "1 second"

/** Records each token's last use, to the minute: in memory at once, on disk soon after. */
const noteUses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  /** The start of the minute of the last use, in seconds since the epoch. */
  const minutes = new Map<TokenId, number>()
  const unwritten = new Set<TokenId>()

  const write = Effect.gen(function* () {
    if (unwritten.size === 0) return
    const used = new Map<number, Array<TokenId>>()
    for (const token of unwritten) {
      const minute = minutes.get(token) ?? 0
      used.set(minute, [...(used.get(minute) ?? []), token])
    }
    unwritten.clear()
    for (const [minute, tokens] of used)
      yield* sql`UPDATE tokens SET last_used_at = ${minute}
        WHERE ${Dialect.among(sql, "id", tokens)} AND coalesce(last_used_at, 0) < ${minute}`
  })
  const writeOrWarn = Effect.catchAll(write, (error) =>
    Effect.logWarning("cannot note the use of tokens", error)
  )
  yield* Effect.addFinalizer(() => writeOrWarn)
  const noted = yield* Queue.sliding<true>(1)
  const gather = Effect.zipRight(Queue.take(noted), Effect.sleep(GATHER))
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(gather, writeOrWarn)))

  return {
    note: (token: TokenId, now: number) => {
      const minute = Math.floor(now / 60_000) * 60
      if (minutes.get(token) === minute) return
      minutes.set(token, minute)
      unwritten.add(token)
      noted.unsafeOffer(true)
    },
    latest: (token: TokenId, written: Option.Option<number>) =>
      Option.fromNullable(minutes.get(token)).pipe(
        Option.map((minute) =>
          Math.max(
            minute,
            Option.getOrElse(written, () => 0)
          )
        ),
        Option.orElse(() => written)
      )
  }
})

const digest = (secret: string) => new Bun.CryptoHasher("sha256").update(secret).digest()

export const layer = Layer.scoped(Accounts, make)
