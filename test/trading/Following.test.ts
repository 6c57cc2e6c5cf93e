// Positions that grow, shrink and turn, worked out by hand: the engine and the second one must both say so.
import { expect, test } from "bun:test"
import type { AlertKind, Answer, CaseAlert, CaseMarket, Wishes } from "./oracle/Case.ts"
import { oracle } from "./oracle/Engine.ts"
import { program } from "./oracle/Program.ts"

type Row = readonly [open: number, high: number, low: number, close: number]
type Said = readonly [minute: number, type: AlertKind, more?: Partial<CaseAlert>]

interface Story {
  readonly strategy?: Partial<Wishes>
  readonly market?: Partial<CaseMarket>
  /** Flat candles are one number. */
  readonly candles: ReadonlyArray<number | Row>
  readonly alerts: ReadonlyArray<Said>
  /** Exits as `minute: quantity @ price reason`, then what is ignored, then what is open. */
  readonly becomes: ReadonlyArray<string>
}

const caseOf = ({ alerts, candles, market, strategy }: Story) => ({
  balance: 1000,
  strategy: { buy_percentage: 100, maker_fee: 0, taker_fee: 0, pairs: ["BTC/USDT"], ...strategy },
  series: [
    {
      pair: "BTC/USDT",
      market: { price_step: 0.01, amount_step: 0.01, min_amount: 0, min_cost: 0, ...market },
      candles: candles.map((candle, minute) => {
        const [open, high, low, close] =
          typeof candle === "number" ? [candle, candle, candle, candle] : candle
        return [minute * 60_000, open, high, low, close] as const
      })
    }
  ],
  alerts: alerts.map(([minute, type, more]) => ({ time: minute * 60_000, pair: "BTC/USDT", type, ...more }))
})

const round = (value: number) => Number(value.toPrecision(9))
const told = ({ ignored, open, trades }: Answer): ReadonlyArray<string> => [
  ...trades.flatMap(({ exit_fills }) =>
    exit_fills.map(
      ({ at, price, quantity, reason }) => `${at / 60_000}: ${round(quantity)} @ ${round(price)} ${reason}`
    )
  ),
  ...ignored.map(({ reason, time }) => `${time / 60_000}: ${reason}`),
  ...open.map(({ entry_price, quantity, side }) => `${side} ${round(quantity)} @ ${round(entry_price)}`)
]

const story = (title: string, given: Story) =>
  test(title, () => {
    const one = caseOf(given)
    expect(told(oracle(one))).toEqual(given.becomes)
    expect(told(program(one))).toEqual(given.becomes)
  })

story("a part is rounded down to the amount step", {
  market: { amount_step: 1 },
  candles: [100, 100, 110],
  alerts: [
    [0, "buy"],
    [1, "sell", { close_percent: 33.3 }],
    [2, "sell"]
  ],
  becomes: ["1: 3 @ 100 signal", "2: 7 @ 110 signal"]
})

story("a part under the minimum is owed, and the next part takes it along", {
  market: { min_amount: 1 },
  candles: [100, 100, 100, 100],
  alerts: [
    [0, "buy"],
    [1, "sell", { close_percent: 5 }],
    [2, "sell", { close_percent: 5 }],
    [3, "sell"]
  ],
  becomes: ["2: 1 @ 100 signal", "3: 9 @ 100 signal", "1: below_min_notional"]
})

story("a part that leaves less than the minimum closes all; a part under it is asked first", {
  market: { min_amount: 6 },
  candles: [100, 100, 100],
  alerts: [
    [0, "buy"],
    [1, "sell", { close_percent: 59 }],
    [2, "sell", { close_percent: 60 }]
  ],
  becomes: ["2: 10 @ 100 signal", "1: below_min_notional"]
})

story("a part is gated as a closing alert is, before it is owed", {
  strategy: { sell_minprofitpercent: 5, trailing_sell: { arm: 50, percent: 1 } },
  market: { min_amount: 2 },
  candles: [100, 100, 106, 106],
  alerts: [
    [0, "buy"],
    [1, "sell", { close_percent: 10 }],
    [2, "sell", { close_percent: 10 }],
    [3, "sell", { close_percent: 10 }]
  ],
  becomes: ["1: below_min_profit", "2: below_min_notional", "long 8 @ 100"]
})

story("a turn closes and opens at the price of one event, on what is then free", {
  candles: [100, 120, 110],
  alerts: [
    [0, "long"],
    [1, "short", { reverse: true }],
    [2, "close_short"]
  ],
  becomes: ["1: 10 @ 120 signal", "2: 10 @ 110 signal"]
})

story("a turn stops at the gate, and one with a bad target only closes", {
  strategy: { on_opposite: "reverse", sell_minprofitpercent: 5, trailing_sell: { arm: 50, percent: 1 } },
  candles: [100, 101, 106, 106],
  alerts: [
    [0, "long"],
    [1, "short"],
    [2, "short", { tp: 107 }],
    [3, "close_long"]
  ],
  becomes: ["2: 10 @ 106 signal", "1: below_min_profit", "3: no_position"]
})

story("the alert's own word on turning comes before the strategy's", {
  strategy: { on_opposite: "close" },
  candles: [100, 100, 100],
  alerts: [
    [0, "long"],
    [1, "short", { reverse: false }],
    [2, "short"]
  ],
  becomes: ["2: 10 @ 100 signal", "1: opposite_position"]
})

story("entries are added up to the limit, at the average, and their targets replace those held", {
  strategy: { max_entries: 2, buy_percentage: 20 },
  candles: [100, 50, 50, 70],
  alerts: [
    [0, "buy", { sl: 20 }],
    [1, "buy", { tp: 65 }],
    [2, "buy"]
  ],
  becomes: ["3: 5.6 @ 70 tp", "2: already_open"]
})

story("an entry that there is no cash for still brings its stop", {
  strategy: { max_entries: 3 },
  candles: [100, 100, 100, 90],
  alerts: [
    [0, "buy"],
    [1, "buy"],
    [2, "buy", { sl: 95 }]
  ],
  becomes: ["3: 10 @ 90 sl", "1: insufficient_balance"]
})

story("risk is counted to the entry's stop, and never buys more than the percentage", {
  strategy: { risk_percent: 1, buy_percentage: 50 },
  candles: [100, 95, 100, 99, 100],
  alerts: [
    [0, "buy", { sl: 95 }],
    [2, "buy", { sl: 99 }],
    [4, "buy"]
  ],
  becomes: ["1: 2 @ 95 sl", "3: 4.95 @ 99 sl", "4: no_stop"]
})

story("steps close parts of all that was entered, and the last of 100 percent closes what is left", {
  strategy: {
    take_profit_steps: [
      { profit_percent: 1, close_percent: 50 },
      { profit_percent: 2, close_percent: 30 },
      { profit_percent: 3, close_percent: 20 }
    ]
  },
  candles: [100, [100, 102.5, 100, 102.5], 102.5, [102.5, 104, 102.5, 104]],
  alerts: [
    [0, "buy"],
    [2, "sell", { close_percent: 50 }]
  ],
  becomes: [
    "1: 5 @ 101 take_profit",
    "1: 3 @ 102 take_profit",
    "2: 1 @ 102.5 signal",
    "3: 1 @ 103 take_profit"
  ]
})

story("a step under the minimum is left out and its percent goes to the next", {
  strategy: {
    take_profit_steps: [
      { profit_percent: 1, close_percent: 30 },
      { profit_percent: 2, close_percent: 30 },
      { profit_percent: 3, close_percent: 40 }
    ],
    break_even_after: 2
  },
  market: { min_amount: 4 },
  candles: [100, [100, 102, 100, 102], [102, 102, 99, 99]],
  alerts: [[0, "buy"]],
  becomes: ["1: 6 @ 102 take_profit", "2: 4 @ 100 break_even"]
})

story("a step that leaves less than the minimum closes all", {
  strategy: {
    take_profit_steps: [
      { profit_percent: 1, close_percent: 80 },
      { profit_percent: 2, close_percent: 10 }
    ]
  },
  market: { min_amount: 3 },
  candles: [100, [100, 105, 100, 105]],
  alerts: [[0, "buy"]],
  becomes: ["1: 10 @ 101 take_profit"]
})

story("an open beyond several steps fills each there, one after the other", {
  strategy: {
    take_profit_steps: [
      { profit_percent: 1, close_percent: 40 },
      { profit_percent: 2, close_percent: 40 }
    ]
  },
  candles: [100, 110, 110],
  alerts: [
    [0, "buy"],
    [2, "sell"]
  ],
  becomes: ["1: 4 @ 110 take_profit", "1: 4 @ 110 take_profit", "2: 2 @ 110 signal"]
})

story("once its steps are done a ladder is held no longer: steps and the gate come back", {
  strategy: {
    sell_minprofitpercent: 50,
    take_profit_steps: [{ profit_percent: 10, close_percent: 50 }]
  },
  candles: [100, [100, 103, 100, 103], 103, [103, 111, 103, 111], 151],
  alerts: [
    [0, "buy", { tps: [{ price: 102, percent: 20 }] }],
    [2, "sell"],
    [4, "sell"]
  ],
  becomes: ["1: 2 @ 102 tp", "3: 5 @ 110 take_profit", "4: 3 @ 151 signal", "2: below_min_profit"]
})

story("a stop that is nearer than break even holds, and gives way where it is equally near", {
  strategy: { take_profit_steps: [{ profit_percent: 5, close_percent: 50 }], break_even_after: 1 },
  candles: [100, [100, 106, 100, 106], [106, 106, 98, 98], 98, 100, [100, 106, 100, 106], [106, 106, 98, 98]],
  alerts: [
    [0, "buy", { sl: 99 }],
    [2, "buy", { sl: 102 }],
    [4, "buy", { sl: 90 }],
    [6, "buy", { sl: 100 }]
  ],
  becomes: [
    "1: 5 @ 105 take_profit",
    "2: 5 @ 102 sl",
    "5: 5.17 @ 105 take_profit",
    "6: 5.18 @ 100 break_even"
  ]
})
