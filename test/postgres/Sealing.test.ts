// The adversary: a writer who began with the old master key before everything was moved to the new one, and rows that
// came from an older program as they were.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Fiber, Layer } from "effect"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { Targets } from "../../src/services/notify/Targets.ts"
import * as Resealing from "../../src/sql/sealing/Resealing.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import * as MasterKey from "../../src/vault/MasterKey.ts"
import * as Keyed from "../../src/vault/Vault.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const CHANNEL = { kind: "discord", url: "https://discord.example/CANARY" } as const
const HERE = { entry: 0, alert: 0 }
const keyed = Effect.map(MasterKey.draw, (key) => ({ id: key.id, vault: Keyed.make(Effect.succeed(key)) }))

const scene = Effect.gen(function* () {
  const { url } = yield* database()
  const before = yield* keyed
  const one = yield* process(url)
  const { account } = yield* Effect.provide(sender("alice"), one.context)
  const context = yield* Layer.build(
    Layer.provide(
      Layer.provideMerge(Postgres.layerTargets, Postgres.layer({ url, node: fresh("node") })),
      Layer.succeed(Vault, before.vault)
    )
  )
  return { account, before, context, one, url, targets: Context.get(context, Targets) }
})

describe.skipIf(!isInstalled)("secrets in Postgres", () => {
  it.live("move to a new master key all at once, with those that are being sealed just then", () =>
    Effect.gen(function* () {
      const { account, before, context, one, targets } = yield* scene
      const after = yield* keyed
      const add = (name: string) =>
        targets.create(account, { name, channel: CHANNEL, kinds: ["closed"] }, HERE)
      yield* add("first")
      const sql = Context.get(context, SqlClient.SqlClient)
      const late = yield* Effect.fork(
        sql.withTransaction(Effect.zipLeft(add("late"), Effect.sleep("200 millis")))
      )
      yield* Effect.sleep("50 millis")
      const resealed = yield* Effect.provideService(
        Resealing.reseal(before.vault, after),
        SqlClient.SqlClient,
        one.sql
      )
      yield* Fiber.join(late)
      expect(resealed).toEqual({ accounts: 0, notifications: 2, left: { accounts: [], notifications: [] } })
      expect(yield* Effect.provideService(Resealing.sealedWith, SqlClient.SqlClient, one.sql)).toEqual([
        after.id
      ])
    })
  )

  it.live("that came unsealed are sealed at the start, and open as they were", () =>
    Effect.gen(function* () {
      const { account, before, one, targets, url } = yield* scene
      const { id } = yield* targets.create(
        account,
        { name: "old", channel: CHANNEL, kinds: ["closed"] },
        HERE
      )
      yield* one.sql`UPDATE notification_targets SET sealed_with = NULL, nonce = NULL, sealed = NULL,
        unsealed = ${JSON.stringify(CHANNEL)}`
      const starting = Layer.build(
        Layer.provide(
          Layer.provideMerge(Postgres.layerTargets, Postgres.layer({ url, node: fresh("node") })),
          Layer.succeed(Vault, before.vault)
        )
      )
      const [first] = yield* Effect.all([starting, starting], { concurrency: "unbounded" })
      expect(yield* one.sql`SELECT unsealed, sealed_with FROM notification_targets`).toEqual([
        { unsealed: null, sealed_with: before.id }
      ])
      expect(yield* Context.get(first, Targets).unlock(id)).toEqual(CHANNEL)
    })
  )
})
