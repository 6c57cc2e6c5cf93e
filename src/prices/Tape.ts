import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { MarketId } from "../domain/Market.ts"
import { MINUTE_MILLIS } from "../trading/candles/CandleBuilder.ts"
import { packing } from "./tape/Packing.ts"
import * as Place from "./tape/Place.ts"
import * as Reels from "./tape/Reels.ts"
import * as Writer from "./tape/Writer.ts"

/**
 * Records one-minute candles of the markets that it is told the trades of. All three calls are cheap and do nothing
 * but remember; they never fail. A minute is recorded where its market's stream was whole from before its beginning
 * until after its end, and something was traded in it; every other minute is a hole.
 */
export class Tape extends Context.Tag("signalbox/prices/Tape")<
  Tape,
  {
    /** A trade: its price (quote), its amount (base), and its time by the exchange's clock (ms since the epoch). */
    readonly traded: (market: MarketId, price: number, amount: number, at: number) => void
    /** From now on each trade of these markets is told. Said again, it changes nothing. */
    readonly whole: (markets: Iterable<MarketId>) => void
    /**
     * Trades of these markets may be missing, since the time (ms, by our clock) when their stream was last known to be
     * well; where nothing is said of it, since ten seconds ago. Also for a market that is no longer watched.
     */
    readonly broken: (markets: Iterable<MarketId>, since?: number) => void
  }
>() {
  /** Records nothing. */
  static readonly layerNone = Layer.succeed(this, { traded: () => {}, whole: () => {}, broken: () => {} })
}

/** How often we look whether we were away. */
const BEAT = "4 seconds"

/**
 * Records to `candles/EXCHANGE/BASE-QUOTE-KIND/YYYY-MM.csv.gz` in a data folder. Written once a minute, all markets in
 * one go, by threads of the runtime and without waiting for the disk: after a power cut the last half minute may be
 * missing, and what was cut short is cut off at the next start.
 */
export const layer = ({ folder }: { readonly folder: string }): Layer.Layer<Tape> =>
  Layer.scoped(
    Tape,
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const now = () => clock.unsafeCurrentTimeMillis()
      const reels = Reels.make(now())
      const candles = Place.candlesIn(folder)
      const write = Writer.make(candles)
      const tell = teller(reels.strays)
      const record = (pages: () => ReadonlyArray<Reels.Page>) =>
        Effect.suspend(() => write(pages())).pipe(Effect.zipRight(tell), Effect.uninterruptible)
      const flush = record(() => reels.take(now()))

      // What is whole by the end is written; finalizers run in the order opposite to this one.
      yield* Effect.addFinalizer(() => record(() => reels.close(now())))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(untilDue, flush)))
      yield* Effect.forkScoped(
        Effect.repeat(
          Effect.sync(() => reels.alive(now())),
          Schedule.spaced(BEAT)
        )
      )
      yield* Effect.forkScoped(packing(candles))
      return {
        traded: (market, price, amount, at) => reels.traded(market, price, amount, at, now()),
        whole: (markets) => reels.whole(markets, now()),
        broken: (markets, since) =>
          reels.broken(markets, Math.min(since ?? now() - Reels.SILENCE_MILLIS, now()))
      }
    })
  )

/** Until the next minute has been held back for long enough. */
const untilDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
  Effect.sleep(MINUTE_MILLIS - ((now - Reels.HELD_MILLIS) % MINUTE_MILLIS))
)

/** Says once what trades are missing because of their times. */
const teller = (strays: { readonly late: number; readonly ahead: number }) => {
  let toldLate = false
  let toldAhead = false
  return Effect.gen(function* () {
    if (strays.late > 0 && !toldLate) {
      toldLate = true
      yield* Effect.logWarning(
        "trades came too late to be in the recorded candle of their minute: is the clock right?"
      )
    }
    if (strays.ahead > 0 && !toldAhead) {
      toldAhead = true
      yield* Effect.logWarning("trades from a time that has not come are not recorded: is the clock right?")
    }
  })
}
