// `compare`: a strategy's life against its test, from the database and the candles beside it.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { OrderId } from "../../src/domain/Order.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { listening, signalbox, start } from "../lib/cli.ts"
import { BEGIN, lifeAt, stored, writeCandles } from "../lib/life.ts"
import { onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "compare-"))
const db = join(folder, "x.db")
const bare = join(folder, "bare", "x.db")
const ids = { slipped: 0, exact: 0, idle: 0, unpriced: 0 }

beforeAll(async () => {
  const slipped = lifeAt((order) => ({ slip: order.side === "buy" ? 1.002 : 0.999, fee: 2 }))
  const exact = lifeAt(() => ({}))
  const scene = Effect.gen(function* () {
    const mine = yield* stored(slipped)
    const others = yield* stored(renamed(exact), "bob")
    const carol = yield* sender("carol")
    const idle = yield* (yield* StrategyStore).create(carol.account, settings({ name: "Idle" }))
    return [mine.strategy, others.strategy, idle.id] as const
  })
  ;[ids.slipped, ids.exact, ids.idle] = await Effect.runPromise(
    Effect.scoped(Effect.provide(scene, onFile(db)))
  )
  writeCandles(db, slipped)
  const alone = Effect.map(stored(slipped), ({ strategy }) => strategy)
  ids.unpriced = await Effect.runPromise(Effect.scoped(Effect.provide(alone, onFile(bare))))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Two lives in one database: their orders need other names. */
const renamed = (life: ReturnType<typeof lifeAt>): ReturnType<typeof lifeAt> => ({
  ...life,
  orders: life.orders.map((one) => ({ ...one, order: { ...one.order, id: other(one.order.id) } }))
})
const other = (id: OrderId) => OrderId.make(`other-${id}`)

const DAY = new Date(BEGIN).toISOString().slice(0, 10)
const NEXT = new Date(BEGIN + 86_400_000).toISOString().slice(0, 10)
const compare = (id: number, ...args: ReadonlyArray<string>) =>
  signalbox("compare", String(id), "--to", DAY, ...args, "--db", db)

/** The amounts that are not 0, by part. */
const amountsOf = ({
  parts
}: {
  readonly parts: ReadonlyArray<{ readonly part: string; readonly amount: number }>
}) => parts.filter(({ amount }) => amount !== 0).map(({ part }) => part)

test("known slippage and fees are the whole difference, in the JSON and in the text", async () => {
  const [json, text] = await Promise.all([compare(ids.slipped, "--json"), compare(ids.slipped)])
  expect({ code: json.code, error: json.error }).toEqual({ code: 0, error: "" })
  const view = JSON.parse(json.out)
  expect(amountsOf(view)).toEqual(["price", "fees"])
  expect(view).toMatchObject({
    mode: "paper",
    from: BEGIN / 1000,
    remainder: 0,
    holes: [],
    starting_balance: 10000
  })
  expect(view.live.trades).toBeGreaterThan(5)
  expect(view.live.pnl).toBeLessThan(view.test.pnl)
  expect(text.code).toBe(0)
  expect(text.out).toContain("The rest is 0: the parts explain the whole difference.")
  expect(text.out).toMatch(/Price \(slippage\) +-\d/)
  expect(text.out).toMatch(/Latency +0 /)
})

test("a life as in the test is 0 in every part", async () => {
  const { code, out } = await compare(ids.exact)
  expect(code).toBe(0)
  expect(out).toContain("Every trade is as in the test.")
  expect(JSON.parse((await compare(ids.exact, "--json")).out).difference).toBe(0)
})

test("--from and --to cut the time, at a moment at which nothing was held", async () => {
  const { code, out } = await compare(ids.slipped, "--from", DAY, "--json")
  expect(code).toBe(0)
  expect(JSON.parse(out).to).toBe(BEGIN / 1000 + 86_400)
  const later = await signalbox("compare", String(ids.slipped), "--from", NEXT, "--json", "--db", db)
  expect(JSON.parse(later.out).live.trades).toBe(0)
})

test("--period takes a period of the bot by its number, and names those that there are", async () => {
  const [first, second] = await Promise.all([
    compare(ids.slipped, "--period", "1", "--json"),
    compare(ids.slipped, "--period", "2")
  ])
  expect(JSON.parse(first.out)).toEqual(JSON.parse((await compare(ids.slipped, "--json")).out))
  expect([second.code, second.error]).toEqual([
    1,
    "signalbox: the newest periods with trades do not include 2: choose one of 1\n"
  ])
})

test("without candles nothing is compared, and the text says which are missing", async () => {
  const { code, out } = await signalbox("compare", String(ids.unpriced), "--db", bare)
  expect(code).toBe(0)
  expect(out).toContain("There are no candles of these times (UTC)")
  expect(out).toContain("signalbox candles download binance BTC/USDT --from DAY fetches them.")
  expect(out).toMatch(/No candles +[+-]\d/)
})

test("--server has the running server compare, with the same result", async () => {
  const child = start("serve", "--port", "0", "--prices", "none", "--db", db)
  try {
    const at = await listening(child.stderr)
    const [here, there] = await Promise.all([
      compare(ids.slipped, "--json"),
      compare(ids.slipped, "--json", "--server", at)
    ])
    const text = await compare(ids.exact, "--server", at)
    const idle = await compare(ids.idle, "--server", at)
    expect([there.code, there.error]).toEqual([0, ""])
    expect(JSON.parse(there.out)).toEqual(JSON.parse(here.out))
    expect(text.out).toContain("Every trade is as in the test.")
    expect([idle.code, idle.error]).toEqual([
      1,
      "signalbox: the strategy has done nothing yet: there is nothing to compare\n"
    ])
  } finally {
    child.kill()
    await child.exited
  }
})

test("an unknown strategy, and one that has done nothing, exit with 1 and one line", async () => {
  const [missing, idle] = await Promise.all([compare(99), compare(ids.idle, "--json")])
  expect(missing).toEqual({
    code: 1,
    out: "",
    error: "signalbox: there is no strategy 99: signalbox strategy list\n"
  })
  expect(idle).toEqual({
    code: 1,
    out: "",
    error: "signalbox: the strategy has done nothing yet: there is nothing to compare\n"
  })
})
