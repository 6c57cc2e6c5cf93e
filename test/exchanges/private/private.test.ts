// The life of orders on each stub, as the library that will trade on the real exchange tells it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import * as Schema from "effect/Schema"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, type KnownExchange, Pair } from "../../../src/domain/Market.ts"
import type { StubMarket } from "../Protocol.ts"
import { protocols } from "../protocols.ts"
import { Stub } from "../Stub.ts"
import type { Desk } from "./Desk.ts"
import { open, type TradingClient } from "./open.ts"
import { privates } from "./privates.ts"

const SYMBOL = "BTC/USDT"
const market: StubMarket = {
  ...{ pair: Pair.make(SYMBOL), kind: "spot", priceStep: "0.01", amountStep: "0.0001" },
  ...{ minAmount: "0.0002", minCost: "5", makerFee: 0.001, takerFee: 0.002 }
}
/** 32 letters and digits: every exchange takes that. */
const ID = "d15708c1dbb6465db77d47258319cc90"
const named = (name: KnownExchange, id: string) =>
  name === "coinbase" ? { client_order_id: id } : { clientOrderId: id }

const Maybe = Schema.optional(Schema.NullishOr(Schema.Number))
const Told = Schema.Struct({
  ...{ id: Schema.String, status: Schema.optional(Schema.NullishOr(Schema.String)) },
  ...{ clientOrderId: Schema.optional(Schema.NullishOr(Schema.String)), filled: Maybe, average: Maybe }
})
const order = Schema.decodeUnknownSync(Told)
const orders = Schema.decodeUnknownSync(Schema.Array(Told))
const trades = Schema.decodeUnknownSync(
  Schema.Array(
    Schema.Struct({
      ...{ id: Schema.String, order: Schema.String, side: Schema.String },
      ...{ price: Schema.Number, amount: Schema.Number, timestamp: Schema.Number },
      fee: Schema.Struct({ cost: Schema.Number, currency: Schema.String })
    })
  )
)
const Balance = Schema.Struct({ free: Schema.Number, total: Schema.Number })
const balance = Schema.decodeUnknownSync(Schema.Struct({ BTC: Balance, USDT: Balance }))
const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answers",
    (error: unknown) => (error instanceof Error ? error.constructor.name : String(error))
  )

for (const name of EXCHANGE_NAMES)
  describe(`orders on the stub of ${name}`, () => {
    let stub: Stub
    let desk: Desk
    let exchange: TradingClient
    beforeEach(async () => {
      stub = await Stub.start(protocols[name], [market])
      desk = stub.desk
      desk.book.funds.set("USDT", "10000")
      desk.book.funds.set("BTC", "1")
      stub.quote(market, { bid: 60_000, ask: 60_010, last: 60_005 })
      exchange = await open(name, stub)
      await exchange.loadMarkets()
    })
    afterEach(async () => {
      await exchange.close()
      await stub.stop()
    })
    const place = async (amount = 0.01, price = 50_000, id = ID) =>
      order(await exchange.createOrder(SYMBOL, "limit", "buy", amount, price, named(name, id)))
    const fetch = async (id: string) => order(await exchange.fetchOrder(id, SYMBOL, { acknowledged: true }))
    const first = () => desk.book.orders[0] ?? fail()

    test("an order is placed, found, filled in part and cancelled", async () => {
      const { id } = await place()
      expect(await fetch(id)).toMatchObject({ id, status: "open", clientOrderId: ID, filled: 0 })
      expect(orders(await exchange.fetchOpenOrders(SYMBOL))).toMatchObject([{ id, status: "open" }])
      desk.book.fill(first(), "0.004")
      expect(await fetch(id)).toMatchObject({ status: "open", filled: 0.004, average: 50_000 })
      const isBase = privates[name].policy.fees === "received"
      expect(trades(await exchange.fetchMyTrades(SYMBOL))).toMatchObject([
        {
          ...{ order: id, side: "buy", price: 50_000, amount: 0.004 },
          fee: isBase ? { cost: 0.000004, currency: "BTC" } : { cost: 0.2, currency: "USDT" }
        }
      ])
      await exchange.cancelOrder(id, SYMBOL)
      expect(await fetch(id)).toMatchObject({ filled: 0.004 })
      expect(orders(await exchange.fetchOpenOrders(SYMBOL))).toEqual([])
      expect(await failure(exchange.cancelOrder(id, SYMBOL))).toBe(
        name === "coinbase" ? "BadRequest" : "OrderNotFound"
      )
      expect(balance(await exchange.fetchBalance())).toMatchObject(
        isBase
          ? { BTC: { total: 1.003996 }, USDT: { free: 9800, total: 9800 } }
          : { BTC: { total: 1.004 }, USDT: { free: 9799.8, total: 9799.8 } }
      )
    })

    test("market orders fill at the quote, by amount or by cost", async () => {
      const bought = order(await exchange.createMarketBuyOrderWithCost(SYMBOL, 600))
      const sold = order(await exchange.createOrder(SYMBOL, "market", "sell", 0.02))
      // Steps of 0.0001 at 60010: 600 buys 0.0099, with Coinbase's fee in it as well.
      expect(await fetch(bought.id)).toMatchObject({ status: "closed", filled: 0.0099, average: 60_010 })
      expect(await fetch(sold.id)).toMatchObject({ status: "closed", filled: 0.02, average: 60_000 })
      const held = ["USDT", "BTC"].map((asset) => desk.book.funds.of(asset).held)
      expect(held.every(Decimal.isZero)).toBe(true)
    })

    test("a market order with too little liquidity is cut short", async () => {
      desk.book.supply(market, "0.003")
      const { id } = order(await exchange.createOrder(SYMBOL, "market", "sell", 0.02))
      expect(await fetch(id)).toMatchObject({ filled: 0.003 })
      expect(first().isDone).toBe(true)
      expect(Decimal.toNumber(desk.book.funds.of("BTC").free)).toBe(0.997)
    })

    test("a stop rests at the exchange and triggers", async () => {
      const isLimit = name === "coinbase"
      const [type, level] = [isLimit ? "limit" : "market", isLimit ? 54_000 : undefined]
      // Left to itself the library asks okx for margin.
      const cash = name === "okx" ? { tdMode: "cash" } : {}
      const params = name === "bitget" ? { triggerPrice: 55_000 } : { stopLossPrice: 55_000, ...cash }
      await exchange.createOrder(SYMBOL, type, "sell", 0.02, level, params)
      expect(first().status).toBe("waiting")
      const ordType = name === "okx" ? { ordType: "conditional" } : {}
      const there = await exchange.fetchOpenOrders(SYMBOL, undefined, undefined, {
        trigger: true,
        ...ordType
      })
      expect(orders(there)).toMatchObject([{ id: first().id, status: "open" }])
      stub.quote(market, { bid: 54_990, ask: 55_000, last: 54_995 })
      expect(first().status).toBe("filled")
      expect(Decimal.toNumber(first().paid)).toBeCloseTo(0.02 * 54_990)
    })

    test("a client order id is accepted once, or again after its order is done", async () => {
      const { id } = await place()
      const again = await failure(place())
      if (privates[name].policy.ids === "returned") expect(desk.book.orders.length).toBe(1)
      else expect(again).not.toBe("answers")
      await exchange.cancelOrder(id, SYMBOL)
      desk.book.ids = "open"
      expect(await failure(place())).toBe("answers")
      expect(desk.book.orders.length).toBe(2)
    })

    test("a malformed client order id is refused", async () => {
      const long = "x".repeat(name === "coinbase" ? 129 : name === "kraken" ? 19 : 41)
      expect(await failure(place(0.01, 50_000, long))).not.toBe("answers")
      if (name === "okx") expect(await failure(place(0.01, 50_000, "a-b"))).toBe("BadRequest")
      expect(desk.book.orders.length).toBe(0)
    })

    test("an order is not found at first, fills come late and twice, and coins disappear", async () => {
      desk.book.hideMs = 60_000
      const { id } = await place()
      expect(await failure(fetch(id))).toBe(name === "coinbase" ? "ExchangeError" : "OrderNotFound")
      expect(orders(await exchange.fetchOpenOrders(SYMBOL))).toEqual([])
      desk.book.hideMs = 0
      desk.book.lateFillsMs = 60_000
      const second = await place(0.01, 50_000, "b15708c1dbb6465db77d47258319cc90")
      const [, order] = desk.book.orders
      desk.book.fill(order ?? fail(), "0.001")
      expect(await fetch(second.id)).toMatchObject({ filled: 0.001 })
      expect(trades(await exchange.fetchMyTrades(SYMBOL))).toEqual([])
      desk.book.lateFillsMs = 0
      desk.book.fill(order ?? fail(), "0.001")
      desk.book.doubleFills = true
      // Kraken tells trades by their ids, so that none can come twice.
      expect(trades(await exchange.fetchMyTrades(SYMBOL)).length).toBe(name === "kraken" ? 1 : 2)
      desk.book.funds.change("BTC", "-1")
      expect(balance(await exchange.fetchBalance()).BTC.total).toBeLessThan(0.01)
    })

    test("a wrong key, a wrong clock and a revoked key are refused", async () => {
      const { apiKey, secret } = exchange
      if (name !== "coinbase") {
        exchange.secret = Buffer.from("another secret").toString("base64")
        expect(await failure(exchange.fetchOpenOrders(SYMBOL))).toBe(
          name === "kraken" ? "ExchangeError" : "AuthenticationError"
        )
        exchange.secret = secret
      }
      exchange.apiKey = `${apiKey}x`
      expect(await failure(exchange.fetchOpenOrders(SYMBOL))).toBe("AuthenticationError")
      exchange.apiKey = apiKey
      desk.skewMs = -300_000
      const late =
        name === "kraken" ? "answers" : name === "coinbase" ? "AuthenticationError" : "InvalidNonce"
      expect(await failure(exchange.fetchOpenOrders(SYMBOL))).toBe(late)
      desk.skewMs = 0
      expect(await failure(exchange.fetchOpenOrders(SYMBOL))).toBe("answers")
      desk.isRevoked = true
      // The library takes that for a limit of Binance's, once anything was answered.
      expect(await failure(exchange.fetchOpenOrders(SYMBOL))).toBe(
        name === "binance" ? "DDoSProtection" : "AuthenticationError"
      )
    })

    test("a ban ends", async () => {
      desk.ban(60_000)
      expect(await failure(exchange.fetchOpenOrders(SYMBOL))).not.toBe("answers")
      expect(Number(new Headers(Object(exchange.last_response_headers)).get("retry-after"))).toBeGreaterThan(
        50
      )
      desk.ban(0)
      expect(await failure(exchange.fetchOpenOrders(SYMBOL))).toBe("answers")
    })
  })

const fail = (): never => {
  throw new Error("no order")
}
