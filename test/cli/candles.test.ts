// `candles` as a process against a stub of Binance, with ccxt's own parsing; killed in the middle.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HOLE, KlineGateway } from "../exchanges/KlineGateway.ts"
import { signalbox, start } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "candles-"))

let gateway: KlineGateway
beforeAll(async () => {
  gateway = await KlineGateway.start()
})
afterAll(async () => {
  await gateway.stop()
  rmSync(folder, { recursive: true })
})

const options = (name: string) => [
  ...["--db", join(folder, name, "signalbox.db")],
  ...["--exchange-urls", `binance=${gateway.url}`]
]
const download = (name: string) =>
  [
    "candles",
    "download",
    "binance",
    "btc/usdt",
    "--from",
    "2026-06-01",
    "--to",
    "2026-06-06",
    ...options(name)
  ] as const

const files = (name: string): Record<string, string> => {
  const path = join(folder, name, "candles", "binance", "BTC-USDT-spot")
  const names = readdirSync(path).filter((file) => !file.endsWith(".part"))
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(path, file)).toString("base64")]))
}
const stored = (name: string): number => {
  try {
    return Object.keys(files(name)).length
  } catch {
    return 0
  }
}

test("a download that is killed goes on where it stopped, and leaves the same bytes as one that was not", async () => {
  const whole = await signalbox(...download("whole"))
  expect(whole).toEqual({
    code: 0,
    error: "",
    out: `8,637 1m candles of BTC/USDT (spot) at binance are stored: 6 days fetched.
3 candles are missing at the exchange (nobody traded, or it stood still), and will not be asked for again:
  2026-06-01 01:30 to 2026-06-01 01:32 (3 candles)
`
  })
  const child = start(...download("cut"))
  while (stored("cut") < 2 && child.exitCode === null) await Bun.sleep(2)
  child.kill("SIGKILL")
  await child.exited
  expect(stored("cut")).toBeLessThan(6)
  const before = files("cut")
  gateway.faults = [{ status: 429, headers: { "Retry-After": "1" } }]
  const again = await signalbox(...download("cut"), "--json")
  expect(JSON.parse(again.out)).toMatchObject({
    days_kept: Object.keys(before).length,
    missing: 3,
    missing_at_exchange: 3,
    listed_from: null,
    holes: [{ from: HOLE[0] / 1000, to: HOLE[1] / 1000 - 60, candles: 3, known: true }]
  })
  expect(files("cut")).toEqual(files("whole"))
  expect(files("cut")).toMatchObject(before)

  const { pages } = gateway
  const third = await signalbox(...download("cut"))
  expect(third.out).toStartWith(
    "Nothing to fetch: all 6 days of 1m candles of BTC/USDT (spot) at binance are stored."
  )
  expect(gateway.pages).toBe(pages)
}, 60_000)

test("the list says what is stored and missing, and what was downloaded can be removed", async () => {
  const list = await signalbox("candles", "list", "--db", join(folder, "whole", "signalbox.db"))
  const columns = list.out.split("\n")[1]?.split(/ {2,}/)
  expect(columns).toEqual(
    ["binance", "BTC/USDT", "spot", "1m", "2026-06-01 00:00", "2026-06-06 23:59", "8,637", "3", "1"].concat(
      columns?.at(-1) ?? ""
    )
  )
  const removed = await signalbox(
    "candles",
    "remove",
    "binance",
    "BTC/USDT",
    "--db",
    join(folder, "whole", "x.db")
  )
  expect(removed.out).toBe(
    "6 downloaded days of 1m candles of BTC/USDT (spot) at binance removed; what the server recorded stays.\n"
  )
  const empty = await signalbox("candles", "list", "--db", join(folder, "whole", "signalbox.db"))
  expect(empty.out).toStartWith("No candles are stored yet")
}, 60_000)

test("a download that an exchange cannot serve is refused with the reason and the way out", async () => {
  const refused = async (...args: ReadonlyArray<string>) => {
    const { code, error } = await signalbox("candles", "download", ...args, ...options("refused"))
    return [code, error.trim()]
  }
  expect(await refused("kraken", "BTC/USD", "--from", "2026-06-01")).toEqual([
    1,
    expect.stringContaining("kraken serves only the newest 720 candles of a timeframe")
  ])
  expect(await refused("binance", "BTC/USDT", "--from", "2026-06-31")).toEqual([
    2,
    expect.stringContaining("--from takes a day, like 2026-11-01")
  ])
}, 60_000)
