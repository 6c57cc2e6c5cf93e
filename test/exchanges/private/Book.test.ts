// The rules that the library keeps by itself, so that they are not seen through it; and that books balance.
import { expect, test } from "bun:test"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { Pair } from "../../../src/domain/Market.ts"
import type { Board, StubMarket } from "../Protocol.ts"
import { Book } from "./Book.ts"
import { binance } from "./binance.ts"
import type { Ticket } from "./Order.ts"

const market: StubMarket = {
  ...{ pair: Pair.make("BTC/USDT"), kind: "spot", priceStep: "0.1", amountStep: "0.001" },
  ...{ minAmount: "0.002", minCost: "50" }
}
const quote = { bid: 9_990, ask: 10_000, last: 9_995 }
const board: Board = { url: "", markets: [market], quote: () => quote, prints: () => [], now: () => 0 }
const of = Decimal.unsafeFromText

const book = (): Book => {
  const made = new Book(binance.policy, board, () => 0)
  made.funds.set("USDT", "1000")
  return made
}
const buy: Ticket = { market, side: "buy", type: "limit", amount: of("0.01"), price: of("9000") }
const flaw = (ticket: Ticket): string => {
  try {
    book().place(ticket)
    return "taken"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test("an order off the steps, too small or too large is refused", () => {
  expect(flaw(buy)).toBe("taken")
  expect(flaw({ ...buy, price: of("9000.05") })).toBe("price_step")
  expect(flaw({ ...buy, amount: of("0.0105") })).toBe("amount_step")
  expect(flaw({ ...buy, amount: of("0.001") })).toBe("min_amount")
  expect(flaw({ ...buy, amount: of("0.005") })).toBe("min_cost")
  expect(flaw({ ...buy, amount: of("0.2") })).toBe("insufficient")
  expect(flaw({ ...buy, side: "sell" })).toBe("insufficient")
  expect(flaw({ ...buy, market: { ...market, active: false } })).toBe("closed_market")
  expect(flaw({ ...buy, clientId: "a b" })).toBe("bad_id")
  const trigger = { price: of("9000"), rising: true }
  expect(flaw({ ...buy, trigger })).toBe("would_trigger")
})

test("balances, trades and fees add up to the start", () => {
  const made = book()
  const order = made.place(buy)
  expect(Decimal.toNumber(made.funds.of("USDT").held)).toBe(90)
  made.fill(order, "0.003")
  made.fill(order, "0.004", "8900")
  made.cancel(order)
  made.fill(order, "0.001")
  const paid = of("71.6")
  expect(order.paid).toEqual(Decimal.round(order.paid, 4))
  expect(Decimal.equals(order.paid, paid)).toBe(true)
  expect(Decimal.equals(made.funds.total("USDT"), Decimal.subtract(of("1000"), paid))).toBe(true)
  expect(Decimal.equals(made.funds.total("BTC"), of("0.007992"))).toBe(true)
  expect(Decimal.isZero(made.funds.of("USDT").held)).toBe(true)
})

test("a patient market order fills as supply comes", () => {
  const made = book()
  made.patient = true
  made.supply(market, "0.004")
  const order = made.place({ market, side: "buy", type: "market", amount: of("0.01") })
  expect([order.status, Decimal.toNumber(order.filled)]).toEqual(["open", 0.004])
  made.supply(market, "0.002")
  expect(Decimal.toNumber(order.filled)).toBe(0.006)
  made.supply(market, undefined)
  expect(order.status).toBe("filled")
})

test("an order that takes from a book that slips is filled worse than the quote, within its limit", () => {
  const made = book()
  made.funds.set("BTC", "1")
  made.slip(market, "2")
  const paid = (ticket: Omit<Ticket, "market" | "amount">) =>
    Decimal.toNumber(made.place({ ...ticket, market, amount: of("0.01") }).average ?? Decimal.zero)
  expect(paid({ side: "buy", type: "market" })).toBe(10_002)
  expect(paid({ side: "sell", type: "market" })).toBe(9_988)
  expect(paid({ side: "buy", type: "limit", tif: "ioc", price: of("10001") })).toBe(10_001)
  expect(paid({ side: "sell", type: "limit", tif: "ioc", price: of("9989") })).toBe(9_989)
})

test("a late cancellation changes nothing", () => {
  const made = book()
  made.fillsBeforeCancel = true
  const order = made.place(buy)
  expect(() => made.cancel(order)).toThrow("not_open")
  expect(order.status).toBe("filled")
})

test("an order that does not rest pays the taker fee, whatever its type", () => {
  const made = book()
  made.funds.set("BTC", "1")
  const priced = { ...market, makerFee: 0.0001, takerFee: 0.002 }
  const rates = (ticket: Ticket) => {
    const order = made.place({ ...ticket, market: priced })
    if (!order.isDone) made.fill(order)
    return order.fills.map(({ feeRate, isMaker }) => [Decimal.toNumber(feeRate), isMaker])
  }
  expect(rates(buy)).toEqual([[0.0001, true]])
  expect(rates({ ...buy, price: of("10010"), tif: "ioc" })).toEqual([[0.002, false]])
  expect(rates({ ...buy, price: of("10010") })).toEqual([[0.002, false]])
  const stop: Ticket = {
    ...buy,
    side: "sell",
    price: of("8000"),
    trigger: { price: of("9000"), rising: false }
  }
  expect(rates(stop)).toEqual([[0.002, false]])
  expect(rates({ market, side: "sell", type: "market", amount: of("0.01") })).toEqual([[0.002, false]])
})
