import { describe, expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import { alert, BTC, ETH, type Given, run, told } from "./scenario.ts"

/** given: settings, candles (open, high, low, close; one a minute), alerts; trades: trades, alerts that were ignored. */
interface Scenario extends Given {
  readonly name: string
  /** As `told` tells them. */
  readonly trades: ReadonlyArray<string>
  readonly ignored?: ReadonlyArray<string>
  readonly open?: number
  readonly ambiguous?: number
}

const flat = [100, 100, 100, 100] as const
const buy = alert(0, "buy")
const short = alert(0, "short")

const tables: Record<string, ReadonlyArray<Scenario>> = {
  "a stop loss fills at its level, or at the open beyond it": [
    {
      name: "a long inside the candle fills at the level",
      settings: { stopLoss: { percent: 5 } },
      candles: [flat, [100, 101, 90, 95]],
      alerts: [buy],
      trades: ["long 100@100 -> 95 stop_loss x1 @1"]
    },
    {
      name: "a long whose open lies beyond the level fills at the open",
      settings: { stopLoss: { percent: 5 } },
      candles: [flat, [90, 101, 90, 95]],
      alerts: [buy],
      trades: ["long 100@100 -> 90 stop_loss x1 @1"]
    },
    {
      name: "short",
      settings: { stopLoss: { percent: 5 } },
      candles: [flat, [100, 106, 99, 100]],
      alerts: [short],
      trades: ["short 100@100 -> 105 stop_loss x1 @1"]
    },
    {
      name: "a price just short of the level does not trigger",
      settings: { stopLoss: { percent: 5 } },
      candles: [flat, [100, 101, 95.0001, 100]],
      alerts: [buy],
      trades: [],
      open: 1
    }
  ],
  "a take profit rests on the price step, away from the market, and pays the maker fee": [
    {
      name: "long",
      settings: { minProfitPercent: 5 },
      candles: [flat, [100, 105, 99, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 105 take_profit x1 @1"]
    },
    {
      name: "a long's is rounded up to the step of 0.5",
      settings: { minProfitPercent: 5.1 },
      market: { priceStep: "0.5" },
      candles: [flat, [100, 105.4, 99, 100], [100, 106, 99, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 105.5 take_profit x1 @2"]
    },
    {
      name: "a short's is rounded down",
      settings: { minProfitPercent: 5.1 },
      market: { priceStep: "0.5" },
      candles: [flat, [100, 101, 94.6, 100], [100, 101, 94.5, 100]],
      alerts: [short],
      trades: ["short 100@100 -> 94.5 take_profit x1 @2"]
    },
    {
      name: "an open beyond the limit is the fill price",
      settings: { minProfitPercent: 5 },
      candles: [flat, [107, 108, 99, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 107 take_profit x1 @1"]
    },
    {
      name: "its price with fees is cost (1 + g) / (q (1 - maker))",
      settings: { minProfitPercent: 1, takerFeePercent: 0.1, makerFeePercent: 0.02, buyPercent: 50 },
      candles: [flat, [100, 102, 99, 100]],
      alerts: [buy],
      // cost 5005, q 50: 5005 * 1.01 / (50 * 0.9998) = 101.1212..., rests at 101.13
      trades: ["long 50@100 -> 101.13 take_profit x1 @1"]
    }
  ],
  "the adverse extreme comes first": [
    {
      name: "for a long the low, so the stop fills; the candle is ambiguous",
      settings: { minProfitPercent: 5, stopLoss: { percent: 5 } },
      candles: [flat, [100, 106, 94, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 95 stop_loss x1 @1"],
      ambiguous: 1
    },
    {
      name: "for a short the high, so the stop fills",
      settings: { minProfitPercent: 5, stopLoss: { percent: 5 } },
      candles: [flat, [100, 106, 94, 100]],
      alerts: [short],
      trades: ["short 100@100 -> 105 stop_loss x1 @1"],
      ambiguous: 1
    },
    {
      name: "one candle may hold two events: in at the turn, out at the target on the same leg",
      settings: { trailingBuy: { percent: 2 }, minProfitPercent: 3 },
      candles: [flat, [95, 100, 95, 98]],
      alerts: [buy],
      trades: ["long 103.199174@96.9 -> 99.81 take_profit x1 @1"]
    }
  ],
  "a trailing buy": [
    {
      name: "towards a long buys at low x (1 + p)",
      settings: { trailingBuy: { percent: 2 }, autoClose: { minutes: 2 } },
      candles: [[100, 101, 90, 91], [91, 92, 89, 92], flat, flat, flat],
      alerts: [buy],
      // minute 0: high first, 100 -> 101 (under 102), down to 90, close 91 (under 91.8); minute 1: 91.8 on the way up
      trades: ["long 108.932461@91.8 -> 100 auto_close x1 @3"]
    },
    {
      name: "towards a short sells at high x (1 - p)",
      settings: { trailingBuy: { percent: 2 }, autoClose: { minutes: 1 } },
      candles: [[100, 110, 99, 109], [109, 109, 107, 108], flat],
      alerts: [short],
      // minute 0: low first (99 is over 98), up to 110, close 109 (over 107.8); minute 1: 107.8 on the way down
      trades: ["short 92.764378@107.8 -> 100 auto_close x1 @2"]
    },
    {
      name: "is cancelled by a closing alert",
      settings: { trailingBuy: { percent: 2 } },
      candles: [flat, flat, [103, 104, 103, 104]],
      alerts: [buy, alert(1, "sell")],
      trades: [],
      ignored: []
    },
    {
      name: "leaves a second or opposite entry alert pending_entry or opposite_position",
      settings: { trailingBuy: { percent: 2 } },
      candles: [flat, flat, flat],
      alerts: [alert(0, "long"), alert(1, "long"), alert(1, "short"), alert(2, "close_short")],
      trades: [],
      ignored: ["1 pending_entry", "1 opposite_position", "2 no_position"]
    },
    {
      name: "is dropped if the target was passed by then",
      settings: { trailingBuy: { percent: 2 } },
      candles: [flat, [103, 104, 103, 104]],
      alerts: [alert(0, "buy", { tp: 101 })],
      trades: [],
      open: 0
    }
  ],
  DCA: [
    {
      name: "enters twice more, each time from the new average, and closes by the average",
      settings: {
        buyPercent: 10,
        dca: { waitMinutes: 0, maxRetries: 2, triggerPercent: 10, orderSizePercent: 100 },
        minProfitPercent: 10
      },
      candles: [flat, [100, 100, 85, 86], [86, 86, 84, 84], [84, 110, 84, 110]],
      alerts: [buy],
      // 10 at 100; 11.11 at 90 (average 94.74); at 85.26 the third on minute 2; no fourth
      trades: ["long 44.567901@89.7506925 -> 98.73 take_profit x3 @3"]
    },
    {
      name: "of a short enters higher",
      settings: {
        buyPercent: 10,
        dca: { waitMinutes: 0, maxRetries: 1, triggerPercent: 10, orderSizePercent: 100 },
        autoClose: { minutes: 3 }
      },
      candles: [flat, [100, 112, 100, 110], flat, flat],
      alerts: [short],
      trades: ["short 19.090909@104.761905 -> 100 auto_close x2 @3"]
    },
    {
      name: "waits after the last entry fill and enters at the first open after it",
      settings: {
        buyPercent: 10,
        dca: { waitMinutes: 2, maxRetries: 1, triggerPercent: 10, orderSizePercent: 100 },
        autoClose: { minutes: 3 }
      },
      candles: [flat, [80, 80, 80, 80], [70, 70, 70, 70], [100, 100, 100, 100]],
      alerts: [buy],
      trades: ["long 24.285714@82.3529413 -> 100 auto_close x2 @3"]
    },
    {
      name: "below the minimum buys nothing",
      settings: {
        buyPercent: 100,
        dca: { waitMinutes: 0, maxRetries: 1, triggerPercent: 10, orderSizePercent: 100 }
      },
      market: { minCost: "10" },
      candles: [flat, [100, 100, 80, 80], [80, 80, 70, 70]],
      alerts: [buy],
      trades: [],
      open: 1
    }
  ],
  "a trailing sell": [
    {
      name: "arms at a profit, follows the peak and closes behind it",
      settings: { trailingSell: { armPercent: 3, percent: 1 } },
      candles: [flat, [100, 106, 100, 105.5], [105.5, 107, 99, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 104.94 trailing_sell x1 @2"]
    },
    {
      name: "of a short follows the trough",
      settings: { trailingSell: { armPercent: 3, percent: 1 } },
      candles: [flat, [100, 100, 94, 95]],
      alerts: [short],
      trades: ["short 100@100 -> 94.94 trailing_sell x1 @1"]
    },
    {
      name: "waits for the minimum profit and stays armed below it",
      settings: { trailingSell: { armPercent: 3, percent: 2 }, minProfitPercent: 2.5 },
      candles: [flat, [100, 104, 100, 103], [103, 103, 100, 101], [101, 106, 101, 102]],
      alerts: [buy],
      // peak 104: trail 101.92 is under 102.5; peak 106: trail 103.88
      trades: ["long 100@100 -> 103.88 trailing_sell x1 @3"]
    },
    {
      name: "closes at the gate when the price returns to it after a gap below trail and gate",
      settings: { trailingSell: { armPercent: 3, percent: 1 }, minProfitPercent: 2 },
      candles: [flat, [100, 106, 100, 106], [101, 101.5, 101, 101.5], [101.5, 103, 101.5, 103]],
      alerts: [buy],
      trades: ["long 100@100 -> 102 trailing_sell x1 @3"]
    },
    {
      name: "is disarmed by a DCA entry",
      settings: {
        buyPercent: 10,
        trailingSell: { armPercent: 3, percent: 50 },
        dca: { waitMinutes: 0, maxRetries: 1, triggerPercent: 10, orderSizePercent: 100 }
      },
      candles: [flat, [100, 104, 100, 104], [104, 104, 89, 90], [90, 94, 90, 94]],
      alerts: [buy],
      trades: [],
      open: 1
    }
  ],
  "targets of an alert": [
    {
      name: "replace the minimum profit (tp) and the stop loss (sl)",
      settings: { minProfitPercent: 1, stopLoss: { percent: 50 } },
      candles: [flat, [100, 103, 99, 100], [100, 100, 97, 100]],
      alerts: [alert(0, "buy", { tp: 105, sl: 98 })],
      trades: ["long 100@100 -> 98 sl x1 @2"]
    },
    {
      name: "work for a short too",
      candles: [flat, [100, 101, 94, 95]],
      alerts: [alert(0, "short", { tp: 95, sl: 105 })],
      trades: ["short 100@100 -> 95 tp x1 @1"]
    },
    {
      name: "replace only their own kind on an open position",
      candles: [flat, flat, [100, 107, 100, 107], [107, 107, 97, 97]],
      alerts: [alert(0, "buy", { tp: 105, sl: 98 }), alert(1, "buy", { tp: 110 })],
      trades: ["long 100@100 -> 98 sl x1 @3"],
      ignored: []
    },
    {
      name: "on the wrong side make the whole alert bad_target",
      candles: [flat, flat, flat],
      alerts: [
        alert(0, "buy", { tp: 100 }),
        alert(0, "buy", { sl: 100 }),
        alert(0, "short", { tp: 101 }),
        alert(1, "buy"),
        alert(2, "buy", { tp: 120, sl: 100.5 })
      ],
      trades: [],
      ignored: ["0 bad_target", "0 bad_target", "0 bad_target", "2 bad_target"],
      open: 1
    },
    {
      name: "lift the gate of closing alerts while a tp is held",
      settings: { minProfitPercent: 10 },
      candles: [flat, [99, 99, 99, 99]],
      alerts: [alert(0, "buy", { tp: 120 }), alert(1, "sell")],
      trades: ["long 100@100 -> 99 signal x1 @1"]
    }
  ],
  "closing alerts": [
    {
      name: "are gated by the minimum profit, to the cent",
      settings: { minProfitPercent: 5, trailingSell: { armPercent: 50, percent: 1 } },
      candles: [flat, [104.99, 105, 104, 105], [105, 105, 105, 105]],
      alerts: [buy, alert(1, "sell"), alert(2, "sell")],
      trades: ["long 100@100 -> 105 signal x1 @2"],
      ignored: ["1 below_min_profit"]
    },
    {
      name: "are not gated if the strategy ignores the minimum profit",
      settings: { minProfitPercent: 5, signalIgnoresMinProfit: true },
      candles: [flat, [90, 90, 90, 90]],
      alerts: [buy, alert(1, "sell")],
      trades: ["long 100@100 -> 90 signal x1 @1"]
    },
    {
      name: "of the other side find no position",
      candles: [flat, flat],
      alerts: [alert(0, "long"), alert(1, "close_short"), alert(1, "sell"), alert(1, "short")],
      trades: [],
      ignored: ["1 no_position", "1 no_position", "1 opposite_position"],
      open: 1
    },
    {
      name: "that fall due together act by time, then by line",
      candles: [flat, flat, flat],
      alerts: [alert(0.6, "sell"), alert(0.5, "buy"), alert(0.7, "buy"), alert(0.7, "sell")],
      trades: ["long 100@100 -> 100 signal x1 @1", "long 100@100 -> 100 signal x1 @1"]
    }
  ],
  "auto close, liquidation": [
    {
      name: "auto close happens at the first candle at or after the deadline, with holes or without",
      settings: { autoClose: { minutes: 2 } },
      candles: [flat, [101, 101, 101, 101], [102, 103, 101, 102]],
      alerts: [buy],
      trades: ["long 100@100 -> 102 auto_close x1 @2"]
    },
    {
      name: "a short is liquidated at twice its entry price and returns nothing",
      candles: [flat, [100, 210, 100, 150]],
      alerts: [short],
      trades: ["short 100@100 -> 200 liquidation x1 @1"]
    },
    {
      name: "liquidation comes before a stop at a gap",
      settings: { stopLoss: { percent: 50 } },
      candles: [flat, [220, 220, 220, 220]],
      alerts: [short],
      trades: ["short 100@100 -> 220 liquidation x1 @1"]
    }
  ],
  "balance rules": [
    {
      name: "the stop loss is met exactly, closes everything and starts a cooldown",
      settings: { buyPercent: 50, balanceStopLoss: { triggerPercent: 5, cooldownMinutes: 2 } },
      candles: [flat, [100, 100, 80, 85], flat, flat],
      alerts: [buy, alert(2, "buy"), alert(3, "buy")],
      // equity 9500 = 5000 + 50 x 90
      trades: ["long 50@100 -> 90 balance_stop_loss x1 @1"],
      ignored: ["2 cooldown"],
      open: 1
    },
    {
      name: "the take profit works for a short",
      settings: { buyPercent: 50, balanceTakeProfit: { triggerPercent: 5, cooldownMinutes: 0 } },
      candles: [flat, [100, 100, 80, 85]],
      alerts: [short],
      trades: ["short 50@100 -> 90 balance_take_profit x1 @1"]
    },
    {
      name: "with two pairs one meets the level and both close, each at its last price, in the strategy's sequence",
      settings: {
        buyPercent: 25,
        balanceStopLoss: { triggerPercent: 5, cooldownMinutes: 0 },
        exchanges: [{ exchange: "binance", pairs: ["ETH/USDT", "BTC/USDT"] }]
      },
      candles: {
        "BTC/USDT": [flat, [100, 100, 80, 85]],
        "ETH/USDT": [flat, [100, 100, 89, 89]]
      },
      alerts: [buy, alert(0, "buy", { pair: ETH })],
      // ETH: 25 x 89 = 2225 (-275); BTC may lose 225 more: 25 x 91
      trades: ["long 25@100 -> 89 balance_stop_loss x1 @1", "long 25@100 -> 91 balance_stop_loss x1 @1"]
    },
    {
      name: "with two pairs the sequence of the files does not matter",
      settings: { buyPercent: 25, balanceStopLoss: { triggerPercent: 5, cooldownMinutes: 0 } },
      candles: {
        "ETH/USDT": [flat, [100, 100, 89, 89]],
        "BTC/USDT": [flat, [100, 100, 80, 85]]
      },
      alerts: [buy, alert(0, "buy", { pair: ETH })],
      // BTC comes first: 25 x 80 = 2000 (-500), before ETH has moved
      trades: ["long 25@100 -> 80 balance_stop_loss x1 @1", "long 25@100 -> 100 balance_stop_loss x1 @1"]
    },
    {
      name: "a pair on two exchanges has the rank of its first listing",
      settings: {
        buyPercent: 25,
        balanceStopLoss: { triggerPercent: 5, cooldownMinutes: 0 },
        exchanges: [
          { exchange: "kraken", pairs: ["ETH/USDT"] },
          { exchange: "binance", pairs: ["BTC/USDT", "ETH/USDT"] }
        ]
      },
      candles: {
        "BTC/USDT": [flat, [100, 100, 80, 85]],
        "ETH/USDT": [flat, [100, 100, 89, 89]]
      },
      alerts: [buy, alert(0, "buy", { pair: ETH })],
      trades: ["long 25@100 -> 89 balance_stop_loss x1 @1", "long 25@100 -> 91 balance_stop_loss x1 @1"]
    },
    {
      name: "an exit alone may meet the level, with nothing open after it",
      settings: { minProfitPercent: 5, balanceTakeProfit: { triggerPercent: 5, cooldownMinutes: 10 } },
      candles: [flat, [106, 106, 100, 100], flat],
      alerts: [buy, alert(2, "buy")],
      trades: ["long 100@100 -> 106 balance_take_profit x1 @1"],
      ignored: ["2 cooldown"]
    }
  ],
  "each rule over all slots of a pair before the next": [
    {
      name: "liquidation comes before the balance stop loss, which the rest may then not meet",
      settings: { buyPercent: 30, balanceStopLoss: { triggerPercent: 50, cooldownMinutes: 0 } },
      candles: [flat, [190, 190, 190, 190], [400, 400, 400, 400]],
      alerts: [short, alert(1, "buy")],
      // equity at 400: 4810 + 11.526315 x 400 = 9420 without the short, and 3420 with its loss of 6000 beyond the margin
      trades: ["short 30@100 -> 400 liquidation x1 @2"],
      open: 1
    },
    {
      name: "liquidation goes first where the rest meets the balance stop loss too",
      settings: { buyPercent: 60, balanceStopLoss: { triggerPercent: 40, cooldownMinutes: 0 } },
      candles: [flat, [150, 150, 150, 150], [210, 210, 210, 210]],
      alerts: [short, alert(1, "buy")],
      // no cash, and 26.666666 x 210 = 5600 without the short
      trades: ["short 60@100 -> 210 liquidation x1 @2", "long 26.666666@150 -> 210 balance_stop_loss x1 @2"]
    },
    {
      name: "a short may lose its margin during the walk of the spot position beside it",
      settings: { buyPercent: 30, balanceStopLoss: { triggerPercent: 60, cooldownMinutes: 0 } },
      candles: [flat, [190, 190, 190, 190], [190, 500, 190, 190]],
      alerts: [short, alert(1, "buy")],
      // with the short: 4810 + 6000 + (11.526315 - 30) x P = 4000 at 368.6, where it is liquidated: 9058 are left
      trades: ["short 30@100 -> 368.632471 liquidation x1 @2"],
      open: 1
    },
    {
      name: "the stop loss of the perpetual comes before the auto close of the spot position",
      settings: { buyPercent: 30, stopLoss: { percent: 5 }, autoClose: { minutes: 1 } },
      candles: [flat, flat, [110, 110, 110, 110]],
      alerts: [alert(1, "buy"), alert(1, "short")],
      trades: ["short 30@100 -> 110 stop_loss x1 @2", "long 30@100 -> 110 auto_close x1 @2"]
    },
    {
      name: "the exits of both come before a DCA entry of one",
      settings: {
        buyPercent: 40,
        autoClose: { minutes: 2 },
        dca: { waitMinutes: 0, maxRetries: 1, triggerPercent: 5, orderSizePercent: 100 }
      },
      // 20 % of the cash are left: only what the perpetual gives back pays for the averaging entry of the spot position
      candles: [flat, flat, [90, 90, 90, 90], [90, 90, 90, 90], [90, 90, 90, 90]],
      alerts: [alert(0, "long"), alert(1, "buy")],
      trades: ["long 40@100 -> 90 auto_close x1 @2", "long 84.444444@94.7368421 -> 90 auto_close x2 @3"]
    }
  ],
  "sizes and refusals": [
    {
      name: "an entry is rounded down to the amount step and keeps cash for the fee",
      settings: { takerFeePercent: 1, autoClose: { minutes: 1 } },
      market: { amountStep: "0.5" },
      candles: [[99, 99, 99, 99], flat],
      alerts: [buy],
      // 10000 / 1.01 / 99 = 100.01
      trades: ["long 100@99 -> 100 auto_close x1 @1"]
    },
    {
      name: "an entry below the minimum cost or amount is refused",
      settings: { buyPercent: 1 },
      market: { minCost: "100.01" },
      candles: [flat],
      alerts: [buy],
      trades: [],
      ignored: ["0 below_min_notional"]
    },
    {
      name: "a buy percentage of zero never buys; without a candle there is no price",
      settings: { buyPercent: 0 },
      candles: [flat],
      alerts: [buy, alert(5, "buy"), alert(5, "sell"), alert(0, "buy", { pair: ETH })],
      trades: [],
      ignored: ["0 zero_buy_percentage", "0 no_price", "5 no_price", "5 no_price"]
    },
    {
      name: "an inactive strategy does not enter",
      settings: { active: false },
      candles: [flat],
      alerts: [buy, alert(0, "sell")],
      trades: [],
      ignored: ["0 strategy_inactive", "0 no_position"]
    },
    {
      name: "a pair in another currency and an unlisted pair are refused",
      settings: { quote: "USD", exchanges: [{ exchange: "binance", pairs: ["BTC/USDT"] }] },
      candles: [flat],
      alerts: [buy, alert(0, "buy", { pair: ETH })],
      trades: [],
      ignored: ["0 quote_not_default", "0 pair_not_listed"]
    },
    {
      name: "no entry is made without free cash",
      candles: [flat, flat],
      alerts: [buy, alert(1, "long")],
      trades: [],
      ignored: ["1 insufficient_balance"],
      open: 1
    }
  ]
}

for (const [title, scenarios] of Object.entries(tables)) {
  describe(title, () => {
    for (const scenario of scenarios) {
      test(scenario.name, () => {
        const result = run(scenario)
        expect(told(result)).toEqual([...scenario.trades])
        if (scenario.ignored !== undefined) {
          expect(result.ignored.map(({ reason, time }) => `${time / 60_000} ${reason}`)).toEqual([
            ...scenario.ignored
          ])
        }
        if (scenario.open !== undefined) expect(result.open.length).toBe(scenario.open)
        if (scenario.ambiguous !== undefined) expect(result.ambiguousCandles).toBe(scenario.ambiguous)
      })
    }
  })
}

test("a liquidation takes the margin and charges no fee", () => {
  const result = run({
    settings: { takerFeePercent: 0.1, buyPercent: 50 },
    candles: [flat, [100, 210, 100, 150]],
    alerts: [short]
  })
  const [trade] = result.trades
  expect(trade && [trade.cost, trade.proceeds, trade.fees, trade.pnl].map(Decimal.toNumber)).toEqual([
    5005, 0, 5, -5005
  ])
  expect(Decimal.toText(result.state.cash)).toBe("4995")
})

test("spot and swap of one pair are settled at one open and then walked one after the other", () => {
  const result = run({
    settings: { buyPercent: 25, stopLoss: { percent: 5 } },
    candles: [flat, [100, 106, 94, 100]],
    alerts: [buy, short]
  })
  expect(told(result)).toEqual(["long 25@100 -> 95 stop_loss x1 @1", "short 25@100 -> 105 stop_loss x1 @1"])
  expect(result.trades.map((trade) => [trade.pair, trade.kind])).toEqual([
    [BTC, "spot"],
    [BTC, "swap"]
  ])
})
