// Every port in a database of Postgres, whose address is in the variable DATABASE: one process trades, and the next one
// finds its trades. Only one of them may run bots at a time: `Postgres.layerLock` refuses a second one.
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { Effect, Layer, Option, Redacted } from "effect"
import { Accounts, Memory, Strategies } from "signalbox"
import * as Postgres from "signalbox/postgres"
import { me, trade } from "./lib/trader.ts"

/** A process on the database, as Postgres lists it. */
const ofProcess = () => {
  const url = Redacted.make(process.env["DATABASE"] ?? "postgres://localhost/signalbox")
  const own = { url, node: `trader ${randomUUID()}`, shown: "the database of this example" }
  const ports = Layer.provideMerge(Postgres.layerPorts, Postgres.layer(own))
  // Locked first: bots that began before would be another process's.
  return Layer.provideMerge(Memory.layerWith(ports), Postgres.layerLock(own))
}

const first = Effect.gen(function* () {
  yield* (yield* Accounts).issue("me", "full", Option.none())
  const { performance, strategy_id } = yield* trade(60_000, 63_000)
  return { strategy: strategy_id, summary: performance.summary }
})
const before = await Effect.runPromise(Effect.provide(first, ofProcess()))

const next = Effect.flatMap(Strategies, ({ get }) => get(me.account, before.strategy))
const after = await Effect.runPromise(Effect.provide(next, ofProcess()))
assert.equal(after.performance.summary.trade_count, 1)
assert.equal(after.performance.summary.net_pnl, before.summary.net_pnl)
console.log(`1 trade of ${after.performance.summary.net_pnl} USDT, and the next process finds it`)
