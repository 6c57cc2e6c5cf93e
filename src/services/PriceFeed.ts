// Publishing prices by hand: a `Tickers` whose prices come from code, as in replays and tests. `publish` ends once the
// engine has handled them, so a script never outruns the bots. A price source of your own is a layer of the port
// `Tickers`.
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Candle from "../domain/Candle.ts"
import * as Ticker from "../domain/Ticker.ts"
import { type PriceEvent, Tickers } from "./Tickers.ts"

/**
 * Publishes prices to the engine by hand: recorded ones in a replay, scripted ones in a test.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Market, PriceEvent, PriceFeed, Ticker } from "signalbox"
 *
 * const market = { exchange: "binance", pair: Market.Pair.make("BTC/USDT"), kind: "spot" } as const
 * const at = (last: number, now: number) => PriceEvent.Quoted({ market, ticker: Ticker.ofLast(last, now) })
 * const rise = Effect.flatMap(PriceFeed, ({ publish }) => publish([at(60_000, 1_000), at(61_000, 2_000)]))
 * ```
 */
export class PriceFeed extends Context.Tag("signalbox/services/PriceFeed")<
  PriceFeed,
  {
    /** Ends when the engine has handled the prices and stored the results. */
    readonly publish: (events: ReadonlyArray<PriceEvent>) => Effect.Effect<void>
  }
>() {}

/** For feeds that need no list of markets. */
const UNWATCHED = { watch: () => Effect.void, health: Effect.succeed([]) }

interface Parcel {
  readonly events: ReadonlyArray<PriceEvent>
  readonly done: Deferred.Deferred<void>
}

const make = (describe: string) =>
  Effect.gen(function* () {
    const parcels = yield* Queue.bounded<Parcel>(16)
    let open: Option.Option<Parcel> = Option.none()

    const publish = Effect.fn("PriceFeed.publish")(function* (events: ReadonlyArray<PriceEvent>) {
      const sound = events.filter(isSound)
      if (sound.length === 0) return
      const done = yield* Deferred.make<void>()
      yield* Queue.offer(parcels, { events: sound, done })
      yield* Deferred.await(done)
    })

    const next = Effect.gen(function* () {
      if (Option.isSome(open)) yield* Deferred.succeed(open.value.done, undefined)
      open = Option.none()
      const parcel = yield* Queue.take(parcels)
      open = Option.some(parcel)
      return parcel.events
    })

    return Context.make(PriceFeed, { publish }).pipe(Context.add(Tickers, { next, describe, ...UNWATCHED }))
  })

const isSound = (event: PriceEvent): boolean =>
  event._tag === "Quoted" ? Ticker.isSound(event.ticker) : Candle.isSound(event.candle)

/** A feed of published prices; `describe` names the source in words. */
export const layer = (describe: string): Layer.Layer<PriceFeed | Tickers> =>
  Layer.effectContext(make(describe))

/** A feed without prices: entries end as `no_price`, exits wait. */
export const layerNone: Layer.Layer<Tickers> = Layer.succeed(Tickers, {
  next: Effect.never,
  describe: "none",
  ...UNWATCHED
})
