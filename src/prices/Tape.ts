// Records one-minute candles from the streamed trades. A minute is recorded only if its market's stream was whole
// throughout; every other minute stays a hole.
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
 * Records the one-minute candles of the markets whose trades it is given. All three calls are cheap, only remember, and
 * never fail.
 */
export class Tape extends Context.Tag("signalbox/prices/Tape")<
  Tape,
  {
    /** A trade: its price (quote), amount (base) and time by the exchange's clock (ms since the epoch). */
    readonly traded: (market: MarketId, price: number, amount: number, at: number) => void
    /** From now on all trades of these markets arrive. Repeating it changes nothing. */
    readonly whole: (markets: Iterable<MarketId>) => void
    /**
     * Trades of these markets may be missing since `since` (ms, by our clock), when their stream was last known to be
     * whole; ten seconds ago by default. Also for a market that is no longer watched.
     */
    readonly broken: (markets: Iterable<MarketId>, since?: number) => void
  }
>() {
  /** Records nothing. */
  static readonly layerNone = Layer.succeed(this, { traded: () => {}, whole: () => {}, broken: () => {} })
}

/** The interval of the check for a suspended process. */
const BEAT = "4 seconds"

/**
 * Records to `candles/EXCHANGE/BASE-QUOTE-KIND/YYYY-MM.csv.gz` in a data folder, once a minute, all markets together,
 * without waiting for the disk. A power cut may lose the last half minute; a line cut short is removed at the next
 * start.
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
      const warnOfStrays = teller(reels.strays)
      const record = (pages: () => ReadonlyArray<Reels.Page>) =>
        Effect.suspend(() => write(pages())).pipe(Effect.zipRight(warnOfStrays), Effect.uninterruptible)
      const flush = record(() => reels.take(now()))

      // Writes what is whole at the end; finalizers run in reverse.
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
        traded: (market, price, amount, at) => reels.traded(market, { price, amount, at }, now()),
        whole: (markets) => reels.whole(markets, now()),
        broken: (markets, since) =>
          reels.broken(markets, Math.min(since ?? now() - Reels.SILENCE_MILLIS, now()))
      }
    })
  )

/** Sleeps until the next minute has been held back long enough. */
const untilDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
  Effect.sleep(MINUTE_MILLIS - ((now - Reels.HELD_MILLIS) % MINUTE_MILLIS))
)

/** Warns once about trades that are not recorded because of their times. */
const teller = (strays: { readonly late: number; readonly ahead: number }) => {
  let warnedLate = false
  let warnedAhead = false
  return Effect.gen(function* () {
    if (strays.late > 0 && !warnedLate) {
      warnedLate = true
      yield* Effect.logWarning(
        "trades came too late to be in the recorded candle of their minute: is the clock right?"
      )
    }
    if (strays.ahead > 0 && !warnedAhead) {
      warnedAhead = true
      yield* Effect.logWarning("trades from a time that has not come are not recorded: is the clock right?")
    }
  })
}
