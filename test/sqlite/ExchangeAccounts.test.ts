import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Redacted } from "effect"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import * as MasterKey from "../../src/vault/MasterKey.ts"
import * as Keyed from "../../src/vault/Vault.ts"
import { layer } from "../lib/effect.ts"
import { onTemporaryFile, sender } from "../services/ports.ts"

const vault = Layer.effect(
  Vault,
  Effect.map(MasterKey.draw, (key) => Keyed.make(Effect.succeed(key)))
)
const opened = layer(
  Sqlite.layerExchangeAccounts.pipe(Layer.provideMerge(vault), Layer.provideMerge(onTemporaryFile))
)

const scene = Effect.gen(function* () {
  const accounts = yield* ExchangeAccounts
  const [alice, bob] = yield* Effect.all([sender("alice"), sender("bob")])
  const add = (owner: typeof alice, name: string) =>
    accounts.add(owner.account, {
      name,
      exchange: "binance",
      sandbox: false,
      credentials: { apiKey: Redacted.make(`${name}-key`), secret: Redacted.make(`${name}-secret`) }
    })
  const { changed } = yield* ChangeWatch
  const refused = (id: number) =>
    Effect.map(
      Effect.flip(Effect.zipRight(changed, accounts.unlock(ExchangeAccountId.make(id)))),
      (error) => {
        expect(error._tag).toBe("VaultLocked")
        return error.message
      }
    )
  return { accounts, changed, sql: yield* SqlClient.SqlClient, alice, bob, add, refused }
})

describe("keys in the database", () => {
  opened.effect("cannot be read in any row", () =>
    Effect.gen(function* () {
      const { add, alice, sql } = yield* scene
      yield* add(alice, "main")
      const rows = yield* sql`SELECT * FROM exchange_accounts`
      expect(rows).toHaveLength(1)
      const text = rows
        .map((row) =>
          Object.values(row)
            .map((value) =>
              value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)
            )
            .join(" ")
        )
        .join(" ")
      expect(text).toContain("main")
      expect(text).not.toMatch(/main-(key|secret)/)
    })
  )

  opened.effect("do not open in another row, for another owner, at another exchange, or altered", () =>
    Effect.gen(function* () {
      const { accounts, add, alice, bob, changed, refused, sql } = yield* scene
      const [one, two, other] = [yield* add(alice, "one"), yield* add(alice, "two"), yield* add(bob, "three")]
      const steal = (from: number, to: number) => sql`UPDATE exchange_accounts SET
        (sealed_with, nonce, sealed) = (SELECT sealed_with, nonce, sealed FROM exchange_accounts WHERE id = ${from})
        WHERE id = ${to}`
      yield* steal(one.id, two.id)
      yield* steal(one.id, other.id)
      expect(yield* refused(two.id)).toContain("does not open")
      expect(yield* refused(other.id)).toContain("does not open")
      expect(Redacted.value((yield* accounts.unlock(one.id)).credentials.secret)).toBe("one-secret")
      yield* sql`UPDATE exchange_accounts SET account = ${bob.account} WHERE id = ${one.id}`
      expect(yield* refused(one.id)).toContain("does not open")
      yield* sql`UPDATE exchange_accounts SET account = ${alice.account}, exchange = 'okx' WHERE id = ${one.id}`
      expect(yield* refused(one.id)).toContain("does not open")
      yield* sql`UPDATE exchange_accounts SET exchange = 'binance' WHERE id = ${one.id}`
      yield* Effect.zipRight(changed, accounts.unlock(one.id))
      yield* sql`UPDATE exchange_accounts SET sealed = CAST(sealed || 'x' AS BLOB) WHERE id = ${one.id}`
      expect(yield* refused(one.id)).toContain("does not open")
      yield* sql`UPDATE exchange_accounts SET sealed_with = 'abcd0123' WHERE id = ${one.id}`
      expect(yield* refused(one.id)).toContain("abcd0123")
    })
  )

  opened.effect("are read once, and again after any change that is known", () =>
    Effect.gen(function* () {
      const { accounts, add, alice, changed, sql } = yield* scene
      const { id } = yield* add(alice, "main")
      const keyOf = Effect.map(accounts.unlock(id), ({ credentials }) => Redacted.value(credentials.apiKey))
      const keys = (name: string) => ({
        apiKey: Redacted.make(name),
        secret: Redacted.make(`${name}-secret`)
      })
      expect(yield* keyOf).toBe("main-key")
      // A row that vanishes without a word: whoever reads the database would notice.
      yield* sql`UPDATE exchange_accounts SET exchange = 'okx'`
      expect(yield* keyOf).toBe("main-key")
      yield* sql`UPDATE exchange_accounts SET exchange = 'binance'`
      yield* accounts.rekey(alice.account, id, keys("second"))
      expect(yield* keyOf).toBe("second")
      const undone = Effect.zipRight(accounts.rekey(alice.account, id, keys("third")), Effect.fail("undone"))
      yield* Effect.flip(sql.withTransaction(undone))
      expect(yield* keyOf).toBe("second")
      yield* accounts.checked(alice.account, id, Option.some("the exchange refuses the key"))
      expect((yield* accounts.unlock(id)).account.problem).toEqual(
        Option.some("the exchange refuses the key")
      )
      yield* accounts.remove(alice.account, id)
      expect((yield* Effect.flip(accounts.unlock(id)))._tag).toBe("ExchangeAccountNotFound")
      const other = yield* add(alice, "other")
      yield* accounts.unlock(other.id)
      yield* Effect.zipRight(sql`DELETE FROM exchange_accounts`, changed)
      expect((yield* Effect.flip(accounts.unlock(other.id)))._tag).toBe("ExchangeAccountNotFound")
    })
  )

  opened.effect("leave no row if they cannot be sealed", () =>
    Effect.gen(function* () {
      const { alice, sql } = yield* scene
      const locked = Keyed.make(MasterKey.read({ ...none, folders: ["/nowhere"] }))
      const accounts = yield* Effect.provide(
        ExchangeAccounts,
        Sqlite.layerExchangeAccounts.pipe(Layer.provide(Layer.succeed(Vault, locked)))
      )
      const error = yield* Effect.flip(
        accounts.add(alice.account, {
          ...{ name: "main", exchange: "binance", sandbox: false },
          credentials: { apiKey: Redacted.make("k"), secret: Redacted.make("s") }
        })
      )
      expect(error._tag).toBe("VaultLocked")
      expect(yield* sql`SELECT * FROM exchange_accounts`).toEqual([])
    })
  )
})

describe("an exchange account in use", () => {
  opened.effect("is not removed while a strategy is armed with it or has an order there", () =>
    Effect.gen(function* () {
      const { accounts, add, alice, sql } = yield* scene
      const [main, other] = [yield* add(alice, "main"), yield* add(alice, "other")]
      const store = yield* StrategyStore
      const { id } = yield* store.create(alice.account, settings())
      const bot = (state: object) =>
        sql`INSERT OR REPLACE INTO bots (strategy_id, step, state, tally)
          VALUES (${id}, 1, ${JSON.stringify(state)}, '{}')`
      yield* bot({ live: { account: main.id } })
      const armed = yield* Effect.flip(accounts.remove(alice.account, main.id))
      expect(armed).toMatchObject({ _tag: "ExchangeAccountInUse", strategies: [id] })
      expect(armed.message).toContain(`signalbox strategy disarm ${id}`)
      yield* accounts.remove(alice.account, other.id)
      yield* bot({})
      yield* sql`INSERT INTO orders (id, strategy_id, intent, status)
        VALUES ('a', ${id}, ${JSON.stringify({ live: { account: main.id, tag: "x" } })}, 'unknown')`
      expect((yield* Effect.flip(accounts.remove(alice.account, main.id)))._tag).toBe("ExchangeAccountInUse")
      yield* sql`UPDATE orders SET status = 'filled'`
      yield* accounts.remove(alice.account, main.id)
      expect(yield* accounts.list(alice.account)).toEqual([])
    })
  )
})

const none = { credentials: Option.none<string>(), environment: Option.none<Redacted.Redacted>() }
