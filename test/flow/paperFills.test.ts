// Paper trading whose fills are nearer to life: late orders at the price of then, once; real spreads in place of the
// fixed one; and the page of the strategy says so.
import { expect } from "bun:test"
import { Clock, Effect, Either, Layer, TestClock } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { FillModel } from "../../src/domain/fills/FillModel.ts"
import { marketKey, Pair } from "../../src/domain/Market.ts"
import * as Memory from "../../src/Memory.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import { PriceFeed } from "../../src/services/PriceFeed.ts"
import { StrategyPages } from "../../src/services/records/StrategyPages.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import * as Bot from "../../src/trading/Bot.ts"
import { approve } from "../../src/trading/Risk.ts"
import { it, layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

const server = (paperFills: FillModel) => Memory.layer({ paperFills })
const changes = { buy_percentage: 10, taker_fee: 0, maker_fee: 0 }

/** Publishes a bid and an ask. */
const quote = (bid: number, ask: number) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const market = { exchange: "binance" as const, pair: Pair.make("BTC/USDT"), kind: "spot" as const }
    yield* (yield* PriceFeed).publish([PriceEvent.Quoted({ market, ticker: { bid, ask, last: bid, at } })])
  })

const LATE = layer(server({ latencyMs: 500, slippagePercent: 1 }))
LATE.effect("a late order fills at the price of then, slips there, and buys less where that is higher", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann(changes)
    yield* quote(99, 100)
    yield* Flow.send(ann.identity, ann.signal, "buy")
    yield* TestClock.adjust(100)
    expect(yield* Flow.holds(ann.strategy)).toEqual([expect.stringContaining("entry")])
    yield* quote(199, 200)
    yield* TestClock.adjust(600)
    const bot = yield* Flow.botOf(ann.strategy)
    const position = Object.values(bot?.state.slots ?? {})[0]?.position
    // 10 at 100 + 1 % were set aside: 1010. At 200 + 1 % they buy 5.
    expect(position && [position.entryQuantity, position.entryNotional].map(Decimal.toText)).toEqual([
      "5",
      "1010"
    ])
  })
)

const SPREAD = layer(server({ spreadPercent: 2 }))
SPREAD.effect(
  "a fixed spread is for prices that have none; the page of a paper strategy tells the fills",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann(changes)
      yield* quote(99.9, 100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* quote(100, 100)
      yield* Flow.say(ann.identity, ann.signal, "sell")
      const [trade] = yield* Flow.tradesOf(ann.strategy)
      expect([trade?.entryPrice, trade?.exitPrice]).toEqual([100, 99])
      const { warnings } = yield* (yield* StrategyPages).get(ann.account, ann.strategy)
      expect(warnings).toEqual([
        {
          code: "paper_fills",
          text: "paper fills are nearer to life on this server: a spread of 2 %, half on each side"
        }
      ])
    })
)

it.effect("a late order that is sent again, from elsewhere or after its fill, has the one fill", () =>
  Effect.gen(function* () {
    const exchange = yield* Exchange
    let price = 100
    const market = Fixtures.market()
    const wanted = Fixtures.order({
      quantity: Decimal.one,
      price: 100,
      reserved: Decimal.unsafeFromText("101")
    })
    const state = Bot.start("USDT", Decimal.unsafeFromText("10000"))
    const order = Either.getOrThrow(approve(wanted, marketKey(wanted), state, { market: () => market }))
    const ticket = {
      order,
      fees: { ...Fixtures.fees(), fills: { model: { latencyMs: 500 }, market } },
      at: 0,
      quote: () => ({ bid: price, ask: price, last: price, at: 0 })
    }
    const sent = yield* Effect.fork(
      Effect.all([exchange.submit(ticket), exchange.submit(ticket)], { concurrency: 2 })
    )
    yield* TestClock.adjust(499)
    price = 90
    yield* TestClock.adjust(1)
    const [one, other] = yield* sent
    price = 80
    const asked = yield* Effect.fork(exchange.lookup(ticket))
    yield* TestClock.adjust(500)
    const again = yield* asked
    expect(
      [one, other, again].map((report) => report._tag === "Filled" && report.fills.map((fill) => fill.price))
    ).toEqual([[90], [90], [90]])
  }).pipe(Effect.provide(Layer.fresh(Exchange.layerPaper)))
)
