// Perpetuals on the five that have them: at 1x, isolated, opened and closed.
import { expect, test } from "bun:test"
import * as Schema from "effect/Schema"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { Pair } from "../../../src/domain/Market.ts"
import type { StubMarket } from "../Protocol.ts"
import { protocols } from "../protocols.ts"
import { Stub } from "../Stub.ts"
import { open } from "./open.ts"

const SYMBOL = "BTC/USDT:USDT"
const market: StubMarket = {
  ...{ pair: Pair.make("BTC/USDT"), kind: "swap", priceStep: "0.1", amountStep: "0.001" },
  ...{ minAmount: "0.001", minCost: "5", contractSize: "0.001", takerFee: 0.001 }
}
const Told = Schema.Struct({ id: Schema.String })
const order = Schema.decodeUnknownSync(Told)
const Filled = Schema.Struct({
  ...Told.fields,
  status: Schema.String,
  filled: Schema.Number,
  average: Schema.Number
})
const filled = Schema.decodeUnknownSync(Filled)
const trades = Schema.decodeUnknownSync(
  Schema.Array(
    Schema.Struct({
      ...{ order: Schema.String, amount: Schema.Number },
      fee: Schema.Struct({ cost: Schema.Number, currency: Schema.String })
    })
  )
)

for (const name of ["binance", "bybit", "okx", "kucoin", "bitget"] as const)
  test(`${name} opens and closes a short`, async () => {
    const stub = await Stub.start(protocols[name], [market])
    const { book } = stub.desk
    book.funds.set("USDT", "1000")
    stub.quote(market, { bid: 60_000, ask: 60_010, last: 60_005 })
    const exchange = await open(name, stub)
    await exchange.loadMarkets()
    if (name !== "okx" && name !== "bybit") await exchange.setMarginMode("isolated", SYMBOL)
    // KuCoin's leverage of isolated margin comes with the order.
    const isolated = { marginMode: "isolated", ...(name === "kucoin" ? { leverage: 1 } : {}) }
    if (name !== "kucoin")
      await exchange.setLeverage(1, SYMBOL, name === "okx" ? { mgnMode: "isolated" } : isolated)
    // Two count contracts, here of 0.001.
    const isContracts = name === "okx" || name === "kucoin"
    const amount = isContracts ? 10 : 0.01
    const { id } = order(await exchange.createOrder(SYMBOL, "market", "sell", amount, undefined, isolated))
    const told = filled(await exchange.fetchOrder(id, SYMBOL, { acknowledged: true }))
    expect(told).toMatchObject({ status: "closed", filled: amount, average: 60_000 })
    expect(Decimal.toText(book.positions.of(market).amount)).toBe("-0.01")
    expect(Decimal.toNumber(book.positions.of(market).margin)).toBe(600)
    expect(trades(await exchange.fetchMyTrades(SYMBOL))).toMatchObject([
      { order: id, amount, fee: { cost: 0.6, currency: "USDT" } }
    ])
    stub.quote(market, { bid: 58_990, ask: 59_000, last: 58_995 })
    const close = { ...isolated, reduceOnly: true }
    await exchange.createOrder(SYMBOL, "market", "buy", amount, undefined, close)
    expect(book.positions.all).toEqual([])
    // 1000 of profit on each of 0.01, less both fees.
    expect(Decimal.toNumber(book.funds.of("USDT").free)).toBeCloseTo(1000 + 10 - 0.6 - 0.59, 9)
    const far = await exchange
      .createOrder(SYMBOL, "market", "sell", amount * 10, undefined, isolated)
      .then(String, (error: Error) => error.constructor.name)
    expect(far).toBe("InsufficientFunds")
    await exchange.close()
    await stub.stop()
  })
