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
  ["ProfitView", "pv ex=binance sym=BTCUSDT side=buy qty=1"]
])("%s: %s", (name, body) => {
  const text = refusal(body)
  expect(text).toContain(name)
  expect(text).toContain('"{{ticker}}"')
  expect(text).not.toContain("BTC")
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(200)
})

test("a text that only resembles them is refused as plain text, or read as ever", () => {
  expect(refusal("buy BTC now")).toBe("Unreadable")
  expect(refusal("SYMBOL=BTCUSDT;SIGNAL=BUY")).toBe("read")
  expect(refusal("BUY_BINANCE_BTC/USDT_Bot")).toBe("read")
})
