// Moves everything sealed to another master key, in one transaction: all of it or nothing.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ExchangeAccount } from "../../domain/ExchangeAccount.ts"
import type { Vault } from "../../services/money/Vault.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Dialect from "../Dialect.ts"
import { placeOf } from "../ExchangeAccounts.ts"
import * as Rows from "../rows/Rows.ts"
import * as TargetRows from "../rows/TargetRows.ts"

const { account, exchange, id, name } = ExchangeAccount.fields
const Bytes = Schema.Uint8ArrayFromSelf
const accounts = Rows.reader(
  Schema.Struct({ id, account, name, exchange, key: Schema.String, nonce: Bytes, text: Bytes })
)
const keys = Rows.reader(Schema.Struct({ key: Schema.String }))

/** The master keys that something is sealed with. */
export const sealedWith = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    keys.all(sql`SELECT sealed_with AS key FROM exchange_accounts
      UNION SELECT sealed_with FROM notification_targets WHERE sealed_with IS NOT NULL ORDER BY 1`),
    (rows) => rows.map(({ key }) => key)
  )
)

/** The result: `left` did not open, exchange accounts by name, notifications by number. */
export interface Resealed {
  readonly accounts: number
  readonly notifications: number
  readonly left: { readonly accounts: ReadonlyArray<string>; readonly notifications: ReadonlyArray<number> }
}

type Key = { readonly id: string; readonly vault: typeof Vault.Service }

/** Opens everything sealed and seals it with another master key. */
export const reseal = Effect.fn("Resealing.reseal")(
  function* (from: typeof Vault.Service, to: Key) {
    const sql = yield* SqlClient.SqlClient
    // Nobody seals with the old key in between, and who began before is waited for.
    yield* Dialect.writtenByUs(sql, ["exchange_accounts", "notification_targets"])
    const ofAccounts = yield* resealAccounts(from, to)
    const ofTargets = yield* resealTargets(from, to)
    return {
      accounts: ofAccounts.sealed,
      notifications: ofTargets.sealed,
      left: { accounts: ofAccounts.left, notifications: ofTargets.left }
    } satisfies Resealed
  },
  (self) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(self)),
  orDie
)

const resealAccounts = Effect.fnUntraced(function* (from: typeof Vault.Service, to: Key) {
  const sql = yield* SqlClient.SqlClient
  const all =
    yield* accounts.all(sql`SELECT id, account, name, exchange, sealed_with AS key, nonce, sealed AS text
      FROM exchange_accounts WHERE sealed_with <> ${to.id} ORDER BY id`)
  const left: Array<string> = []
  for (const { account, exchange, id, name, ...sealed } of all) {
    const place = placeOf(account, id, exchange)
    const opened = yield* Effect.either(from.open(place, sealed))
    if (opened._tag === "Left") {
      left.push(name)
      continue
    }
    const { key, nonce, text } = yield* to.vault.seal(place, opened.right)
    yield* sql`UPDATE exchange_accounts SET sealed_with = ${key}, nonce = ${nonce}, sealed = ${text}
        WHERE id = ${id}`
  }
  return { sealed: all.length - left.length, left }
})

const resealTargets = Effect.fnUntraced(function* (from: typeof Vault.Service, to: Key) {
  const sql = yield* SqlClient.SqlClient
  const all =
    yield* TargetRows.stored.all(sql`SELECT ${sql.literal(TargetRows.STORED)} FROM notification_targets
      WHERE sealed_with <> ${to.id} ORDER BY id`)
  const left: Array<number> = []
  for (const target of all) {
    const sealed = TargetRows.sealedOf(target)
    const opened =
      sealed === undefined ? undefined : yield* Effect.option(from.open(TargetRows.placeOf(target), sealed))
    if (opened?._tag === "Some") yield* TargetRows.seal(to.vault, target, opened.value)
    else left.push(target.id)
  }
  return { sealed: all.length - left.length, left }
})
