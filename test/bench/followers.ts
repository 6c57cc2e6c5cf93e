// One public signal with 40,000 followers in forty accounts: how long judging its alerts takes, for how long the event
// loop is held meanwhile, and how long another account's stop waits.
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { sender } from "../services/ports.ts"
import type { Line } from "./line.ts"

const ACCOUNTS = 40
const EACH = 1_000
const ALERTS = 5
/** The number of stops triggered while alerts are judged, and how long one may wait (ms). */
const STOPS = 10
const MOST_WAIT_MS = 250
/** For how long the loop may be held (ms), commits included. The time of a commit is printed beside it. */
const MOST_HELD_MS = 100

export default async (): Promise<ReadonlyArray<Line>> => {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    const db = join(folder, "signalbox.db")
    const run = <A, E>(self: Effect.Effect<A, E, Disk.World>) =>
      Effect.runPromise(Effect.provide(Disk.run(db, self), Layer.setTracerEnabled(false)).pipe(Effect.scoped))
    const told = await run(people)
    multiply(db)
    return [await run(bench(told))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates Ann, whose signal one strategy of each account follows, and Bob with a stop and a signal of his own. */
const people = Effect.gen(function* () {
  const ann = yield* Flow.ann()
  for (let index = 0; index < ACCOUNTS; index++) {
    const { account } = yield* sender(`follower-${index}`)
    yield* Flow.aStrategy(account, { signal_id: ann.signal, ...FOLLOWER })
  }
  const bob = yield* Flow.user("bob", { stop_loss: true, stop_loss_percentage: 1, ...BOBS })
  return { ann, bob }
})
type People = Effect.Effect.Success<typeof people>

const FOLLOWER = { exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }] } as const
const BOBS = { exchanges: [{ exchange_name: "binance", coin_pairs: ["ETH/USDT"] }] } as const

/** Copies each account's strategy as rows, because creating them one by one would take minutes. */
const multiply = (file: string): void => {
  const database = new Database(file)
  const many = `WITH RECURSIVE many (n) AS (VALUES (2) UNION ALL SELECT n + 1 FROM many WHERE n < ${EACH})`
  database.run(`${many} INSERT INTO strategies (account, signal_id, settings, created_at, updated_at)
    SELECT account, signal_id, settings, created_at, updated_at FROM strategies, many
    WHERE signal_id = 1 AND account > 1`)
  database.run(`INSERT INTO followings (signal_id, strategy_id, account, from_alert)
    SELECT signal_id, id, account, 0 FROM strategies
    WHERE signal_id = 1 AND id NOT IN (SELECT strategy_id FROM followings)`)
  database.close()
}

/** The longest time (ms) between two turns of the event loop. */
const holds = () => {
  let longest = 0
  let last = performance.now()
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    timer = setTimeout(look, 0)
  }
  look()
  return () => {
    clearTimeout(timer)
    return longest
  }
}

const millis = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const from = performance.now()
    return Effect.map(self, () => performance.now() - from)
  })

/** Triggers Bob's stop by a price, and waits until the position is closed. */
const stop = ({ bob }: People) =>
  Effect.gen(function* () {
    yield* Flow.quote(100, { pair: "ETH/USDT" })
    yield* Flow.send(bob.identity, bob.signal, "buy", { pair: "ETH/USDT" })
    yield* until(bob.strategy, 1)
    const before = (yield* Flow.tradesOf(bob.strategy)).length
    return yield* millis(
      Effect.zipRight(
        Flow.quote(90, { pair: "ETH/USDT" }),
        Effect.repeat(Effect.zipRight(Effect.sleep(1), Flow.tradesOf(bob.strategy)), {
          until: (trades) => trades.length > before
        })
      )
    )
  })

const until = (strategy: People["bob"]["strategy"], slots: number) =>
  Effect.repeat(Effect.zipRight(Effect.sleep(1), Flow.holds(strategy)), {
    until: (held) => held.length === slots
  })

const bench = (told: People) =>
  Effect.gen(function* () {
    const { ann } = told
    const round = (alerts: number) =>
      Effect.gen(function* () {
        for (let i = 0; i < alerts; i++) yield* Flow.send(ann.identity, ann.signal, "sell")
        yield* Flow.caughtUp
      })
    const endIdle = holds()
    yield* Effect.sleep(2_000)
    const idle = endIdle()
    const end = holds()
    const first = yield* millis(round(1))
    const firstHeld = end()
    const endSecond = holds()
    const judging = yield* Effect.fork(millis(round(ALERTS)))
    const waits: Array<number> = []
    for (let i = 0; i < STOPS; i++) waits.push(yield* stop(told))
    const took = yield* Fiber.join(judging)
    const held = endSecond()
    const wait = Math.max(...waits)
    const rate = (ACCOUNTS * EACH * ALERTS * 1000) / took
    return {
      name: "followers",
      text:
        `${ACCOUNTS * EACH} followers of ${ACCOUNTS} accounts: their first alert judged in ${first.toFixed(0)} ms, holding ` +
        `the loop for ${firstHeld.toFixed(0)} ms at most; ${ALERTS} more in ${took.toFixed(0)} ms (${rate.toFixed(0)}/s), for ` +
        `${held.toFixed(0)} ms at most (goal ${MOST_HELD_MS}; ${idle.toFixed(0)} ms with nothing to do); another's stop waited ${wait.toFixed(0)} ms at most ` +
        `(goal ${MOST_WAIT_MS}); ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`,
      // A machine with other work holds every event loop.
      ok: wait <= MOST_WAIT_MS + idle && held <= MOST_HELD_MS + idle
    } satisfies Line
  })
