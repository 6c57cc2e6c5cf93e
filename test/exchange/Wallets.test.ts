// What each exchange says of an account, and of keys that are wrong.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { TradingClient } from "../../src/ccxt/TradingClient.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Credentials } from "../../src/domain/ExchangeAccount.ts"
import { EXCHANGE_NAMES, type KnownExchange } from "../../src/domain/Market.ts"
import { Connections } from "../../src/exchange/Connections.ts"
import * as Own from "../../src/exchange/Wallets.ts"
import * as Contracts from "../../src/exchange/wallets/Contracts.ts"
import { balanceOf, Wallets } from "../../src/services/money/Wallets.ts"
import type { Flaw } from "../exchanges/private/Flaw.ts"
import type { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, accountsOf, credentialsOf, isSwapper, OTHER_SWAP, SWAP, stubOf } from "./lib.ts"

const OTHER_PEM = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "sec1", format: "pem" })
  .toString()

const wrong: Readonly<Record<KnownExchange, { readonly key: RegExp; readonly secret: RegExp }>> = {
  binance: { key: /does not know the key/, secret: /secret does not belong/ },
  bybit: { key: /does not know the key/, secret: /secret does not belong/ },
  okx: { key: /does not know the key/, secret: /secret does not belong/ },
  kraken: { key: /does not know the key/, secret: /secret does not belong/ },
  coinbase: { key: /refuses the keys/, secret: /refuses the keys/ },
  kucoin: { key: /does not know the key/, secret: /passphrase or the secret/ },
  bitget: { key: /does not know the key/, secret: /secret does not belong/ }
}

for (const name of EXCHANGE_NAMES)
  describe(name, () => {
    let stub: Stub
    beforeEach(async () => {
      stub = await stubOf(name, { door: false })
    })
    afterEach(async () => {
      await stub.stop()
    })

    const run = <A, E>(asked: (wallets: typeof Wallets.Service) => Effect.Effect<A, E>) =>
      Effect.flatMap(Wallets, asked).pipe(
        Effect.provide(
          Own.layer.pipe(
            Layer.provide(Connections.layer({ urls: new Map([[name, stub.url]]) })),
            Layer.provide(accountsOf(name, stub))
          )
        ),
        Effect.runPromise
      )
    const check = (more: Partial<Credentials> = {}) =>
      run(({ check }) => check(name, false, { ...credentialsOf(stub), ...more }))
    const refusal = (more: Partial<Credentials> = {}) =>
      run(({ check }) => Effect.flip(check(name, false, { ...credentialsOf(stub), ...more }))).then(
        ({ _tag, message }) => {
          expect(_tag).toBe("WalletUnavailable")
          // Nothing of what the exchange wrote, and nothing of a key.
          expect(message).not.toMatch(/[{}"[\]]|stub|\d{4}|BEGIN/)
          return message
        }
      )
    const refuse = (flaw: Flaw) => stub.desk.troubles.plan("balance", { how: "refuse", flaw })

    test("valid keys give the balances and the rights", async () => {
      const found = await check()
      const shown = (asset: string) => {
        const { free, total } = found.balances.get(asset) ?? { free: Decimal.zero, total: Decimal.zero }
        return [Decimal.toText(free), Decimal.toText(total)]
      }
      expect([shown("USDT"), shown("BTC"), shown("ETH")]).toEqual([
        ["1000000", "1000000"],
        ["10", "10"],
        ["0", "0"]
      ])
      expect([found.canTrade, found.canWithdraw]).toEqual([Option.some(true), Option.some(false)])
      expect(Math.abs(found.skewMs)).toBeLessThan(1000)
    })

    test("an account with more assets than one page is read to the last", async () => {
      for (let place = 0; place < 600; place++) stub.desk.book.funds.set(`COIN${place}`, `${place + 1}`)
      const found = await check()
      const last = Option.getOrUndefined(balanceOf(found, "COIN599"))
      expect([found.isWhole, Decimal.toText(last?.total ?? Decimal.zero)]).toEqual([true, "600"])
    })

    test("keys that may withdraw, or may not trade, are recognized", async () => {
      Object.assign(stub.desk.permissions, { withdraw: true, trade: false })
      expect(await check()).toMatchObject({ canTrade: Option.some(false), canWithdraw: Option.some(true) })
    })

    test("a wrong key, secret or passphrase is named", async () => {
      const apiKey = Redacted.make("another-key-that-nobody-knows")
      expect(await refusal({ apiKey })).toMatch(wrong[name].key)
      const other = name === "coinbase" ? OTHER_PEM : Buffer.from("another secret").toString("base64")
      expect(await refusal({ secret: Redacted.make(other) })).toMatch(wrong[name].secret)
      if (credentialsOf(stub).password === undefined) return
      expect(await refusal({ password: Redacted.make("another passphrase") })).toMatch(
        /passphrase( or the secret)? does not belong/
      )
    })

    test.each([
      ["bad_key", wrong[name].key],
      ["no_permission", name === "binance" ? /does not know the key, or not for this/ : /may not do that/],
      ["limited", /limits our requests/],
      ["maintenance", /maintenance|not available|not understood/]
    ] as const)("%s", async (flaw, words) => {
      await check()
      refuse(flaw)
      expect(await refusal()).toMatch(words)
    })

    test("an unreachable exchange or a nonsensical answer is an error", async () => {
      stub.desk.troubles.plan("balance", { how: "nonsense", when: "after" })
      expect(await refusal()).toMatch(/cannot be read/)
      stub.desk.troubles.plan("permissions", { how: "truncated", when: "after" })
      expect(await refusal()).toMatch(/cannot be read/)
      await stub.stop()
      expect(await refusal()).toMatch(/cannot be (reached|loaded)/)
    })

    test("the exchange's clock is measured and allowed for", async () => {
      stub.desk.skewMs = 120_000
      const { skewMs } = await check()
      expect(Math.abs(skewMs - 120_000)).toBeLessThan(1000)
    })

    test("changed keys of a stored account count from the next request on", async () => {
      const { desk } = stub
      const known = desk.credentials
      const fresh = { ...known, apiKey: "another-key" }
      await run(({ of }) =>
        Effect.gen(function* () {
          yield* of(ACCOUNT)
          desk.credentials = fresh
          yield* of(ACCOUNT)
          desk.credentials = known
          yield* of(ACCOUNT)
        })
      )
      expect(desk.count("balance")).toBe(3)
    })

    test("a stored account is used by its id, and a perpetual's position is in base", async () => {
      const held = await run(({ of }) => of(ACCOUNT))
      expect(Decimal.toText(held.balances.get("BTC")?.total ?? Decimal.zero)).toBe("10")
      const market = { exchange: name, pair: SWAP.pair, kind: "swap" } as const
      if (!isSwapper(name)) {
        expect((await run(({ contracts }) => Effect.flip(contracts(ACCOUNT, market))))._tag).toBe(
          "WalletUnavailable"
        )
        return
      }
      const contracts = async () => Decimal.toText(await run(({ contracts }) => contracts(ACCOUNT, market)))
      expect(await contracts()).toBe("0")
      const trade = (side: "buy" | "sell", amount: string, traded = SWAP) =>
        stub.desk.book.place({
          ...{ market: traded, side, type: "market", amount: Decimal.unsafeFromText(amount), tif: "ioc" },
          ...{ cost: undefined, price: undefined, trigger: undefined, clientId: undefined }
        })
      trade("sell", "0.25")
      expect(await contracts()).toBe("-0.25")
      trade("buy", "0.75")
      expect(await contracts()).toBe("0.5")
      // Positions of other perpetuals in the same answer are none of this one's.
      trade("sell", "3", OTHER_SWAP)
      expect(await contracts()).toBe("0.5")
    })

    if (name === "kraken")
      test("an asset that earns interest can be sold; a locked one is not counted", async () => {
        stub.desk.earning.set("BTC", Decimal.unsafeFromText("9.5"))
        stub.desk.book.funds.set("BTC.B", "3")
        const { balances } = await run(({ of }) => of(ACCOUNT))
        const { free, total } = balances.get("BTC") ?? { free: Decimal.zero, total: Decimal.zero }
        expect([Decimal.toText(free), Decimal.toText(total)]).toEqual(["10", "10"])
        expect(balances.has("BTC.F")).toBe(false)
      })
  })

test("a row of Binance that names no perpetual makes its answer unreadable, and is neither counted nor passed over", async () => {
  const market = { exchange: "binance", pair: SWAP.pair, kind: "swap" } as const
  const read = async (...symbols: ReadonlyArray<string | undefined>) => {
    const rows = symbols.map((symbol) => ({ symbol, positionAmt: "-0.25" }))
    const ccxt = {
      markets: { "BTC/USDT:USDT": { id: "BTCUSDT" } },
      fapiPrivateV3GetPositionRisk: () => Promise.resolve(rows)
    }
    const answer = await Contracts.ask("binance", market, ccxt as unknown as TradingClient)
    return Option.map(Contracts.read(market, answer), Decimal.toText)
  }
  expect(await read("BTCUSDT", "ETHUSDT")).toEqual(Option.some("-0.25"))
  expect(await read("BTCUSDT", undefined)).toEqual(Option.none())
})
