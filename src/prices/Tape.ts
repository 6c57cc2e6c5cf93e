// Records one-minute candles from the streamed trades, and the spread of each minute from the quotes. A candle is recorded
// only if its market's stream was whole throughout; every other minute stays a hole.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import type { MarketId } from "../domain/Market.ts"
import { CandleRecording, type RecordingState } from "../services/feeds/CandleRecording.ts"
import { MINUTE_MILLIS } from "../trading/candles/CandleBuilder.ts"
import { packing } from "./tape/Packing.ts"
import * as Place from "./tape/Place.ts"
import * as Reels from "./tape/Reels.ts"
import * as Room from "./tape/Room.ts"
import * as SpreadReels from "./tape/SpreadReels.ts"
import * as Writer from "./tape/Writer.ts"

/**
 * Records the one-minute candles and spreads of the markets whose trades and quotes it is given. All four calls are cheap, only remember, and
 * never fail.
 */
export class Tape extends Context.Tag("signalbox/prices/Tape")<
  Tape,
  {
    /** A trade: its price (quote), amount (base) and time by the exchange's clock (ms since the epoch). */
    readonly traded: (market: MarketId, price: number, amount: number, at: number) => void
    /** The best bid and ask of a market now. */
    readonly quoted: (market: MarketId, bid: number, ask: number) => void
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
  static readonly layerNone = Layer.succeed(this, {
    traded: () => {},
    quoted: () => {},
    whole: () => {},
    broken: () => {}
  })
}

export interface Options {
  /** The data folder. */
  readonly folder: string
  /** How long candles are kept, and how much disk they take; by default as the settings. */
  readonly bounds?: Room.Bounds
  /** The free disk (bytes) at a folder; the machine's by default. */
  readonly free?: (folder: string) => Promise<number>
}

/** The interval of the check for a suspended process. */
const BEAT = "4 seconds"

/**
 * Records to `candles/EXCHANGE/BASE-QUOTE-KIND/YYYY-MM.csv.gz` in a data folder, and spreads to `YYYY-MM.spreads.gz` there, once a minute, all markets together,
 * without waiting for the disk. A power cut may lose the last half minute; a line cut short is removed at the next
 * start.
 */
export const layer = (options: Options): Layer.Layer<Tape | CandleRecording> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const now = () => clock.unsafeCurrentTimeMillis()
      const reels = Reels.make(now())
      const spreads = SpreadReels.make()
      const candles = Place.candlesIn(options.folder)
      const room = yield* roomIn(candles, options.free ?? Room.freeBytes)
      const write = Writer.make(candles, Writer.CANDLES)
      const writeSpreads = Writer.make(candles, Writer.SPREADS)
      const warnOfStrays = teller(reels.strays)
      const record = (pages: () => ReadonlyArray<Reels.Page>) =>
        Effect.flatMap(room.check, (isEnough) => {
          const taken = pages().map(({ candles: rows, market }) => ({ market, rows }))
          const quoted = spreads.take(now())
          return isEnough ? Effect.zipRight(write(taken), writeSpreads(quoted)) : Effect.void
        }).pipe(Effect.zipRight(warnOfStrays), Effect.uninterruptible)
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
      yield* Effect.forkScoped(Room.trimming(candles, options.bounds ?? Room.USUAL))
      const tape: typeof Tape.Service = {
        traded: (market, price, amount, at) => reels.traded(market, { price, amount, at }, now()),
        quoted: (market, bid, ask) => spreads.quoted(market, bid, ask, now()),
        whole: (markets) => reels.whole(markets, now()),
        broken: (markets, since) =>
          reels.broken(markets, Math.min(since ?? now() - Reels.SILENCE_MILLIS, now()))
      }
      return Context.make(Tape, tape).pipe(Context.add(CandleRecording, { state: room.state }))
    })
  )

/** Whether there is enough free disk to write; says so once when that changes. */
const roomIn = (candles: string, free: (folder: string) => Promise<number>) =>
  Effect.gen(function* () {
    const state = yield* Ref.make<RecordingState>("on")
    const check = Effect.gen(function* () {
      // Where free disk cannot be read, writing shows whether there is any.
      const bytes = yield* Effect.orElseSucceed(
        Effect.tryPromise(() => free(candles)),
        () => Number.POSITIVE_INFINITY
      )
      const next = bytes < Room.MIN_FREE_BYTES ? "paused" : "on"
      const before = yield* Ref.getAndSet(state, next)
      if (before === "on" && next === "paused")
        yield* Effect.logWarning(
          "less than 1 GB of disk is free: candles are not recorded until there is more"
        )
      if (before === "paused" && next === "on")
        yield* Effect.logInfo("there is room again: candles are recorded")
      return next === "on"
    })
    return { check, state: Ref.get(state) }
  })

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
