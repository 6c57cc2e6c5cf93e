import { expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import { kindOf } from "../../src/domain/Event.ts"
import { marketKey } from "../../src/domain/Market.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { exitText, explain, type Note } from "../../src/trading/Notes.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { MINUTE, settings } from "./scenario.ts"

/** What a bot says while prices come in, one a minute; orders are filled at once. */
const told = (chosen: Partial<Settings>, prices: ReadonlyArray<number>, type: "buy" | "short" = "buy") => {
  const id = type === "buy" ? SPOT : SWAP
  const live = new Live(settings({ buyPercent: 10, takerFeePercent: 0.1, makerFeePercent: 0.1, ...chosen }))
  live.quote(id, 100)
  live.alert(type)
  live.fillAll()
  for (const price of prices) {
    live.tick(id, price, live.now / MINUTE + 1)
    live.fillAll()
  }
  return live.decisions.flatMap(({ notes }) => notes).map(explain)
}

const rules: ReadonlyArray<
  readonly [string, Partial<Settings>, ReadonlyArray<number>, ReadonlyArray<string>]
> = [
  [
    "a trailing sell",
    { trailingSell: { armPercent: 2.1, percent: 1 } },
    [103, 105, 103.9],
    [
      "Ordered to buy 10 BTC on BTC/USDT at 100.",
      "Bought 10 BTC on BTC/USDT at 100.",
      "Trailing sell armed on BTC/USDT at 103: 2.79 % profit (its arm level 102.3044044); it closes 1 % below the best price from here.",
      "Ordered to sell 10 BTC on BTC/USDT at 103.9: fell 1.05 % from the peak 105 after arming at +2.1 % (it closes from 103.95); at that price 3.69 % profit after fees, average 100."
    ]
  ],
  [
    "a stop loss",
    { stopLoss: { percent: 5 } },
    [94.5],
    [
      "Ordered to buy 10 BTC on BTC/USDT at 100.",
      "Bought 10 BTC on BTC/USDT at 100.",
      "Ordered to sell 10 BTC on BTC/USDT at 94.5: stop loss of 5 % (from 95); at that price -5.69 % profit after fees, average 100."
    ]
  ],
  [
    "a minimum profit",
    { minProfitPercent: 3 },
    [104],
    [
      "Ordered to buy 10 BTC on BTC/USDT at 100.",
      "Bought 10 BTC on BTC/USDT at 100.",
      "Ordered to sell 10 BTC on BTC/USDT at 104: minimum profit reached, 3 % (from 103.21); at that price 3.79 % profit after fees, average 100."
    ]
  ],
  [
    "an averaging entry",
    { dca: { waitMinutes: 0, maxRetries: 3, triggerPercent: 5, orderSizePercent: 100 } },
    [94],
    [
      "Ordered to buy 10 BTC on BTC/USDT at 100.",
      "Bought 10 BTC on BTC/USDT at 100.",
      "Ordered to buy 10.648936 BTC more on BTC/USDT at 94: 6 % below the average 100 (the price reached the DCA level 95), extra entry 1 of 3.",
      "Bought 10.648936 BTC on BTC/USDT at 94."
    ]
  ],
  [
    "a trailing buy",
    { trailingBuy: { percent: 1 } },
    [95, 96],
    [
      "Waiting for BTC/USDT to turn before entering; the price is 100, it enters 1 % above the lowest price from here.",
      "The price of BTC/USDT turned at 96, ordered to buy 10.416666 BTC: 1.05 % above its lowest price 95 (the trailing buy fires from 95.95).",
      "Bought 10.416666 BTC on BTC/USDT at 96."
    ]
  ],
  [
    "steps and break even",
    {
      takeProfitSteps: [
        { profitPercent: 2, closePercent: 40 },
        { profitPercent: 4, closePercent: 60 }
      ],
      breakEvenAfter: 1
    },
    [103, 100],
    [
      "Ordered to buy 10 BTC on BTC/USDT at 100.",
      "Bought 10 BTC on BTC/USDT at 100.",
      "Ordered to sell 4 BTC on BTC/USDT at 103, 40 % of the position: step 1 of 2 at 2 % profit (from 102.21); at that price 2.79 % profit after fees, average 100; 6 BTC are left.",
      "Sold 4 BTC on BTC/USDT at 103; 6 BTC are left.",
      "The stop of BTC/USDT is at break even from here: at 100.2002002 closing the rest would neither win nor lose.",
      "Ordered to sell 6 BTC on BTC/USDT at 100: the stop at break even (level 100.2002002); at that price -0.2 % profit after fees, average 100."
    ]
  ],
  [
    "a balance rule",
    { balanceStopLoss: { triggerPercent: 1, cooldownMinutes: 5 } },
    [80],
    [
      "Ordered to buy 10 BTC on BTC/USDT at 100.",
      "Bought 10 BTC on BTC/USDT at 100.",
      "Balance stop loss: equity fell to its trigger, 1 % below the baseline 10000, closing everything.",
      expect.stringMatching(/^Everything is closed: the balance rules count from here; baseline 9798\.\d+\.$/)
    ]
  ]
]

test.each(rules)("%s says what was done and the numbers that decided", (_, chosen, prices, sentences) =>
  expect(told(chosen, prices)).toEqual([...sentences])
)

test("the note of a short mirrors the directions", () =>
  expect(told({ trailingSell: { armPercent: 2, percent: 1 } }, [97, 95, 96], "short")).toEqual([
    "Ordered to sell 10 BTC on BTC/USDT at 100.",
    "Sold 10 BTC on BTC/USDT at 100.",
    expect.stringMatching(/^Trailing sell armed .* it closes 1 % above the best price from here\.$/),
    expect.stringMatching(
      /^Ordered to buy 10 BTC on BTC\/USDT at 96: rose 1\.05 % from the peak 95 after arming at \+2 %/
    )
  ]))

test("the note of a closing alert has its profit and the profit it needed", () => {
  const live = new Live(settings({ buyPercent: 10, minProfitPercent: 1 }))
  live.quote(SPOT, 100)
  live.alert("buy", { sl: 50 })
  live.fillAll()
  live.alert("buy", { sl: 60 })
  // An order that rests at the minimum profit is told by a price; the alert comes before one here.
  live.chosen = settings({
    buyPercent: 10,
    minProfitPercent: 1,
    trailingSell: { armPercent: 50, percent: 1 }
  })
  live.quote(SPOT, 110)
  live.alert("sell")
  expect(live.decisions.flatMap(({ notes }) => notes).map(explain)).toEqual([
    "Ordered to buy 10 BTC on BTC/USDT at 100.",
    "Bought 10 BTC on BTC/USDT at 100.",
    "New targets for BTC/USDT; sl 60.",
    "Ordered to sell 10 BTC on BTC/USDT at 110: a closing alert, which needs 1 %; at that price 10 % profit after fees, average 100."
  ])
})

test("an order is noted as ordered, and only its fills as bought or sold", () => {
  const live = new Live(settings({ buyPercent: 10 }))
  live.quote(SPOT, 100)
  live.alert("buy")
  const said = () => live.decisions.flatMap(({ notes }) => notes).map(explain)
  expect(said()).toEqual(["Ordered to buy 10 BTC on BTC/USDT at 100."])
  const [order] = live.decisions.at(-1)?.orders ?? []
  if (order === undefined) throw new Error("the alert orders")
  live.part(order, "3", 101, false)
  live.part(order, "6.99", 102, true)
  expect(said().slice(1)).toEqual([
    "Bought 3 BTC on BTC/USDT at 101; 7 more are ordered.",
    "Bought 6.99 BTC on BTC/USDT at 102; the order has ended."
  ])
})

test("a fee in the coin bought is no part that is left of the order", () => {
  const live = new Live(settings({ buyPercent: 10 }))
  live.quote(SPOT, 100)
  live.alert("buy")
  const [order] = live.decisions.at(-1)?.orders ?? []
  if (order === undefined) throw new Error("the alert orders")
  const amount = Decimal.unsafeFromText("0.01")
  const paid = { asset: "BTC", amount, rate: Decimal.hundred }
  const quantity = Decimal.unsafeFromText("9.99")
  const sums = { quantity, notional: Decimal.fromNumber(1000), fee: Decimal.fromNumber(1) }
  const fill = { ...order, order: order.id, ...sums, id: "1", price: 100, paid, at: 1 }
  live.decide({ _tag: "Filled", market: SPOT, fill, done: true })
  const words = live.decisions.flatMap(({ notes }) => notes).map(explain)
  expect(words.at(-1)).toBe("Bought 9.99 BTC on BTC/USDT at 100.")
})

test.each(["Rejected", "Cancelled", "Missing"] as const)(
  "of an order that is %s nothing is noted as bought",
  (how) => {
    const live = new Live(settings({ buyPercent: 10 }))
    live.quote(SPOT, 100)
    live.alert("buy")
    const [order] = live.decisions.at(-1)?.orders ?? []
    if (order === undefined) throw new Error("the alert orders")
    live.end(order, how)
    const rules = live.decisions.flatMap(({ notes }) => notes).map(({ rule }) => String(rule))
    expect(rules).toEqual(["opened", `order_${how.toLowerCase()}`])
  }
)

test("a note without its numbers is still a sentence", () => {
  const market = marketKey(SPOT)
  const say = (note: Partial<Note> & Pick<Note, "rule">) => explain({ at: 0, market, price: 5, ...note })
  expect([
    say({ rule: "closed", reason: "trailing_sell", level: 4 }),
    say({ rule: "closed", reason: "stop_loss" }),
    say({ rule: "averaged", level: 4 }),
    say({ rule: "trailing_buy_fired" }),
    say({ rule: "balance_take_profit" })
  ]).toEqual([
    `Ordered to sell BTC on BTC/USDT at 5: ${exitText("trailing_sell")} (level 4).`,
    "Ordered to sell BTC on BTC/USDT at 5: stop loss.",
    "Ordered to buy BTC more on BTC/USDT at 5 (the price reached the DCA level 4).",
    "The price of BTC/USDT turned at 5, ordered to buy BTC.",
    "Balance take profit: equity reached its trigger, closing everything."
  ])
})

const REAL: ReadonlyArray<readonly [Partial<Note> & Pick<Note, "rule">, string]> = [
  [{ rule: "disarmed" }, "Disarmed: no more entries, and open positions are managed to their end."],
  [
    { rule: "disarmed", reason: "close" },
    "Disarmed: no more entries, and open positions are to be sold at once."
  ],
  [
    { rule: "back_on_paper", numbers: { balance: 10_000 } },
    "Back on paper: no real money from here; balance 10000."
  ],
  [{ rule: "halted" }, "Entries are halted."],
  [{ rule: "resumed" }, "Entries continue: the halt has ended."],
  [
    { rule: "daily_loss", numbers: { lost: 51, most: 50 } },
    "The day reached its loss limit, and entries are halted; lost 51, most 50."
  ],
  [
    { rule: "astray", market: marketKey(SPOT), numbers: { quantity: 2 } },
    "The exchange holds less of BTC/USDT than the books, so trading there is suspended; quantity 2."
  ],
  [
    { rule: "found", market: marketKey(SPOT) },
    "The exchange holds enough of BTC/USDT again, so trading there continues."
  ],
  [
    { rule: "written_off", market: marketKey(SPOT), numbers: { quantity: 2, cost: 200 } },
    "Took BTC/USDT off the books, because the exchange no longer holds it; quantity 2, cost 200."
  ],
  [
    { rule: "stop_placed", market: marketKey(SPOT), price: 95, numbers: { quantity: 2 } },
    "Placing a stop for BTC/USDT at 95 at the exchange; quantity 2."
  ],
  [
    { rule: "stop_cancelled", market: marketKey(SPOT), price: 95, reason: "signal" },
    "Cancelling the stop for BTC/USDT at 95: a closing alert."
  ]
]

test.each(REAL)("with real money: %j", (note, sentence) => {
  expect(explain({ at: 0, ...note })).toBe(sentence)
  expect(["live", "order"]).toContain(kindOf(note.rule, undefined, {}))
})

test("parts, turns and added entries are told with their sizes, and why no other side was opened", () => {
  const market = marketKey(SWAP)
  const base = { at: 0, market, price: 61_230, side: "short" } as const
  const cases: ReadonlyArray<readonly [Note, string]> = [
    [
      { ...base, rule: "turning" },
      "Turning BTC/USDT to short at 61230: the long is closed first, then the short is opened."
    ],
    [
      { ...base, rule: "turn_dropped", reason: "bad_target" },
      "No short is opened on BTC/USDT at 61230, only the other side is closed: its tp or sl lies on the wrong side of the price."
    ],
    [
      { ...base, rule: "part_owed", numbers: { owed: 0.00004 } },
      "The part of BTC/USDT to close is under the market's minimum at 61230: 0.00004 BTC are owed, and the next part takes them along."
    ],
    [
      { ...base, rule: "own_size", numbers: { "alert percent": 50, "own percent": 10 } },
      "The alert's buy percentage is for the strategies of its signal's owner: this entry in BTC/USDT has the strategy's own size, 10 %, not 50 %."
    ],
    [
      { ...base, rule: "added", numbers: { quantity: 0.5, "entry number": 2, "most entries": 3 } },
      "Ordered to sell 0.5 BTC more on BTC/USDT at 61230: another entry alert, entry 2 of 3."
    ],
    [
      {
        ...base,
        rule: "reduced",
        reason: "tp",
        level: 61_230,
        numbers: { step: 1, steps: 2, quantity: 1, "part percent": 50, left: 1 }
      },
      "Ordered to buy 1 BTC on BTC/USDT at 61230, 50 % of the position: target 1 of 2 of the alert's ladder (from 61230); 1 BTC are left."
    ],
    [
      { ...base, rule: "break_even_off" },
      "The stop of BTC/USDT is no longer at break even after an entry, until the price is beyond the new level."
    ]
  ]
  for (const [note, text] of cases) expect(explain(note)).toBe(text)
  expect(kindOf("reduced", undefined, {})).toBe("reduced")
  expect(kindOf("turning", undefined, {})).toBe("turned")
  expect(kindOf("trade", undefined, { because: "break_even" })).toBe("stop_loss")
})
