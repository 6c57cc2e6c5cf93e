import { expect, test } from "bun:test"
import { Either } from "effect"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"

// Texts that other services have their users send, or that the charting platform fills in by itself.

const refusal = (body: string): string => {
  const read = AlertBody.decode({ body, contentType: "text/plain", query: "signal_id=1" })
  if (Either.isRight(read)) return "read"
  if (read.left._tag !== "Invalid") return read.left._tag
  return read.left.violations.map(({ field, text }) => `${field} ${text}`).join("\n")
}

test.each([
  ["TradingView", "MACD (12, 26, 9): order buy @ 0.5 filled on BTCUSDT. New strategy position is 0.5"],
  ["TradingView", "order {{strategy.order.action}} @ {{strategy.order.contracts}} filled on {{ticker}}"],
  ["TradingView", "{{ticker}}: order {{strategy.order.action}} @ 1 filled on X. New strategy position is 2"],
  ["TradingView", "BTCUSDT Crossing 60000"],
  ["TradingView", "BTCUSDT, 15 Greater Than 60,000.00"],
  ["PineConnector", "60123456789,buy,AUDUSD,risk=0.1"],
  ["PineConnector", "60123456789 , closelong , GBPUSD"],
  ["Alertatron", "MyKeys(XBTUSD) { market(side=buy, amount=100); } #bot"],
  ["Alertatron", "MyKeys(XBTUSD) {\n  exitOnTrigger();\n}"],
  ["Autoview", "a=me e=binance s=BTCUSDT b=buy q=5% t=market"],
  ["Autoview", "e=binance c=position s=BTCUSDT b=long t=market"],
  ["Cornix", "Exchange: Binance Futures\nSignal: long\nPair: BTC/USDT\nEntry: 60000\nLeverage: 5x"],
  ["Cornix", "#BTC/USDT\nEntry Targets:\n1) 60000\nTake-Profit Targets:\n1) 65000"],
  ["ProfitView", "pv ex=binance sym=BTCUSDT side=buy qty=1"],
  // Parameters as their documentations name them: autoview.com/syntax, profitview.app (1.3.59), docs.pineconnector.com.
  ["Autoview", "e=bitmex s=xbtusd c=order\nd=5\ne=bitmex s=xbtusd b=long q=1000 t=market"],
  ["Autoview", "e=kraken s={{ticker}} b={{strategy.order.action}} q=50% # of the balance"],
  ["ProfitView", "ex=bybit sym=BTCUSDT side=long qty=10% type=market"],
  ["ProfitView", "account=Main sym=BTCUSDT side=buy qty=25%"],
  ["PineConnector", "60123456789012,{{strategy.order.action}},{{ticker}},risk=1"],
  ["PineConnector", "LicenseID,buy,EURUSD,risk=1,sl=10,tp=20"],
  ["Alertatron", "mykeys, other(XBTUSD) { market(side=sell, amount=1); }"],
  ["Cornix", "#BTC/USDT\nBuy: 30000\nTarget 1: 31000\nStop: 29000"],
  ["Cornix", "BTC/USDT LONG\nLeverage 10x\nEntries 38766.9\nTarget 1 39058\nSL 37000"],
  ["Cornix", "Close #BTC/USDT"],
  ["TradingView", "BTCUSDT.P, 15: Buy alert"],
  ["TradingView", "Supertrend (10, 3): Any alert() function call"]
])("%s: %s", (name, body) => {
  const text = refusal(body)
  expect(text).toContain(name)
  expect(text).toContain('"{{ticker}}"')
  expect(text).not.toContain("BTC")
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(200)
})

test.each([
  ["BTCUSDT Crossing 60000", "buy"],
  ["60123456789,sell,AUDUSD,risk=0.1", "sell"],
  ["60123456789,short,AUDUSD,risk=0.1", "short"],
  ["60123456789,closelong,GBPUSD", "close_long"],
  ["60123456789,closeshort,GBPUSD", "close_short"],
  ["e=bitmex s=xbtusd b=short q=1000", "short"],
  ["e=bitmex s=xbtusd c=position b=long", "close_long"],
  ["Close #BTC/USDT", "sell"]
])("the message to paste keeps the direction of the text: %s", (body, type) => {
  expect(refusal(body)).toContain(`"type":"${type}"`)
})

test("an address without the signal is told so, and one with it is refused for that signal", () => {
  const read = (query: string) =>
    AlertBody.decode({ body: "BTCUSDT Crossing 60000", contentType: "text/plain", query })
  const [bare, named] = [read(""), read("signal_id=7")]
  expect(
    Either.isLeft(bare) && bare.left._tag === "Invalid" && bare.left.violations.map((it) => it.field)
  ).toEqual(["type", "signal_id"])
  expect(Either.isLeft(named) && named.left).toMatchObject({ signalId: 7, violations: [{ field: "type" }] })
})

test("no refusal of a text without fields names a coin", () => {
  for (const body of ["buy BTC now", "{broken", "{'type':'buy'}", "[1]", "PASSWORD: buy"]) {
    const read = AlertBody.decode({ body, contentType: "text/plain", query: "" })
    expect([body, Either.isLeft(read) && read.left._tag]).toEqual([body, "Unreadable"])
    expect(JSON.stringify(read)).not.toMatch(/BTC|USDT/)
  }
})

test("a text that only resembles them is refused as plain text, or read as ever", () => {
  expect(refusal("buy BTC now")).toBe("Unreadable")
  expect(refusal("SYMBOL=BTCUSDT;SIGNAL=BUY")).toBe("read")
  expect(refusal("BUY_BINANCE_BTC/USDT_Bot")).toBe("read")
})
