// `position list|close|cancel|targets` beside the real server, which replays a steady price. The adversary has two
// terminals, names what is not there, wants more than there is, and sends a request again.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { listening, signalbox, start } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"

const folder = mkdtempSync(join(tmpdir(), "position-"))
const db = join(folder, "signalbox.db")
const PRICE = 100
const MINUTE = 60_000

/** A day of one price, two days ago: a request is void once the replay's clock is a minute past it. */
const recorded = (): string => {
  const path = join(folder, "prices")
  mkdirSync(path)
  const from = Math.floor(Date.now() / MINUTE - 2880) * MINUTE
  const rows = Array.from({ length: 1440 }, (_, index) => [from + index * MINUTE, ...Array(4).fill(PRICE), 1])
  writeFileSync(
    join(path, "binance_BTCUSDT_1m.csv"),
    `ts_ms,open,high,low,close,volume\n${rows.join("\n")}\n`
  )
  return path
}

const position = (...words: ReadonlyArray<string>) => signalbox("position", ...words, "--db", db)
type Rows = ReadonlyArray<Record<string, unknown>>
const rows = async (): Promise<Rows> => JSON.parse((await position("list", "--json")).out)
const held = async (strategy: number) => (await rows()).find((row) => row["strategy_id"] === strategy)

const token = async (): Promise<string> =>
  JSON.parse((await signalbox("token", "create", "--account", "ann", "--json", "--db", db)).out).token

/** The server, and requests to it as its one account. */
const served = async () => {
  const headers = { authorization: `Bearer ${await token()}`, "content-type": "application/json" }
  const replay = ["--prices", `replay:${recorded()}`, "--crud-rate", "0", "--port", "0"]
  const child = start("serve", ...replay, "--db", db)
  const url = await listening(child.stderr)
  return {
    post: (path: string, body: object, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify(body)
      }),
    text: async (path: string) => (await fetch(`${url}${path}`, { headers })).text(),
    stop: async () => {
      child.kill()
      await child.exited
    }
  }
}
const { post, stop, text } = await served()

afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

/** Strategies 1 to 3 buy at once, and 4 once the price has risen, which it never does. */
beforeAll(async () => {
  await post("/v1/signals", { name: "Main", description: "", active: true, public: false })
  const trailing = { strategy_trailing_buy_switch: true, trailing_buy_percentage: 5 }
  for (const more of [{}, {}, {}, trailing])
    await post("/v1/strategies", { ...STRATEGY, ...more, name: "Swing\u001b[2J", signal_id: 1 })
  expect((await position("list")).out).toBe("Nothing is held, and no entry waits.\n")
  const coins = { coin: "BTC", quote_currency: "USDT" }
  expect((await post("/v1/signals/alert", { signal_id: 1, ...coins, type: "buy" })).status).toBe(200)
  while ((await rows()).length < 4) await Bun.sleep(50)
}, 60_000)

const MARKET = ["binance", "BTC/USDT"]
const NONE = "there is no position on this market"

test("positions and waiting entries are listed as a table and as JSON", async () => {
  const { code, error, out } = await position("list")
  expect([code, error]).toEqual([0, ""])
  const table = out.split("\n").map((line) => line.split(/\s{2,}/))
  expect(table[0]?.slice(0, 6)).toEqual(["strategy", "mode", "market", "state", "side", "quantity"])
  expect(table[1]?.slice(0, 6)).toEqual(["1", "paper", "binance BTC/USDT spot", "open", "long", "50"])
  expect(table[4]?.slice(0, 6)).toEqual(["4", "paper", "binance BTC/USDT spot", "entry", "long", "0"])
  expect(await held(1)).toMatchObject({
    ...{ strategy_id: 1, mode: "paper", exchange: "binance", pair: "BTC/USDT", kind: "spot" },
    ...{ state: "open", side: "long", quantity: 50, average: PRICE, cost: 5005, tp: null, sl: null }
  })
}, 60_000)

test.each([
  ["an unknown strategy", 1, ["close", "9", ...MARKET], "there is no strategy 9: signalbox strategy list"],
  ["a market that it does not hold", 1, ["close", "1", "binance", "ETH/USDT"], NONE],
  ["the perpetual of what it holds", 1, ["close", "1", ...MARKET, "--kind", "swap"], NONE],
  ["an unknown exchange", 2, ["close", "1", "no exchange", "BTC/USDT"], "must be the name of an exchange"],
  ["no pair", 2, ["close", "1", "binance", "BTCUSDT"], "must be BASE/QUOTE"],
  ["more than the position", 2, ["close", "1", ...MARKET, "--percent", "101"], "at most 100"],
  ["nothing of it", 2, ["close", "1", ...MARKET, "--percent", "0"], "over 0 and at most 100"],
  [
    "a part under the minimum",
    1,
    ["close", "1", ...MARKET, "--percent", "0.001"],
    "the market takes 0.00001 BTC and 5 USDT at least"
  ],
  ["an entry that does not wait", 1, ["cancel", "1", ...MARKET], "no entry waits on this market"],
  ["no target", 2, ["targets", "1", ...MARKET], "or sl is required"],
  ["a target that is no price", 2, ["targets", "1", ...MARKET, "--tp", "high"], "must be"],
  ["a target that is passed", 1, ["targets", "1", ...MARKET, "--tp", "99"], "tp"]
] as const)(
  "an order by hand for %s ends with exit code %d and changes nothing",
  async (_, code, words, reason) => {
    const before = await rows()
    const ended = await position(...words)
    expect([ended.code, ended.out]).toEqual([code, ""])
    expect(ended.error).toContain(reason)
    expect(ended.error).not.toContain("\u001b")
    expect(await rows()).toEqual(before)
  },
  30_000
)

test("targets are set and removed, each by itself", async () => {
  const set = await position("targets", "1", ...MARKET, "--tp", "150", "--sl", "50")
  expect([set.code, set.out]).toEqual([0, "The position in BTC/USDT has new targets.\n"])
  expect(await held(1)).toMatchObject({ tp: 150, sl: 50 })
  const removed = await position("targets", "1", ...MARKET, "--tp", "none", "--json")
  expect(JSON.parse(removed.out)).toMatchObject({ done: true })
  expect(await held(1)).toMatchObject({ tp: null, sl: 50 })
}, 60_000)

test("of two terminals that close all at once, one sells and the other is told that nothing is held", async () => {
  const close = () => position("close", "1", ...MARKET)
  const both = await Promise.all([close(), close()])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  const [sold, late] = both.toSorted((one, other) => one.code - other.code)
  expect(sold?.out).toContain("Sold 50 BTC, all of the position, at 100")
  expect(late?.error).toContain(NONE)
  expect(await held(1)).toBeUndefined()
  expect(JSON.parse(await text("/v1/strategies/1")).performance.summary.trade_count).toBe(1)
}, 60_000)

test("of two terminals that close a part, the second closes a part of what the first left", async () => {
  const part = () => position("close", "2", ...MARKET, "--percent", "60")
  const both = await Promise.all([part(), part()])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  const quantities = both.map(({ out }) => /Sold ([\d.]+) BTC/.exec(out)?.[1]).toSorted()
  expect(quantities).toEqual(["12", "30"])
  expect(await held(2)).toMatchObject({ quantity: 8 })
}, 60_000)

test("a close that is sent again under its Idempotency-Key beside a terminal sells once", async () => {
  const body = { exchange: "binance", pair: "BTC/USDT", percent: 50 }
  const send = () => post("/v1/strategies/3/positions/close", body, { "idempotency-key": "half" })
  const [one, other, terminal] = await Promise.all([
    send(),
    send(),
    position("close", "3", ...MARKET, "--percent", "50")
  ])
  expect([one.status, other.status, terminal.code]).toEqual([200, 200, 0])
  const answer = await one.text()
  expect(await other.text()).toBe(answer)
  expect(await (await send()).text()).toBe(answer)
  expect(await held(3)).toMatchObject({ quantity: 12.5 })
}, 60_000)

test("a waiting entry is cancelled once, and the second terminal is told so", async () => {
  const cancel = () => position("cancel", "4", ...MARKET)
  const both = await Promise.all([cancel(), cancel()])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  const [done] = both.filter(({ code }) => code === 0)
  expect(done?.out).toBe("The waiting entry in BTC/USDT is cancelled.\n")
  expect(await held(4)).toBeUndefined()
}, 60_000)

test("without a server nothing is done, and the command says so at once", async () => {
  await stop()
  const before = await rows()
  const { code, error } = await position("close", "2", ...MARKET)
  expect([code, error]).toEqual([1, expect.stringContaining("no server uses this database")])
  expect(await rows()).toEqual(before)
}, 60_000)
