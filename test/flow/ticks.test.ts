// Bots that are asked only when a price leaves their window trade like bots that are asked at every price.
import { expect } from "bun:test"
import { Effect, Layer, Option, Schema } from "effect"
import { ALERT_TYPES } from "../../src/domain/Alert.ts"
import { type BotState, STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { type MarketId, marketKey, Pair } from "../../src/domain/Market.ts"
import { OrderId } from "../../src/domain/Order.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import type { Ticker } from "../../src/domain/Ticker.ts"
import { Trade } from "../../src/domain/Trade.ts"
import * as Memory from "../../src/Memory.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { type Catalogue, Markets } from "../../src/services/Markets.ts"
import { PriceFeed } from "../../src/services/PriceFeed.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import * as Bot from "../../src/trading/Bot.ts"
import { feesOf } from "../../src/trading/books/Fees.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import type { BotAlert, Context, Event } from "../../src/trading/Decision.ts"
import { route } from "../../src/trading/Routing.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Worlds from "./worlds.ts"

const MARKETS: ReadonlyArray<MarketId> = ["BTC/USDT", "ETH/USDT"].flatMap((pair) =>
  (["spot", "swap"] as const).map((kind) => ({ exchange: "binance" as const, pair: Pair.make(pair), kind }))
)

/** A bot that is asked at every price, and keeps nothing but its state. */
class Plain {
  state: BotState = Bot.start("USDT", STARTING_BALANCES.USDT)
  readonly trades: Array<Trade> = []
  readonly quotes = new Map<string, Ticker>()
  now = 0
  readonly settings: Settings
  readonly catalogue: Catalogue

  constructor(settings: Settings, catalogue: Catalogue) {
    this.settings = settings
    this.catalogue = catalogue
  }

  get context(): Context {
    const { catalogue, settings } = this
    return {
      now: this.now,
      settings,
      market: (id) => Option.getOrUndefined(catalogue.market(id)),
      fees: (id) => feesOf(settings, catalogue.exchange(id.exchange)),
      quote: (id) => this.quotes.get(marketKey(id)),
      feed: marketKey,
      rank: Bot.rankBy(settings),
      orderId: (index) => OrderId.make(`plain-${index}`)
    }
  }

  tell(event: Event): void {
    const decision = Bot.decide(this.context, this.state, event)
    this.state = Bot.apply(this.state, decision)
    this.trades.push(...decision.trades)
    for (const order of decision.orders) {
      const done = fill(order, this.context.fees(order), this.now)
      this.tell({ _tag: "Filled", market: order, fill: done, done: true })
    }
  }

  hear(alert: BotAlert): void {
    const routed = route(this.context, this.state, alert, {
      patience: DEFAULT_PATIENCE,
      since: this.context.now
    })
    if (routed._tag === "Slot")
      this.tell({ _tag: "Alert", alert, market: routed.market, entry: routed.entry })
  }
}

const text = Schema.encodeSync(Trade)
const totals = { trades: 0, exits: new Set<string>() }

/** Rules that depend on time are left out, because the engine checks them at intervals. */
const timeless = (body: Flow.Body): Flow.Body => ({
  ...body,
  default_exchange_name: "binance",
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }],
  active: true,
  strategy_dca_switch: false,
  auto_close_position_enabled: false,
  balance_stop_loss_cooldown: 0,
  balance_take_profit_cooldown: 0
})

for (const seed of [11, 12, 13]) {
  it.live(
    `bots that are asked only when a price matters trade like bots that are always asked (seed ${seed})`,
    () => {
      const dice = Worlds.dice(seed)
      const clock = ReplayClock.make(1_700_000_000_000, 1)
      return Effect.gen(function* () {
        const feed = yield* PriceFeed
        const catalogue = yield* (yield* Markets).catalogue
        const store = yield* StrategyStore
        const user = yield* Flow.ann(timeless(Worlds.strategyOf(dice)))
        const others = yield* Effect.forEach(Array.from({ length: 14 }), () =>
          Flow.aStrategy(user.account, { ...timeless(Worlds.strategyOf(dice)), signal_id: user.signal })
        )
        const strategies = [user.strategy, ...others]
        const plain = yield* Effect.forEach(strategies, (id) =>
          Effect.map(store.get(user.account, id), ({ settings }) => new Plain(settings, catalogue))
        )
        const prices = new Map(MARKETS.map((market) => [marketKey(market), 100]))
        let now = 1_700_000_000_000
        let alerts = 0
        for (let round = 0; round < 700; round++) {
          now += dice.whole(1, 2_000)
          clock.moveTo(now, now)
          // A batch may hold many prices of one market: an order caused by one is filled before the next.
          const market = dice.one(MARKETS, NOWHERE)
          const some = Array.from({ length: dice.chance(0.1) ? 12 : 1 }, () => market)
          const all = round === 0 ? MARKETS : some
          const events = all.map((market) => {
            const last = (prices.get(marketKey(market)) ?? 100) * (1 + (dice.next() - 0.5) * 0.01)
            prices.set(marketKey(market), last)
            const bid = Math.round(last * 100) / 100
            const ticker = { bid, ask: bid + dice.whole(0, 4) / 100, last: bid, at: now }
            return PriceEvent.Quoted({ market, ticker })
          })
          // Each market gets a new quote before its price is too old.
          const fresh = MARKETS.filter((market) => !all.includes(market)).map((market) => {
            const known = plain[0]?.quotes.get(marketKey(market))
            return known === undefined || now - known.at < 6_000
              ? []
              : [PriceEvent.Quoted({ market, ticker: { ...known, at: now } })]
          })
          const batch = [...fresh.flat(), ...events]
          yield* feed.publish(batch)
          for (const bot of plain) {
            bot.now = now
            for (const event of batch) {
              if (event._tag !== "Quoted") continue
              bot.quotes.set(marketKey(event.market), event.ticker)
              bot.tell({ _tag: "Price", market: event.market, rules: "all" })
            }
          }
          if (!dice.chance(0.2)) continue
          const type = dice.one(ALERT_TYPES, "buy")
          const pair = dice.one(MARKETS, NOWHERE).pair
          const targets = dice.chance(0.2) ? { tp: 101, sl: 98 } : {}
          yield* Flow.say(user.identity, user.signal, type, { pair, ...targets })
          alerts++
          for (const bot of plain) bot.hear({ id: alerts, type, pair, at: now, ...targets })
        }
        for (const [index, strategy] of strategies.entries()) {
          const served = yield* Flow.tradesOf(strategy)
          const asked = plain[index]?.trades ?? []
          expect({ strategy, trades: served.map((it) => text(it)) }).toEqual({
            strategy,
            trades: asked.map((it) => text(it))
          })
          totals.trades += served.length
          for (const { exitReason } of served) totals.exits.add(exitReason)
        }
      }).pipe(Effect.provide(Memory.layer().pipe(Layer.provideMerge(Layer.setClock(clock)))))
    }
  )
}

const NOWHERE: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }

it.live("the runs above had enough trades and kinds of exits to compare", () =>
  Effect.sync(() => {
    expect(totals.trades).toBeGreaterThan(300)
    expect(totals.exits.size).toBeGreaterThan(6)
  })
)
