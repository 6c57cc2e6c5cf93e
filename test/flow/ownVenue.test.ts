// An embedder's venue from the strategy to the figures: in memory, over HTTP, and in a back-test.
import { describe, expect, test } from "bun:test"
import { Effect, Either, Layer, ManagedRuntime, Option } from "effect"
import { Http } from "../../src/http/Mount.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Overview } from "../../src/services/records/Overview.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { signalDraft, strategyRequest } from "../../src/testing/Fixtures.ts"
import { wave } from "../backtests/prices.ts"
import { clientOf } from "../lib/client.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Own from "../lib/ownVenue.ts"
import { sender } from "../services/ports.ts"

const orders: Array<string> = []
const own = Layer.mergeAll(Own.venues, Own.markets, Own.exchange(orders))
const it = layer(Memory.layerWith(own, { rates: { crud: 0, alert: 0 } }))
const NAMES = "binance, bybit, okx, kraken, coinbase, kucoin, bitget"

describe("a venue of an embedder's own", () => {
  it.effect("is traded by a strategy, whose figures are in its currency", () =>
    Effect.gen(function* () {
      orders.length = 0
      const ann = yield* Flow.ann(Own.settings)
      yield* Flow.quote(100, Own.AT)
      const alert = yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "BTC/CHF" })
      expect(yield* Flow.became(ann.account, alert)).toEqual(["opened"])
      expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
      yield* Flow.quote(110, Own.AT)
      yield* Flow.say(ann.identity, ann.signal, "sell", { pair: "BTC/CHF" })
      expect(orders).toEqual(["buy BTC/CHF on my-dex", "sell BTC/CHF on my-dex"])
      const view = yield* (yield* Strategies).get(ann.account, ann.strategy)
      expect(view).toMatchObject({
        default_quote_currency: "CHF",
        default_exchange_name: "my-dex",
        maker_fee: 0.1,
        taker_fee: 0.5,
        exchanges: [{ exchange_name: "my-dex", coin_pairs: ["BTC/CHF"] }]
      })
      expect(view.performance.summary.trade_count).toBe(1)
      // Each coin earned 10 francs, less 0.5 % of 100 and of 110.
      const [line = ""] = (yield* Flow.tradesOf(ann.strategy)).map(Flow.told)
      expect(view.performance.summary.net_pnl).toBeCloseTo(Number(line.split(" ")[1]) * 8.95, 6)
      const { currencies } = yield* (yield* Overview).of(ann.account)
      expect(currencies).toMatchObject([{ currency: "CHF", trades: 1 }])
    })
  )

  it.effect("is found in other spellings, and no other venue is", () =>
    Effect.gen(function* () {
      const { account } = yield* sender("bob")
      const strategies = yield* Strategies
      const body = { ...strategyRequest(), ...Own.settings }
      const listing = (exchange_name: string) => ({ exchanges: [{ exchange_name, coin_pairs: ["BTC/CHF"] }] })
      for (const written of ["my-dex", " My-Dex ", "MY_DEX", "my dex", "mydex"]) {
        const { exchanges } = yield* strategies.post(account, { ...body, ...listing(written) })
        expect(exchanges).toMatchObject([{ exchange_name: "my-dex", coin_pairs: ["BTC/CHF"] }])
      }
      const unknown = {
        ...body,
        ...listing("my-dax"),
        default_exchange_name: 5,
        default_quote_currency: "EUR"
      }
      expect(yield* Effect.flip(strategies.post(account, unknown))).toMatchObject({
        errors: {
          default_quote_currency: ["must be one of USDT, BTC, ETH, USD, CHF"],
          default_exchange_name: [`must be one of ${NAMES}, my-dex`],
          exchanges: [`[0].exchange_name must be one of ${NAMES}, my-dex`]
        }
      })
    })
  )

  it.effect("has switches like every other, and closes a market that is no longer given", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const { account } = yield* sender("carol")
      yield* markets.switchExchange(Own.MY_DEX, false)
      const draft = { ...strategyRequest(), ...Own.settings }
      expect(yield* Effect.flip((yield* Strategies).create(account, draft))).toMatchObject({
        errors: { exchanges: ["[0] my-dex is not active at the moment"] }
      })
      yield* markets.switchExchange(Own.MY_DEX, true)
      const other = { "ETH/CHF": { price_step: 0.01, amount_step: 0.01 } }
      const given = { exchange: "my-dex", makerFeePercent: 0, takerFeePercent: 0, spot: other }
      const later = yield* Effect.provide(Markets, Markets.with(given))
      expect((yield* later.list(Own.MY_DEX)).map(({ active, pair }) => `${pair} ${active}`)).toEqual([
        "BTC/CHF false",
        "ETH/CHF true"
      ])
    })
  )

  it.effect("is back-tested over HTTP like every other", () =>
    Effect.gen(function* () {
      const { account } = yield* sender("dave")
      const START = Date.UTC(2026, 10, 1)
      const line = (minute: number, type: string) =>
        JSON.stringify({ time: START + minute * 60_000, coin: "BTC", quote_currency: "CHF", type })
      const request = {
        strategy: { ...strategyRequest(), ...Own.settings },
        candles: [{ pair: "BTC/CHF", csv: wave(START, 100) }],
        alerts: { text: `${line(1, "buy")}\n${line(60, "sell")}` }
      }
      const bytes = Effect.succeed(new TextEncoder().encode(JSON.stringify(request)))
      const told = JSON.parse(yield* (yield* Backtester).run(account, bytes))
      expect(told).toMatchObject({
        candles: 100,
        alerts: 2,
        charts: [{ exchange: "my-dex", pair: "BTC/CHF" }]
      })
      expect(told.ignored).toEqual([])
    })
  )
})

test("a server that does not list it refuses it, in the interface's words", async () => {
  const runtime = ManagedRuntime.make(Memory.layer())
  const refused = Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const { create } = yield* Strategies
    return yield* Effect.flip(create(account, { ...strategyRequest(), ...Own.settings }))
  })
  expect(await runtime.runPromise(refused)).toMatchObject({
    errors: {
      default_quote_currency: ["must be one of USDT, BTC, ETH, USD"],
      default_exchange_name: [`must be one of ${NAMES}`],
      exchanges: [`[0].exchange_name must be one of ${NAMES}`]
    }
  })
  await runtime.dispose()
})

test("the typed client makes, reads and lists it", async () => {
  const runtime = ManagedRuntime.make(
    Http.layer().pipe(Layer.provideMerge(Memory.layerWith(own, { rates: { crud: 0, alert: 0 } })))
  )
  const calls = Effect.gen(function* () {
    const { secret } = yield* (yield* Accounts).issue("ann", "full", Option.none())
    const client = yield* clientOf(secret)
    const { id } = yield* client.signals.create({ payload: signalDraft() })
    const payload = { ...strategyRequest(), ...Own.settings, signal_id: id }
    const made = yield* client.strategies.create({ payload })
    yield* Flow.quote(100, Own.AT)
    yield* client.alert.alert({ payload: { signal_id: id, coin: "BTC", quote_currency: "CHF", type: "buy" } })
    yield* Flow.caughtUp
    const read = yield* client.strategies.get({ path: { id: made.strategy_id } })
    const { data: timeline } = yield* client.history.timeline({ path: { id: made.strategy_id } })
    const { data: exchanges } = yield* client.operator.exchanges()
    const { data: markets } = yield* client.operator.markets({ urlParams: { exchange: "My-Dex" } })
    const unknown = yield* Effect.either(client.operator.markets({ urlParams: { exchange: "other" } }))
    const { handle } = yield* Http
    const answer = yield* Effect.promise(() =>
      handle(new Request("http://signalbox.test/openapi.json"), "203.0.113.1")
    )
    const document = yield* Effect.promise(() => answer.text())
    return { document, made, read, timeline, exchanges, markets, isRefused: Either.isLeft(unknown) }
  })
  const { document, exchanges, isRefused, made, markets, read, timeline } = await runtime.runPromise(calls)
  expect(read.exchanges).toEqual(made.exchanges)
  expect(read.default_quote_currency).toBe(Own.CHF)
  expect(timeline.map(({ rule }) => rule)).toContain("order_filled")
  expect(exchanges.at(-1)).toMatchObject({ name: "my-dex", active: true, taker_fee: 0.5 })
  expect(markets).toMatchObject([{ exchange: "my-dex", pair: "BTC/CHF", kind: "spot" }])
  expect(isRefused).toBe(true)
  expect(document).toContain(`"enum":["${NAMES.replaceAll(", ", '","')}","my-dex"]`)
  expect(document).not.toContain(`"enum":["${NAMES.replaceAll(", ", '","')}"]`)
  await runtime.dispose()
})
