import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { BotState } from "../../src/domain/Bot.ts"
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import * as Bot from "../../src/trading/Bot.ts"
import * as Walk from "../../src/trading/backtest/Walk.ts"
import { feesOf } from "../../src/trading/books/Fees.ts"
import * as Matching from "../../src/trading/books/Matching.ts"
import type { BotAlert, Context } from "../../src/trading/Decision.ts"
import { world } from "./world.ts"

const State = Schema.parseJson(BotState)
const Place = Schema.parseJson(Walk.Cursor)
const stored = <A, I>(schema: Schema.Schema<A, I>, value: A): A =>
  Schema.decodeSync(schema)(Schema.encodeSync(schema)(value))

/** Every candle in full, no windows; state and cursor go through JSON between any two steps, as over a restart. */
const stepByStep = (backtest: Backtest.Backtest): ReadonlyArray<Trade> => {
  const [series] = backtest.series
  if (series === undefined) return []
  const { columns, exchange, pair } = series
  const trades: Array<Trade> = []
  const markets = (["spot", "swap"] as const).map((kind): MarketId => ({ exchange, pair, kind }))
  const waiting = backtest.alerts
    .map((alert, line) => ({ alert, line }))
    .sort((left, right) => left.alert.at - right.alert.at || left.line - right.line)
    .map(({ alert }, index): BotAlert => ({ ...alert, id: index + 1 }))
  let state = Bot.start(backtest.settings.quote, backtest.balance)
  let last: number | undefined
  for (let i = 0; i < columns.length; i++) {
    const at = columns.at[i] ?? 0
    const seen = last
    const context: Context = {
      now: at,
      settings: backtest.settings,
      market: backtest.market,
      fees: (id) => feesOf(backtest.settings, backtest.fees(id)),
      quote: () => (seen === undefined ? undefined : ofLast(seen, at)),
      feed: (id) => id.pair,
      rank: (id) => (id.kind === "spot" ? 0 : 1),
      orderId: (index) => OrderId.make(`order-${index}`)
    }
    const candle = {
      at,
      open: columns.open[i] ?? 0,
      high: columns.high[i] ?? 0,
      low: columns.low[i] ?? 0,
      close: columns.close[i] ?? 0,
      volume: 0
    }
    const due = waiting.filter((alert) => alert.at <= at)
    waiting.splice(0, due.length)
    let cursor = Walk.start(candle, markets, due)
    for (;;) {
      const next = Walk.next(context, state, cursor)
      if (next._tag === "Done") break
      if (next._tag === "Waiting") throw new Error("an order was left in flight")
      cursor = stored(Place, next.cursor)
      state = stored(State, Bot.apply(state, next.decision))
      const queue = [...next.decision.orders]
      for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
        expect(Walk.next(context, state, cursor)._tag).toBe("Waiting")
        const here = Walk.contextAt(context, cursor)
        const fill = Matching.fill(order, here.fees(order), at)
        const decision = Bot.decide(here, state, { _tag: "Filled", market: order, fill, done: true })
        state = stored(State, Bot.apply(state, decision))
        trades.push(...decision.trades)
        queue.push(...decision.orders)
      }
    }
    last = candle.close
  }
  return trades
}

test("a walk that is stored and resumed at every step equals the run in one go", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 2_000_000 }), (seed) => {
      const { backtest } = world(seed, 1)
      const key = (trade: Trade) =>
        [
          marketKey(trade),
          trade.side,
          trade.openedAt,
          trade.closedAt,
          trade.exitPrice,
          trade.exitReason
        ].join()
      expect(stepByStep(backtest).map(key)).toEqual(Backtest.run(backtest).trades.map(key))
    }),
    { numRuns: 40, seed: 20_221_213 }
  )
})
