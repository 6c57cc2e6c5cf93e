import { expect, test } from "bun:test"
import * as Option from "effect/Option"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Exchange, Market, MarketId } from "../../src/domain/Market.ts"
import { read } from "../../src/domain/requests/StrategyRequest.ts"
import { type Signal, SignalId } from "../../src/domain/Signal.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { type Proposal, type Rule, rules, validate } from "../../src/trading/StrategyRules.ts"

const fee = Decimal.unsafeFromText("0.1")
const step = Decimal.unsafeFromText("0.01")
const exchange = (name: Exchange["name"]): Exchange => ({
  name,
  active: name !== "okx",
  makerFeePercent: fee,
  takerFeePercent: fee
})
const market = (id: MarketId): Option.Option<Market> =>
  id.pair.startsWith("NOPE")
    ? Option.none()
    : Option.some({
        ...id,
        active: !id.pair.startsWith("GONE"),
        buyEnabled: !id.pair.startsWith("SHUT"),
        priceStep: step,
        amountStep: step,
        minAmount: step,
        minCost: step
      })
const signal = (active: boolean): Signal => Fixtures.signal({ id: SignalId.make(7), active })

const proposal = (body: Record<string, unknown>, more: Partial<Proposal> = {}): Proposal => ({
  reading: read(body, Option.none()),
  exchange,
  market,
  signal: Option.none(),
  maxPairs: 3,
  ...more
})
const least = {
  name: "Mine",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10
}
const listing = (exchange_name: string, ...coin_pairs: ReadonlyArray<string>) => ({
  exchange_name,
  coin_pairs
})
const judged = (exchanges: ReadonlyArray<unknown>) =>
  validate(rules)(proposal({ ...least, exchanges })).map(({ text }) => text)

test.each([
  ["a market that is there", [listing("binance", "BTC/USDT")], []],
  ["an inactive exchange", [listing("okx", "BTC/USDT")], ["[0] okx is not active at the moment"]],
  [
    "a pair that is not there",
    [listing("binance", "BTC/USDT", "NOPE/USDT")],
    ["[0].coin_pairs[1] is not available on binance"]
  ],
  ["an inactive pair", [listing("binance", "GONE/USDT")], ["[0].coin_pairs[0] is not active on binance"]],
  [
    "a pair closed for buying",
    [listing("bybit", "SHUT/USDT")],
    ["[0].coin_pairs[0] is not enabled for buying on bybit"]
  ],
  ["no pair", [listing("binance")], ["[0].coin_pairs must list at least one pair"]],
  [
    "a pair twice",
    [listing("binance", "BTC/USDT", "BTC/USDT")],
    ["[0].coin_pairs lists a pair more than once"]
  ],
  [
    "too many pairs",
    [listing("binance", "A/USDT", "B/USDT"), listing("bybit", "A/USDT", "B/USDT")],
    ["must list at most 3 pairs"]
  ],
  [
    "an exchange twice",
    [listing("binance", "BTC/USDT"), listing("binance", "ETH/USDT")],
    [0, 1].map((index) => `[${index}] lists binance more than once: put its pairs into one entry`)
  ],
  [
    "several at once",
    [listing("okx", "NOPE/USDT", "GONE/USDT")],
    [
      "[0] okx is not active at the moment",
      "[0].coin_pairs[0] is not available on okx",
      "[0].coin_pairs[1] is not active on okx"
    ]
  ]
])("%s", (_, exchanges, texts) => expect(judged(exchanges)).toEqual(texts))

test("a signal must be accessible and active", () => {
  const body = { ...least, exchanges: [listing("binance", "BTC/USDT")], signal_id: 7 }
  const texts = (more: Partial<Proposal>) => validate(rules)(proposal(body, more)).map(({ field }) => field)
  expect(texts({})).toEqual(["signal_id"])
  expect(texts({ signal: Option.some(signal(false)) })).toEqual(["signal_id"])
  expect(texts({ signal: Option.some(signal(true)) })).toEqual([])
})

test("violations of the catalogue are reported beside those of form", () => {
  const fields = validate(rules)(proposal({ exchanges: [listing("okx", "NOPE/USDT")] })).map(
    ({ field }) => field
  )
  expect(new Set(fields)).toEqual(new Set([...Object.keys(least), "exchanges"]))
})

test("a custom rule is applied like the built-in ones", () => {
  const noSatoshi: Rule = ({ reading }) =>
    reading.given.has("name") ? [{ field: "name", text: "must not be given" }] : []
  expect(
    validate([...rules, noSatoshi])(proposal({ ...least, exchanges: [listing("binance", "BTC/USDT")] }))
  ).toEqual([{ field: "name", text: "must not be given" }])
})
