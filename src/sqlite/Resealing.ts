import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ExchangeAccount } from "../domain/ExchangeAccount.ts"
import type { Vault } from "../services/Vault.ts"
import { placeOf } from "./ExchangeAccounts.ts"
import { orDie } from "./Failure.ts"
import * as Rows from "./Rows.ts"

const { account, exchange, id, name } = ExchangeAccount.fields
const Bytes = Schema.Uint8ArrayFromSelf
const rows = Rows.reader(
  Schema.Struct({ id, account, name, exchange, key: Schema.String, nonce: Bytes, text: Bytes })
)
const keys = Rows.reader(Schema.Struct({ key: Schema.String }))

/** The master keys that something is sealed with. */
export const sealedWith = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(keys.all(sql`SELECT DISTINCT sealed_with AS key FROM exchange_accounts ORDER BY 1`), (rows) =>
    rows.map(({ key }) => key)
  )
)

/** What became of the keys of all exchange accounts: `left` are those that did not open, by name. */
export interface Resealed {
  readonly sealed: number
  readonly left: ReadonlyArray<string>
}

/** Opens the keys of every exchange account and seals them with another master key: all at once, or none. */
export const reseal = Effect.fn("Resealing.reseal")(
  function* (from: typeof Vault.Service, to: { readonly id: string; readonly vault: typeof Vault.Service }) {
    const sql = yield* SqlClient.SqlClient
    // Takes the right to write before anything is read: nobody seals with the old key in between.
    yield* sql`UPDATE exchange_accounts SET problem = problem WHERE id = 0`
    const all =
      yield* rows.all(sql`SELECT id, account, name, exchange, sealed_with AS key, nonce, sealed AS text
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
    return { sealed: all.length - left.length, left } satisfies Resealed
  },
  (self) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(self)),
  orDie
)
