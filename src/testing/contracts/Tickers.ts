// The contract of `Tickers`: prices in sequence, each once, to one reader, the engine.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { MarketId } from "../../domain/Market.ts"
import * as Ticker from "../../domain/Ticker.ts"
import { type PriceEvent, Tickers } from "../../services/Tickers.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { marketId } from "../Fixtures.ts"
import { pass } from "../VirtualClock.ts"

/** The source of the suite's prices. */
export interface Setup<R> {
  /** Publishes a market's price at the other side; does not wait until it is heard. */
  readonly say: (market: MarketId, price: number) => Effect.Effect<unknown, unknown, R | Scope.Scope>
  /** A market of the adapter; by default spot BTC/USDT on binance. */
  readonly market?: MarketId
}

/**
 * An implementer never gives an empty batch, waits if there are no prices, watches only the markets of the last
 * `watch`, and drops invalid prices (zero, negative, not a number).
 */
export const suiteOf = <R = never>({ market = marketId(), say }: Setup<R>) =>
  Contract.suite<Tickers | R>("Tickers", (it) => {
    const watched = Effect.flatMap(Tickers, (tickers) =>
      Effect.as(tickers.watch([market]), { next: pricesOf(tickers.next) })
    )

    it("a reader waits until there is a price, and gets it unchanged", () =>
      Effect.gen(function* () {
        const { next } = yield* watched
        const reading = yield* Effect.fork(next)
        yield* pass("10 seconds")
        expect(Option.isNone(yield* Fiber.poll(reading))).toBe(true)
        yield* say(market, 60_000)
        expect(yield* Fiber.join(reading)).toEqual([60_000])
      }))

    it("prices arrive in their sequence, and the last one always arrives", () =>
      Effect.gen(function* () {
        const { next } = yield* watched
        const published = [60_000, 60_001, 60_002, 60_003]
        for (const price of published) yield* say(market, price)
        const heard: Array<number> = []
        while (heard.at(-1) !== published.at(-1)) heard.push(...(yield* next))
        expect(heard).toEqual(published.filter((price) => heard.includes(price)))
      }))

    it("invalid prices never reach the engine", () =>
      Effect.gen(function* () {
        const { next } = yield* watched
        for (const price of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) yield* say(market, price)
        yield* say(market, 60_000)
        expect(yield* next).toEqual([60_000])
      }))

    it("the source has a description, and reports the health of each exchange once", () =>
      Effect.gen(function* () {
        yield* watched
        const { describe, health } = yield* Tickers
        expect(describe).not.toBe("")
        const exchanges = (yield* health).map(({ exchange }) => exchange)
        expect(exchanges).toEqual([...new Set(exchanges)])
      }))
  })

/** The last prices of the next batch. */
const pricesOf = (next: Effect.Effect<ReadonlyArray<PriceEvent>>) =>
  Effect.map(next, (events) => {
    expect(events.length).toBeGreaterThan(0)
    return events.map((event) => {
      if (event._tag === "Barred") return event.candle.close
      expect(Ticker.isSound(event.ticker)).toBe(true)
      return event.ticker.last
    })
  })
