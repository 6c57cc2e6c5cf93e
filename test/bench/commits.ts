// What the engine's commits store a second, on Postgres and on SQLite in turns: outcomes of a thousand strategies that
// judge one alert, and trades that close for a hundred of them at once. Both wait for the disk.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { AlertId } from "../../src/domain/Alert.ts"
import type { Strategy } from "../../src/domain/Strategy.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { Limits } from "../../src/services/health/Limits.ts"
import { Portfolio, type Step } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Steps from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { administrate, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import * as Server from "../lib/postgres/Server.ts"
import { onFile, sender } from "../services/ports.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"

const STRATEGIES = 1_000
/** Strategies whose trades close in one commit. */
const TRADERS = 100
const COMMITS = 20
const ROUNDS = 5
/** Parts of what SQLite stores, which needs no round trips. */
const FLOORS = { outcomes: 0.5, trades: 0.25 }

export default async (): Promise<ReadonlyArray<Line>> => {
  if (!isInstalled)
    return [
      { name: "commits", text: "skipped: Postgres is not installed (apt-get install postgresql)", ok: true }
    ]
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  const server = await Server.start({ durable: true })
  await administrate(server, "CREATE DATABASE bench")
  const postgres = open(
    Layer.provide(Postgres.layerPorts, Postgres.layer({ url: urlOf(server, "bench"), node: "bench" }))
  )
  const sqlite = open(onFile(join(folder, "signalbox.db")))
  try {
    const there = await postgres.runPromise(committing)
    const here = await sqlite.runPromise(committing)
    const lines: Array<Line> = []
    for (const what of ["outcomes", "trades"] as const) {
      const { left, ratio, right } = await compare(
        () => postgres.runPromise(there[what]),
        () => sqlite.runPromise(here[what]),
        ROUNDS
      )
      const perSecond = (ms: number) =>
        ((COMMITS * (what === "trades" ? TRADERS : STRATEGIES) * 1000) / ms).toFixed(0)
      const floor = FLOORS[what]
      lines.push({
        name: `commits of ${what}`,
        text:
          `${perSecond(left)} ${what}/s on Postgres, ${ratio.toFixed(2)} of ${perSecond(right)}/s on SQLite ` +
          `(floor ${floor})`,
        ok: ratio >= floor
      })
    }
    return lines
  } finally {
    await Promise.all([postgres.dispose(), sqlite.dispose()])
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = <R, E>(ports: Layer.Layer<R, E>) =>
  ManagedRuntime.make(
    Layer.merge(ports, Layer.setTracerEnabled(false)).pipe(
      Layer.provide(Layer.succeed(Limits, { signals: 10, strategies: STRATEGIES }))
    )
  )

/** The commits of a round, each of them new to the database. */
const committing = Effect.gen(function* () {
  const { account } = yield* sender("alice")
  const store = yield* StrategyStore
  const portfolio = yield* Portfolio
  const strategies = yield* Effect.replicateEffect(store.create(account, settings()), STRATEGIES)
  let count = 0
  const round = (many: ReadonlyArray<Strategy>, stepOf: (strategy: Strategy, count: number) => Step) =>
    Effect.repeatN(
      Effect.suspend(() => {
        count++
        return portfolio.commit(many.map((strategy) => stepOf(strategy, count)))
      }),
      COMMITS - 1
    )
  return {
    outcomes: round(strategies, (strategy, alert) =>
      Steps.step(strategy, 1, {
        unchanged: true,
        outcomes: [{ ...Steps.outcome(strategy, alert), reason: "already_open" }],
        notes: [Steps.note("The strategy has a position in BTC/USDT.", 1_000, AlertId.make(alert))]
      })
    ),
    trades: round(strategies.slice(0, TRADERS), (strategy, at) =>
      Steps.step(strategy, at, {
        fills: [Steps.fill(`${strategy.id}-${at}`, at)],
        postings: Steps.postings(`${strategy.id}-${at}`).slice(1),
        trades: [Steps.trade(at)],
        notes: [Steps.note("The position is closed.", at)]
      })
    )
  }
})
