// Every reason that a number decided, with the numbers, as the timeline, the list of alerts and the preview tell it.
import { expect, test } from "bun:test"
import { IGNORED, type Reason, type ReasonFacts } from "../../src/domain/Alert.ts"
import { wordsOf } from "../../src/trading/ReasonWords.ts"
import { scenario } from "./scenario.ts"

scenario(
  "a closing alert below the minimum profit says what closing would make, and from which price on it would do",
  { sell_minprofitpercent: 5, taker_fee: 0.1 },
  `
  quote 100
  buy       | opened
  quote 104
  sell      | below_min_profit
  because   | ignored, closing now at 104 would make 3.79 %, and the minimum profit is 5 %, which is reached at 105.2102102.
  quote 99
  sell      | below_min_profit
  because   | ignored, closing now at 99 would lose 1.2 %, and the minimum profit is 5 %, which is reached at 105.2102102.`
)

scenario(
  "targets on the wrong side are named with the price, and no others are",
  {},
  `
  quote 100
  quote 100 swap
  buy tp=100 sl=90       | bad_target
  because                | ignored, its tp 100 lies on the wrong side of the price 100.
  buy tp=120 sl=101      | bad_target
  because                | ignored, its sl 101 lies on the wrong side of the price 100.
  short tp=101 sl=99     | bad_target
  because                | ignored, its tp 101 and its sl 99 lie on the wrong side of the price 100.
  buy                    | opened
  quote 110
  buy tp=105             | bad_target
  because                | ignored, its tp 105 lies on the wrong side of the price 110.
  buy                    | already_open
  because                | ignored, a position is open already, with entry 1 of at most 1 by alert.`
)

scenario(
  "an entry beyond the most entries says how many there are",
  { max_entries: 2, buy_percentage: 10 },
  `
  quote 100
  buy       | opened
  buy       | added
  buy       | already_open
  because   | ignored, a position is open already, with entry 2 of at most 2 by alert.`
)

scenario(
  "an order under the market's minimum says what it would be worth, and what the least is",
  { buy_percentage: 0.01 },
  `
  quote 60000
  buy       | below_min_notional
  because   | ignored, the order would be smaller than the market's minimum: it would be worth 1 USDT, and the least is 5 USDT and 0.00001 of the coin.`
)

scenario(
  "without free cash the alert says how much is free",
  { buy_percentage: 100, taker_fee: 0 },
  `
  quote 100
  quote 200 eth
  buy       | opened
  buy eth   | insufficient_balance
  because   | ignored, there is no free cash for it: 0 USDT are free.`
)

scenario(
  "a position in the other direction is named with its quantity",
  {},
  `
  quote 100 swap
  short     | opened
  long      | opposite_position
  because   | ignored, a position in the other direction is open: 10 short.`
)

scenario(
  "an entry that waits is named by its alert",
  { strategy_trailing_buy_switch: true, trailing_buy_percentage: 1 },
  `
  quote 100
  buy       | trailing_buy_armed
  buy       | pending_entry
  because   | ignored, the entry of alert 1 is waiting already.`
)

scenario(
  "an alert in another currency names both",
  { exchanges: [{ exchange_name: "binance", coin_pairs: ["ETH/BTC", "BTC/USDT"] }] },
  `
  buy ETH/BTC   | quote_not_default
  because       | ignored, the pair is quoted in BTC, and the strategy's default currency is USDT.`
)

scenario(
  "an entry without a stop to size it by says what was to be risked",
  { risk_percent: 1.5 },
  `
  quote 100
  buy       | no_stop
  because   | ignored, the strategy sizes entries by their stop, to risk 1.5 % of the equity, and this one has none.`
)

scenario(
  "a cooldown says when it ends",
  {
    stop_loss: false,
    balance_stop_loss: true,
    balance_stop_loss_trigger: 10,
    balance_stop_loss_cooldown: 90,
    buy_percentage: 100
  },
  `
  quote 100
  buy       | opened
  quote 80
  holds     | nothing
  wait 30m
  quote 80
  buy       | cooldown
  because   | ignored, the strategy is cooling down after a balance rule until 1970-01-01 01:30:00 UTC, for 60 min more.`
)

scenario(
  "an entry that finds no price says how long it waited",
  {},
  `
  buy       | waits
  wait 11s
  alert 1   | no_price
  because   | ignored, no fresh price came in time: it waited 10 s, and the most is 10 s.`
)

const told: Partial<Readonly<Record<Reason, readonly [ReasonFacts, string]>>> = {
  stale: [
    { age_seconds: 312, most_seconds: 300 },
    "ignored, it came too long ago to enter now: it was 312 s old, and the most is 300 s"
  ],
  daily_loss: [
    { lost: 51.5, most: 50 },
    "ignored, the strategy has lost as much today as it may: 51.5 USDT of 50 USDT"
  ],
  over_max_order: [
    { cost: 120.12, max_order: 100 },
    "ignored, the order would be larger than the strategy was armed for: it would cost 120.12 USDT with its fee, and the most is 100 USDT"
  ]
}

test("real money's and old age's reasons have their numbers too", () => {
  for (const reason of IGNORED) {
    const [facts, text] = told[reason] ?? [{}, wordsOf(reason)]
    expect(wordsOf(reason, facts, "USDT")).toBe(text)
  }
})

test("a reason of an older version, without numbers, is told without them, and broken ones break nothing", () => {
  for (const reason of IGNORED) {
    expect(wordsOf(reason, {}, "USDT")).toBe(wordsOf(reason))
    expect(wordsOf(reason, { price: "<img onerror>", tp: Number.NaN }, "USDT")).toStartWith("ignored, ")
  }
})
