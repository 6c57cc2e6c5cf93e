// An exchange that tells of a part of an account only: what it does not tell is unknown, and never nothing.
import { describe, expect, test } from "bun:test"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, type KnownExchange } from "../../src/domain/Market.ts"
import * as Balances from "../../src/exchange/wallets/Balances.ts"
import { balanceOf } from "../../src/services/money/Wallets.ts"

/** What the library makes of an answer: its own totals, and what the exchange wrote. */
interface Page {
  readonly total: Readonly<Record<string, string | undefined>>
  readonly free?: Readonly<Record<string, string>>
  readonly info: unknown
}

/** Reads what an exchange tells, page by page; with how many pages were asked for. */
const read = async (exchange: KnownExchange, pageOf: (number: number) => Page) => {
  let asked = 0
  const ask = () => Effect.sync(() => pageOf(++asked))
  const found = await Effect.runPromise(Balances.held({ venue: { exchange }, ask }))
  return { found, asked }
}

const totalOf = (held: Balances.Held | undefined, asset: string): string | undefined =>
  held === undefined
    ? undefined
    : Option.getOrUndefined(Option.map(balanceOf(held, asset), ({ total }) => Decimal.toText(total)))

const accounts = (has_next: boolean, cursor: string) => ({ accounts: [], has_next, cursor })

test("coinbase: wallets of one asset on several pages are added up", async () => {
  const { asked, found } = await read("coinbase", (number) => ({
    total: { BTC: `${number}` },
    info: accounts(number < 3, number < 3 ? `${number}` : "")
  }))
  expect([asked, totalOf(found, "BTC"), totalOf(found, "ETH")]).toEqual([3, "6", "0"])
})

test("coinbase: endless pages are read up to a bound, and no balance is then assumed zero", async () => {
  const { asked, found } = await read("coinbase", (number) => ({
    total: { BTC: "1" },
    info: accounts(true, `${number}`)
  }))
  expect([asked, found?.isWhole, totalOf(found, "BTC"), totalOf(found, "ETH")]).toEqual([
    ...[40, false, undefined, undefined]
  ])
})

test.each([
  ["there is more, and it is not said where", accounts(true, "")],
  ["the next page is the same one again", accounts(true, "same")],
  ["it does not say whether there is more", { accounts: [] }]
])("coinbase: %s", async (_, info) => {
  const { found } = await read("coinbase", () => ({ total: { BTC: "1" }, info }))
  expect([found?.isWhole, totalOf(found, "ETH")]).toEqual([false, undefined])
})

describe("an answer without an account is not an empty account", () => {
  test.each(EXCHANGE_NAMES.map((name) => [name] as const))("%s", async (name) => {
    for (const info of [undefined, {}, { data: {}, result: [] }, { data: "", result: null }]) {
      const { found } = await read(name, () => ({ total: {}, info }))
      expect([found?.isWhole, totalOf(found, "BTC")]).toEqual([false, undefined])
    }
  })
})

test("an asset without an amount is unknown, and the others are not", async () => {
  const { found } = await read("binance", () => ({
    total: { BTC: undefined, ETH: "2" },
    info: { balances: [] }
  }))
  expect(["BTC", "ETH", "SOL"].map((asset) => totalOf(found, asset))).toEqual([undefined, "2", "0"])
})
