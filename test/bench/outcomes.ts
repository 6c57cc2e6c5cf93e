// Outcomes a second: a thousand strategies judge each alert of one signal, and their outcomes are stored. The reference
// is a bare loop that stores the same rows; that of a server on Postgres is the one on SQLite.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { ServerOptions } from "../../src/Config.ts"
import * as Server from "../../src/Server.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Signals } from "../../src/services/Signals.ts"
import { aStrategy, send } from "../lib/flow.ts"
import { administrate, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import * as Postgres from "../lib/postgres/Server.ts"
import { aSignal } from "../services/ports.ts"
import { median } from "./compare.ts"
import { type Line, NOT_INSTALLED } from "./line.ts"
import { OPTIONS } from "./options.ts"
import * as Rows from "./outcomeRows.ts"

const FOLLOWERS = 1_000
const ALERTS = 100
const ROUNDS = 3
const FLOOR = 0.4
const LEAST_PER_SECOND = 30_000
const FLOOR_ON_POSTGRES = 0.4

export default async (): Promise<ReadonlyArray<Line>> => {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    const db = join(folder, "signalbox.db")
    const rates = await ours({ db })
    const bare = Array.from({ length: ROUNDS }, (_, round) =>
      Rows.storeAgain(db, join(folder, `bare-${round}.db`))
    )
    return [
      verdict(median(rates), median(bare), Rows.count(db)),
      await onPostgres(join(folder, "beside.db"), median(rates))
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const verdict = (perSecond: number, bare: number, stored: number): Line => {
  const ratio = perSecond / bare
  const expected = FOLLOWERS * ALERTS * (ROUNDS + 1)
  return {
    name: "outcomes",
    text:
      `${perSecond.toFixed(0)} outcomes/s of ${FOLLOWERS} followers, each on disk (goal ${LEAST_PER_SECOND}), ` +
      `${ratio.toFixed(2)} of ${bare.toFixed(0)}/s of a bare loop that stores the same rows (floor ${FLOOR}); ` +
      `${stored} of ${expected} on disk`,
    ok: ratio >= FLOOR && stored === expected
  }
}

/** The same server on a database of Postgres, which waits for the disk as well. */
const onPostgres = async (db: string, here: number): Promise<Line> => {
  const name = "outcomes on Postgres"
  if (!isInstalled) return { name, text: NOT_INSTALLED, ok: true }
  const server = await Postgres.start({ durable: true })
  await administrate(server, "CREATE DATABASE bench")
  const there = median(await ours({ db, database: urlOf(server, "bench") }))
  const ratio = there / here
  const text =
    `${there.toFixed(0)} outcomes/s of ${FOLLOWERS} followers, each on disk, ${ratio.toFixed(2)} of those on SQLite ` +
    `(floor ${FLOOR_ON_POSTGRES})`
  return { name, text, ok: ratio >= FLOOR_ON_POSTGRES }
}

/** Outcomes a second of each round, without the first, which warms up. */
const ours = async (
  where: Pick<ServerOptions, "db"> & Partial<Pick<ServerOptions, "database">>
): Promise<ReadonlyArray<number>> => {
  const options = { ...OPTIONS, ...where, maxStrategies: FOLLOWERS }
  const runtime = ManagedRuntime.make(Layer.merge(Server.layer(options), Layer.setTracerEnabled(false)))
  try {
    return await runtime.runPromise(rounds)
  } finally {
    await runtime.dispose()
  }
}

const rounds = Effect.gen(function* () {
  const accounts = yield* Accounts
  const secret = (yield* accounts.issue("bench", "full", Option.none())).secret
  const identity = yield* Effect.orDie(Effect.flatten(accounts.authenticate(Redacted.value(secret))))
  const signal = yield* (yield* Signals).create(identity.account, aSignal())
  for (let i = 0; i < FOLLOWERS; i++) yield* aStrategy(identity.account, { signal_id: signal.id })
  const { caughtUp } = yield* Bots
  const rates: Array<number> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const from = performance.now()
    for (let i = 0; i < ALERTS; i++) yield* send(identity, signal.id, "sell")
    yield* caughtUp
    rates.push((FOLLOWERS * ALERTS * 1000) / (performance.now() - from))
  }
  return rates.slice(1)
})
