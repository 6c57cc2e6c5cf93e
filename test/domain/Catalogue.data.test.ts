import { describe, expect, test } from "bun:test"
import { binance } from "../../src/domain/catalogue/binance.ts"
import { bitget } from "../../src/domain/catalogue/bitget.ts"
import { bybit } from "../../src/domain/catalogue/bybit.ts"
import type { CatalogueFile } from "../../src/domain/catalogue/CatalogueFile.ts"
import { coinbase } from "../../src/domain/catalogue/coinbase.ts"
import { kraken } from "../../src/domain/catalogue/kraken.ts"
import { kucoin } from "../../src/domain/catalogue/kucoin.ts"
import { okx } from "../../src/domain/catalogue/okx.ts"

const files: ReadonlyArray<CatalogueFile> = [binance, bybit, okx, kraken, coinbase, kucoin, bitget]

const plainDecimal = /^(0|[1-9]\d*)(\.\d+)?$/
const positive = /[1-9]/
const pairPattern = /^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/

const leastRows = 600

const spotEverywhere = [
  ...["BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "VET", "SHIB"].map((coin) => `${coin}/USDT spot`),
  ...["ETH", "XRP", "ADA"].map((coin) => `${coin}/BTC spot`),
  "BTC/USDC spot"
]
const perpetuals = ["BTC", "ETH", "SOL", "XRP", "ADA", "DOGE"].map((coin) => `${coin}/USDT swap`)
const dollars = ["BTC/USD spot", "ETH/USD spot"]

const requiredMarkets: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["binance", [...spotEverywhere, ...perpetuals, "XRP/ETH spot"]],
  ["bybit", [...spotEverywhere, ...perpetuals]],
  ["okx", [...spotEverywhere, ...perpetuals]],
  ["kraken", [...spotEverywhere, ...dollars, "XRP/ETH spot"]],
  ["coinbase", [...spotEverywhere, ...dollars]],
  ["kucoin", [...spotEverywhere, ...perpetuals]],
  ["bitget", [...spotEverywhere, ...perpetuals]]
])

/** Markets which an exchange does not have, and how that is known. */
const exceptions: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["bybit", new Map([["ADA/BTC spot", "the source marks it as no longer renewed"]])],
  ["okx", new Map([["VET/USDT spot", "not in the exchange's instruments reply"]])],
  ["kraken", new Map([["VET/USDT spot", "not in the source of mid 2025"]])],
  [
    "coinbase",
    new Map([
      ["VET/USDT spot", "VET trades against USD and USDC only"],
      ["XRP/BTC spot", "not listed again after the suspension of 2021"]
    ])
  ],
  ["bitget", new Map([["ADA/BTC spot", "found in no source"]])]
])

/** `BTC/USDT spot 0.01 0.00001 0.00001 5`, a row for each market. */
const rows = (file: CatalogueFile): ReadonlyArray<string> => {
  let section = ""
  return file.markets
    .slice(1, -1)
    .split("\n")
    .flatMap((line) => {
      if (line.endsWith(":")) section = line.slice(0, -1)
      if (line.endsWith(":")) return []
      const [kind, quote] = section.split(" ")
      return line.split("; ").flatMap((group) => {
        const [figures, bases] = [group.split(" ").slice(0, 4), group.split(" ").slice(4)]
        return bases.map((base) => `${base}/${quote} ${kind} ${figures.join(" ")}`)
      })
    })
}

const columns = (row: string): ReadonlyArray<string> => row.split(" ")

/** `BTC/USDT spot`: what names a market within its exchange. */
const key = (row: string): string => columns(row).slice(0, 2).join(" ")

const wrongColumns = (row: string): boolean => {
  const [pair = "", kind = "", ...numbers] = columns(row)
  return !pairPattern.test(pair) || !["spot", "swap"].includes(kind) || numbers.length !== 4
}

const wrongNumbers = (row: string): boolean => {
  const [priceStep = "", amountStep = "", ...minimums] = columns(row).slice(2)
  const steps = [priceStep, amountStep]
  return (
    !steps.every((step) => positive.test(step)) || ![...steps, ...minimums].every((n) => plainDecimal.test(n))
  )
}

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, index) => names.indexOf(name) !== index)

const exceptionsOf = (file: CatalogueFile): ReadonlyArray<string> => [
  ...(exceptions.get(file.name)?.keys() ?? [])
]

test.each(["NEAR", "ATOM", "PEPE", "OP", "INJ", "ICP", "HBAR", "WLD", "ENA", "TAO"])(
  "%s is among the spot markets of Binance",
  (base) => {
    expect(rows(binance).map(key)).toContain(`${base}/USDT spot`)
  }
)

test("each of the seven exchanges is there once", () => {
  expect(files.map((file) => file.name).toSorted()).toEqual([...requiredMarkets.keys()].toSorted())
})

describe.each(files.map((file) => ({ name: file.name, file })))("$name", ({ file }) => {
  test("the text begins and ends with a line break", () => {
    expect(file.markets).toMatch(/^\n[^\n][\s\S]*[^\n]\n$/)
  })

  test("every row has a pair, a kind and four numbers, separated by one blank", () => {
    expect(rows(file).filter(wrongColumns)).toEqual([])
  })

  test("every number is a plain decimal and the steps are above zero", () => {
    expect(rows(file).filter(wrongNumbers)).toEqual([])
  })

  test("no market is listed twice", () => {
    expect(repeated(rows(file).map(key))).toEqual([])
  })

  test(`there are at least ${leastRows} markets`, () => {
    expect(rows(file).length).toBeGreaterThanOrEqual(leastRows)
  })

  test("the required markets are there, except the known exceptions", () => {
    const present = new Set(rows(file).map(key))
    const missing = (requiredMarkets.get(file.name) ?? []).filter((market) => !present.has(market))
    expect(missing.toSorted()).toEqual(exceptionsOf(file).toSorted())
  })

  test("the fees are plain percentages below two", () => {
    const fees = [file.makerFeePercent, file.takerFeePercent]
    expect(fees.every((fee) => plainDecimal.test(fee) && Number(fee) < 2)).toBe(true)
  })

  test("the numbers are dated", () => {
    expect(file.recorded).toMatch(/^202[456]-\d\d-\d\d$/)
  })

  test("the source is named in one line", () => {
    expect(file.source).toMatch(/^.{20,}$/)
  })
})
