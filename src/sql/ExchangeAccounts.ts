// The stored layer of exchange accounts. Keys are sealed by the `Vault` to their owner, row and exchange; only `unlock`
// opens them. Every request to an exchange unlocks them, so that sealed rows are kept in memory until any changes.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { ExchangeAccountId } from "../domain/Arming.ts"
import { Credentials, ExchangeAccount, ExchangeAccountNotFound } from "../domain/ExchangeAccount.ts"
import { lazily } from "../domain/internal/Lazily.ts"
import type { KnownExchange } from "../domain/Market.ts"
import {
  ExchangeAccountInUse,
  ExchangeAccountNameTaken,
  ExchangeAccounts,
  MAX_EXCHANGE_ACCOUNTS,
  type NewExchangeAccount,
  TooManyExchangeAccounts
} from "../services/ExchangeAccounts.ts"
import { altered, type Sealed, Vault } from "../services/money/Vault.ts"
import * as Cache from "./client/Cache.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/Rows.ts"

/** The columns that may be shown: nothing sealed. */
const Row = Schema.Struct({ ...ExchangeAccount.fields, sandbox: Rows.Bit })
const rows = Rows.reader(Row)
const COLUMNS =
  'id, account, name, exchange, sandbox, created_at AS "createdAt", checked_at AS "checkedAt", problem'

const Bytes = Schema.Uint8ArrayFromSelf
const sealedFields = { key: Schema.String, nonce: Bytes, text: Bytes }
const sealedRows = Rows.reader(Schema.Struct({ ...Row.fields, ...sealedFields }))
const SEALED = `${COLUMNS}, sealed_with AS key, nonce, sealed AS text`
/** A row for offline checks of a database, with the owner's name. */
export const SealedAccount = Schema.Struct({ ...Row.fields, ...sealedFields, owner: Schema.String })
export type SealedAccount = typeof SealedAccount.Type
export const SEALED_ACCOUNTS = `SELECT exchange_accounts.id, account, exchange_accounts.name, exchange, sandbox,
  exchange_accounts.created_at AS "createdAt", checked_at AS "checkedAt", problem, sealed_with AS key, nonce,
  sealed AS text, accounts.name AS owner
  FROM exchange_accounts JOIN accounts ON accounts.id = exchange_accounts.account ORDER BY exchange_accounts.id`
const ids = Rows.reader(Schema.Struct({ id: ExchangeAccount.fields.id }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int, named: Schema.Int }))
const users = Rows.reader(Schema.Struct({ strategy: Schema.Int }))

const Secret = Schema.parseJson(Credentials)
const toText = lazily(() => Schema.encodeSync(Secret))
const toCredentials = lazily(() => Schema.decodeOption(Secret))

/** The place that keys are sealed to: moved to another row, owner or exchange, they do not open. */
export const placeOf = (owner: number, id: number, exchange: KnownExchange): string =>
  `exchange_account:${owner}:${id}:${exchange}`

/** The most rows that are kept in memory. */
const MAX_KNOWN = 10_000

/** A placeholder: keys are sealed to the row's id, which exists only after the insert. */
const UNSEALED: Sealed = { key: "", nonce: new Uint8Array(12), text: new Uint8Array() }

/**
 * Strategies that trade with an exchange account, or have open orders there. Of deleted strategies only orders count.
 */
const selectUsers = (
  sql: SqlClient.SqlClient,
  id: number
) => sql`SELECT bots.strategy_id AS strategy FROM bots
    JOIN strategies ON strategies.id = bots.strategy_id
    WHERE CAST(${Dialect.jsonText(sql, "bots.state", "live", "account")} AS BIGINT) = ${id}
  UNION SELECT orders.strategy_id FROM orders
    WHERE orders.status IN ('intended', 'accepted', 'unknown', 'partly_filled')
      AND CAST(${Dialect.jsonText(sql, "orders.intent", "live", "account")} AS BIGINT) = ${id}
  ORDER BY 1`

/** The strategies that trade with an exchange account now. */
export const usersOf = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(users.all(selectUsers(sql, id)), (rows) => rows.map(({ strategy }) => strategy))
  )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const columns = sql.literal(COLUMNS)
  const notFound = Rows.orFail(() => new ExchangeAccountNotFound())
  const own = (owner: AccountId, id: ExchangeAccountId) =>
    notFound(
      rows.first(sql`SELECT ${columns} FROM exchange_accounts WHERE id = ${id} AND account = ${owner}`)
    )

  const known = yield* Cache.make(MAX_KNOWN, (id: ExchangeAccountId) =>
    Effect.map(
      sealedRows.first(sql`SELECT ${sql.literal(SEALED)} FROM exchange_accounts WHERE id = ${id}`),
      Option.getOrUndefined
    )
  )

  /** Seals keys into an existing row. */
  const seal = Effect.fnUntraced(function* (
    { account, exchange, id }: Pick<ExchangeAccount, "account" | "exchange" | "id">,
    credentials: Credentials
  ) {
    const sealed = yield* vault.seal(placeOf(account, id, exchange), Redacted.make(toText(credentials)))
    yield* sql`UPDATE exchange_accounts
      SET sealed_with = ${sealed.key}, nonce = ${sealed.nonce}, sealed = ${sealed.text} WHERE id = ${id}`
    known.drop()
  })

  return ExchangeAccounts.of({
    add: Effect.fn("ExchangeAccounts.add")(
      function* (owner: AccountId, account: NewExchangeAccount) {
        const { credentials, exchange, name, sandbox } = account
        const now = yield* Rows.nowSeconds
        yield* Dialect.inTurn(sql, "exchange_accounts", owner)
        const { count, named } = yield* counts.one(sql`SELECT count(*) AS count,
          count(*) FILTER (WHERE name = ${name}) AS named FROM exchange_accounts WHERE account = ${owner}`)
        if (named > 0) return yield* new ExchangeAccountNameTaken({ name })
        if (count >= MAX_EXCHANGE_ACCOUNTS) return yield* new TooManyExchangeAccounts()
        const row = yield* rows.one(sql`INSERT INTO exchange_accounts
          (account, name, exchange, sandbox, sealed_with, nonce, sealed, created_at)
          VALUES (${owner}, ${name}, ${exchange}, ${Rows.bit(sandbox)}, ${UNSEALED.key}, ${UNSEALED.nonce},
            ${UNSEALED.text}, ${now}) RETURNING ${columns}`)
        yield* seal(row, credentials)
        return row
      },
      sql.withTransaction,
      orDie
    ),
    list: Effect.fn("ExchangeAccounts.list")((owner: AccountId) =>
      rows.all(sql`SELECT ${columns} FROM exchange_accounts WHERE account = ${owner} ORDER BY id`)
    ),
    get: Effect.fn("ExchangeAccounts.get")(own),
    rekey: Effect.fn("ExchangeAccounts.rekey")(
      function* (owner: AccountId, id: ExchangeAccountId, credentials: Credentials) {
        yield* seal(yield* own(owner, id), credentials)
      },
      sql.withTransaction,
      orDie
    ),
    remove: Effect.fn("ExchangeAccounts.remove")(
      function* (owner: AccountId, id: ExchangeAccountId) {
        yield* own(owner, id)
        const strategies = yield* Effect.provideService(usersOf(id), SqlClient.SqlClient, sql)
        if (strategies.length > 0) return yield* new ExchangeAccountInUse({ strategies })
        yield* notFound(
          ids.first(sql`DELETE FROM exchange_accounts WHERE id = ${id} AND account = ${owner} RETURNING id`)
        )
        known.drop()
      },
      sql.withTransaction,
      orDie
    ),
    checked: Effect.fn("ExchangeAccounts.checked")(function* (
      owner: AccountId,
      id: ExchangeAccountId,
      problem: Option.Option<string>
    ) {
      const now = yield* Rows.nowSeconds
      yield* sql`UPDATE exchange_accounts SET checked_at = ${now}, problem = ${Option.getOrNull(problem)}
        WHERE id = ${id} AND account = ${owner}`
      known.drop()
    }, orDie),
    unlock: Effect.fn("ExchangeAccounts.unlock")(function* (id: ExchangeAccountId) {
      const row = yield* known.get(id)
      if (row === undefined) return yield* new ExchangeAccountNotFound()
      const { key, nonce, text, ...account } = row
      const place = placeOf(account.account, account.id, account.exchange)
      const opened = yield* vault.open(place, { key, nonce, text })
      const credentials = toCredentials(Redacted.value(opened))
      if (Option.isNone(credentials)) return yield* altered
      return { account, credentials: credentials.value }
    })
  })
})

export const layer = Layer.scoped(ExchangeAccounts, make)
