// A server on a database with recorded prices and alerts, and the command beside it.
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import type { ServerOptions } from "../../src/Config.ts"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import * as Server from "../../src/Server.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { draft, instruction, settings } from "../../src/testing/Fixtures.ts"
import { DEFAULTS } from "../lib/options.ts"
import { type Tokens, tokens } from "../lib/server.ts"
import { aSignal, onFile, sender } from "../services/ports.ts"
import { MINUTE, record, wave } from "./prices.ts"

export const BTC: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }

export interface World extends Tokens {
  readonly folder: string
  readonly database: string
  readonly fetch: (path: string, init?: RequestInit, as?: keyof Tokens) => Promise<Response>
  readonly post: (body: unknown, as?: keyof Tokens, init?: RequestInit) => Promise<Response>
  readonly stop: () => Promise<void>
}

export const OCTOBER = Date.UTC(2026, 9, 31, 20)
export const NOVEMBER = Date.UTC(2026, 10, 1)

/**
 * Ann's strategy 1 follows her signal 1, which has three alerts; her strategy 2 follows Bob's signal 2 since the
 * first of its two alerts.
 */
const onRecord = Effect.gen(function* () {
  const [signals, store, journal] = [yield* Signals, yield* StrategyStore, yield* Journal]
  const [ann, bob] = [yield* sender("ann"), yield* sender("bob")]
  const mine = yield* signals.create(ann.account, aSignal())
  const theirs = yield* signals.create(bob.account, aSignal({ public: true }))
  const send = (who: typeof ann, signal: typeof mine, at: number, type: "buy" | "sell") =>
    journal.append(draft(who, { receivedAt: at, instruction: instruction({ signalId: signal.id, type }) }))
  yield* store.create(ann.account, settings({ signalId: mine.id }))
  yield* send(bob, theirs, NOVEMBER + 2 * MINUTE, "buy")
  yield* store.create(ann.account, settings({ signalId: theirs.id }))
  yield* store.create(ann.account, settings())
  yield* send(ann, mine, NOVEMBER + 1.5 * MINUTE, "buy")
  yield* send(ann, mine, NOVEMBER + 20.5 * MINUTE, "sell")
  yield* send(ann, mine, NOVEMBER + 30.5 * MINUTE, "buy")
  yield* send(bob, theirs, NOVEMBER + 3 * MINUTE, "buy")
})

const OPTIONS: ServerOptions = {
  ...DEFAULTS,
  port: 0,
  prices: "none",
  crudRate: 0,
  alertRate: 0
}

export const start = async (): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), "backtests-"))
  const database = join(folder, "signalbox.db")
  record(folder, "BTC/USDT", "2026-10", wave(OCTOBER, 240))
  record(folder, "BTC/USDT", "2026-11", wave(NOVEMBER, 240))
  record(folder, "ETH/USDT", "2026-11", wave(NOVEMBER, 10), "swap")
  const prepared = Effect.zipRight(onRecord, tokens)
  const known = await Effect.runPromise(Effect.scoped(Effect.provide(prepared, onFile(database))))
  const rows = new Database(database)
  rows.run(
    "INSERT INTO timeline (strategy_id, at, rule, alert_id, reason, text) VALUES (2, ?, 'alert', 5, 'no_price', '')",
    [NOVEMBER]
  )
  rows.close()
  const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
  const runtime = ManagedRuntime.make(Layer.provide(Server.layer({ ...OPTIONS, db: database }), quiet))
  const { url } = await runtime.runPromise(Server.Server)
  const send: World["fetch"] = (path, init = {}, as = "ann") => {
    const headers = new Headers(init.headers)
    headers.set("authorization", `Bearer ${known[as]}`)
    return fetch(`${url}${path}`, { ...init, headers })
  }
  const headers = { "content-type": "application/json" }
  const post: World["post"] = (body, as, init = {}) =>
    send(
      "/v1/dashboard/backtests",
      { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body), ...init },
      as
    )
  const stop = async () => {
    await runtime.dispose()
    rmSync(folder, { recursive: true })
  }
  return { ...known, folder, database, fetch: send, post, stop }
}
