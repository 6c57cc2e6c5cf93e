// `market refresh` as a process against stub servers of all exchanges, with ccxt's own parsing.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import { divide, toText, unsafeFromText } from "../../src/domain/Decimal.ts"
import {
  EXCHANGE_NAMES,
  isKnownExchange,
  type KnownExchange,
  type Market,
  Pair
} from "../../src/domain/Market.ts"
import type { StubMarket } from "../exchanges/Protocol.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"
import { signalbox } from "../lib/cli.ts"

const NEW = "NEW1/USDT"

const folder = mkdtempSync(join(tmpdir(), "refresh-"))
const stubs = new Map<KnownExchange, Stub>()
beforeAll(async () => {
  for (const name of EXCHANGE_NAMES)
    stubs.set(name, await Stub.start(protocols[name], offered(name), { door: false }))
})
afterAll(async () => {
  for (const stub of stubs.values()) await stub.stop()
  rmSync(folder, { recursive: true })
})

const told = (market: Market): StubMarket => ({
  pair: market.pair,
  kind: market.kind,
  priceStep: toText(market.priceStep),
  amountStep: toText(market.amountStep),
  minAmount: toText(market.minAmount),
  minCost: toText(market.minCost)
})

const TEN = unsafeFromText("10")

/** The built-in markets without the first, with a tenth of the second's price step, and with a new one. */
const offered = (name: KnownExchange): ReadonlyArray<StubMarket> => {
  const [, second, ...others] = Catalogue.markets(name)
  if (second === undefined) throw new Error(`${name} is shipped with nothing`)
  const changed = { ...told(second), priceStep: toText(divide(second.priceStep, TEN)) }
  return [changed, ...others.map(told), { ...changed, pair: Pair.make(NEW) }]
}

const urls = (...names: ReadonlyArray<KnownExchange>) =>
  names.map((name) => `${name}=${stub(name).url}`).join(",")

const stub = (name: KnownExchange): Stub => {
  const known = stubs.get(name)
  if (known === undefined) throw new Error(`there is no stub of ${name}`)
  return known
}

const named = ({ kind, pair }: { readonly pair: string; readonly kind: string }) => `${pair} ${kind}`

test("a refresh renews the markets of all seven exchanges, and the next command sees them", async () => {
  const db = join(folder, "all.db")
  await signalbox("market", "disable", "okx", "ETH/USDT", "--kind", "spot", "--db", db)
  const urlsOption = ["--exchange-urls", urls(...EXCHANGE_NAMES)]
  const done = await signalbox("market", "refresh", ...urlsOption, "--json", "--db", db)
  expect(done).toMatchObject({ code: 0, error: "" })
  const report: ReadonlyArray<Record<string, unknown>> = JSON.parse(done.out)
  expect(report.map(({ exchange }) => exchange)).toEqual([...EXCHANGE_NAMES])
  for (const row of report) {
    const name = String(row["exchange"])
    if (!isKnownExchange(name)) throw new Error(name)
    const shipped = Catalogue.markets(name)
    const [first, second] = shipped.map(({ kind, pair }) => ({ pair, kind }))
    expect(row).toEqual({
      exchange: name,
      known: shipped.length + 1,
      new: [{ pair: NEW, kind: "spot" }],
      changed: [second],
      gone: [first],
      left_as_they_were: [],
      unreadable: [],
      maker_fee: expect.any(Number),
      taker_fee: expect.any(Number)
    })
  }
  const list = await signalbox("market", "list", "okx", "--json", "--db", db)
  const markets: ReadonlyArray<Record<string, unknown>> = JSON.parse(list.out)
  const closed = markets.filter(({ active }) => active !== true).map(({ kind, pair }) => `${pair} ${kind}`)
  expect(closed).toEqual([...Catalogue.markets("okx").slice(0, 1).map(named), "ETH/USDT spot"])
  expect(markets.at(-1)).toMatchObject({ pair: NEW, kind: "spot", active: true, buy_enabled: true })
  const enabled = await signalbox("market", "enable", "okx", "BTC/USDT", "--kind", "spot", "--db", db)
  expect(enabled.out).toBe("okx BTC/USDT (spot) is enabled, but okx does not trade it now.\n")
}, 30_000)

test("an exchange that fails does not stop the others: a line gives its reason, and the exit code is not 0", async () => {
  const db = join(folder, "some.db")
  stub("binance").faults.rest = { status: 429, retryAfter: 9 }
  stub("kraken").faults.nonsense = true
  stub("bitget").faults.rest = { status: 503 }
  stub("bybit").faults.truncated = true
  const names = ["binance", "kraken", "okx", "bybit", "bitget", "kucoin"] as const
  const closed = urls(...names.slice(0, -1))
  const done = await signalbox(
    ...["market", "refresh", ...names, "--db", db, "--exchange-urls", `${closed},kucoin=http://127.0.0.1:1`]
  )
  expect(done.code).toBe(1)
  const later = "look at the network and at the exchange's own status page, and try again later"
  const cut = `is not refreshed: its answer is not understood; ${later}`
  expect(done.error.split("\n")).toEqual([
    "signalbox: binance is not refreshed: it limits our requests; try again in 9 s",
    `signalbox: kraken ${cut}`,
    `signalbox: bybit ${cut}`,
    `signalbox: bitget is not refreshed: it is not available; ${later}`,
    `signalbox: kucoin is not refreshed: it cannot be reached; ${later}`,
    ""
  ])
  expect(done.out).toMatch(/^exchange {2}known .*\nokx +\d+ +1 +1 +1 +0 +[\d.]+ % \/ [\d.]+ %\n$/)
}, 30_000)

test("malformed addresses and unknown exchanges are refused", async () => {
  const db = join(folder, "none.db")
  const [url, name] = await Promise.all([
    signalbox("market", "refresh", "okx", "--exchange-urls", "okx=nowhere", "--db", db),
    signalbox("market", "refresh", "mtgox", "--db", db)
  ])
  expect([url.code, url.out]).toEqual([2, ""])
  expect(url.error).toStartWith("signalbox: --exchange-urls takes NAME=http://HOST:PORT")
  expect([name.code, name.out]).toEqual([1, ""])
  expect(name.error).toStartWith("signalbox: there is no exchange mtgox")
})
