// The adversary: a process that trades on with keys which another process has replaced or removed.
import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"

/** Other processes heed a change within this time (ms). */
const HEEDED_MS = 1_000

const keys = (name: string) => ({ apiKey: Redacted.make(name), secret: Redacted.make(`${name}-secret`) })

const scene = Effect.gen(function* () {
  const { url } = yield* database()
  const vault = yield* Effect.provide(Vault, Vault.layerMemory)
  const process = Effect.suspend(() =>
    Layer.build(
      Layer.merge(Postgres.layerPorts, Postgres.layerExchangeAccounts).pipe(
        Layer.provide(Layer.succeed(Vault, vault)),
        Layer.provideMerge(Postgres.layer({ url, node: fresh("node") }))
      )
    )
  )
  const [one, other] = yield* Effect.all([process, process])
  const { account } = yield* Effect.provide(sender("alice"), one)
  const main = { name: "main", exchange: "binance", sandbox: false, credentials: keys("first") } as const
  const [ours, theirs] = [one, other].map((context) => Context.get(context, ExchangeAccounts))
  if (ours === undefined || theirs === undefined) return yield* Effect.dieMessage("two processes are needed")
  const { id } = yield* ours.add(account, main)
  const found = (accounts: typeof ExchangeAccounts.Service) =>
    Effect.match(accounts.unlock(id), {
      onSuccess: ({ credentials }) => Redacted.value(credentials.apiKey),
      onFailure: ({ _tag }): string => _tag
    })
  const heeds = Effect.fnUntraced(function* (accounts: typeof ExchangeAccounts.Service, what: string) {
    for (let waited = 0; waited < HEEDED_MS && (yield* found(accounts)) !== what; waited += 10)
      yield* Effect.sleep(10)
    expect(yield* found(accounts)).toBe(what)
  })
  return { account, found, heeds, id, ours, theirs }
})

describe.skipIf(!isInstalled)("keys of an exchange account on Postgres", () => {
  it.live("are another process's within a second of their change, and gone with their removal", () =>
    Effect.gen(function* () {
      const { account, found, heeds, id, ours, theirs } = yield* scene
      expect(yield* found(ours)).toBe("first")
      expect(yield* found(theirs)).toBe("first")
      yield* theirs.rekey(account, id, keys("second"))
      expect(yield* found(theirs)).toBe("second")
      yield* heeds(ours, "second")
      yield* ours.remove(account, id)
      expect(yield* found(ours)).toBe("ExchangeAccountNotFound")
      yield* heeds(theirs, "ExchangeAccountNotFound")
    })
  )
})
