// A strategy's performance after a million trades: the cost of reading it, and of computing it again from all trades.
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Server from "../../src/Server.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { request } from "../lib/flow.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"
import { OPTIONS } from "./options.ts"
import * as Rows from "./summaryRows.ts"

const MOST = { read: 1.2, rebuild: 1.5 }
const GOAL = { read: 1.0, rebuild: 1.1 }
const ROUNDS = { read: 11, rebuild: 3 }
/** Requests in one round, in sequence over one connection. */
const REQUESTS = 200

export default async (): Promise<ReadonlyArray<Line>> => {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    const db = join(folder, "signalbox.db")
    const { few, key, many } = await serving(db, () => people)
    const kept = Rows.write(db, many, Rows.TRADES)
    Rows.write(db, few, 1)
    return [
      await serving(db, (url) => Effect.promise(() => read(url, key, many, few))),
      await rebuild(db, many, kept)
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the whole server on that database and a port of its own while it is used. */
const serving = async <A>(
  db: string,
  doing: (url: string) => Effect.Effect<A, unknown, Layer.Layer.Success<ReturnType<typeof Server.layer>>>
): Promise<A> => {
  const runtime = ManagedRuntime.make(
    Layer.merge(Server.layer({ ...OPTIONS, db }), Layer.setTracerEnabled(false))
  )
  try {
    return await runtime.runPromise(Effect.flatMap(Server.Server, ({ url }) => doing(url)))
  } finally {
    await runtime.dispose()
  }
}

/** An account with two equal strategies. */
const people = Effect.gen(function* () {
  const accounts = yield* Accounts
  const key = Redacted.value((yield* accounts.issue("bench", "full", Option.none())).secret)
  const identity = yield* Effect.orDie(Effect.flatten(accounts.authenticate(key)))
  const { account } = identity
  const strategies = yield* Strategies
  const many = yield* strategies.create(account, request())
  const few = yield* strategies.create(account, request())
  return { key, many: many.strategy_id, few: few.strategy_id }
})

const read = async (url: string, key: string, many: number, few: number): Promise<Line> => {
  const get = async (id: number) => {
    const response = await fetch(`${url}/v1/strategies/${id}`, {
      headers: { authorization: `Bearer ${key}` }
    })
    return response.json()
  }
  const often = (id: number) => async () => {
    for (let i = 0; i < REQUESTS; i++) await get(id)
  }
  const counts = await Promise.all([many, few].map(async (id) => countIn(await get(id))))
  const right = counts[0] === Rows.TRADES && counts[1] === 1
  const { left, ratio, right: one } = await compare(often(many), often(few), ROUNDS.read)
  const micros = (ms: number) => `${((ms * 1000) / REQUESTS).toFixed(0)} us`
  return {
    name: "summary.read",
    text:
      `GET of a strategy with 1,000,000 trades: ${micros(left)}; with 1: ${micros(one)}; ratio ${(1 / ratio).toFixed(2)} ` +
      `(at most ${MOST.read}, goal ${GOAL.read.toFixed(1)}); ${right ? "both count right" : `THEY SAY ${counts.join(" AND ")}`}`,
    ok: 1 / ratio <= MOST.read && right
  }
}

const Counted = Schema.Struct({
  performance: Schema.Struct({ summary: Schema.Struct({ trade_count: Schema.Number }) })
})
const countIn = (body: unknown): number =>
  Option.match(Schema.decodeUnknownOption(Counted)(body), {
    onNone: () => -1,
    onSome: ({ performance }) => performance.summary.trade_count
  })

const rebuild = async (db: string, strategy: number, kept: string): Promise<Line> => {
  const database = new Database(db, { readonly: true })
  const found: { again?: Rows.Recomputed; sums?: Rows.Sums } = {}
  const { left, ratio, right } = await compare(
    () => {
      found.again = Rows.recomputed(database, strategy)
    },
    () => {
      found.sums = Rows.bare(database, strategy)
    },
    ROUNDS.rebuild
  )
  database.close()
  const { again, sums } = found
  const equal = again?.text === kept && sums !== undefined && Rows.agrees(again.tally, sums)
  return {
    name: "summary.rebuild",
    text:
      `1,000,000 rows: ${left.toFixed(0)} ms; bare row loop ${right.toFixed(0)} ms; ratio ${(1 / ratio).toFixed(2)} ` +
      `(at most ${MOST.rebuild}, goal ${GOAL.rebuild}); ${equal ? "equal to the kept summary" : "NOT EQUAL TO THE KEPT SUMMARY"}`,
    ok: 1 / ratio <= MOST.rebuild && equal
  }
}
