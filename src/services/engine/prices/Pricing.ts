// Prices to bots: quotes as they stream in (`Quotes`), and candles as in a back-test: those that leave no watch window
// are passed (`CandleWindows`), all others walked (`CandleWalk`).
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type MarketId, marketKey } from "../../../domain/Market.ts"
import { ofLast, type Ticker } from "../../../domain/Ticker.ts"
import { figuresOf } from "../../../trading/books/Positions.ts"
import type { PriceEvent } from "../../Tickers.ts"
import { breathe } from "../Breath.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import { CandleWalk } from "./CandleWalk.ts"
import { type Bar, CandleWindows } from "./CandleWindows.ts"
import { pairKey } from "./LastPrices.ts"
import * as Quotes from "./Quotes.ts"

/** Makes the two ways in: `some` for new prices, `applyRules` for a bot whose turn has come. */
export const priced = (engineState: EngineState) => {
  const { catalogue, engine, marks, settle } = engineState
  const windows = new CandleWindows(engineState)
  const { applyRules, quoted } = Quotes.make(engineState)

  /** Walks the candles of one moment. Bots advance together, from one commit to the next. */
  const barred = Effect.fnUntraced(function* (bars: Arr.NonEmptyReadonlyArray<Bar>) {
    const walk = new CandleWalk(engineState, yield* catalogue, bars, windows)
    const contextFor = (bot: BotEntry) => walk.contextFor(bot)
    for (let bots = walk.bots(); bots.length > 0; bots = walk.bots()) {
      for (const [place, bot] of bots.entries()) {
        // A candle that meets a fault of ours is skipped.
        if (!engine.faults.attempt(bot, () => walk.step(bot))) walk.skip(bot)
        if (engine.outbox.isFull) yield* settle(contextFor)
        if (place % COMPANY === COMPANY - 1) yield* breathe
      }
      yield* settle(contextFor)
    }
    for (const bar of bars) marks.closed(bar, bar.candle.close, bars[0].candle.at)
  })

  /**
   * Takes in one slice of prices from an index on and stores the results; returns the next index. A slice of candles is
   * all that leave no window, or one moment. What `also` decides is stored with a slice of quotes; it must not fail.
   */
  const some = Effect.fnUntraced(function* (
    events: ReadonlyArray<PriceEvent>,
    place: number,
    also: Effect.Effect<unknown> = Effect.void
  ) {
    const event = events[place]
    if (event?._tag === "Barred") {
      const passed = windows.pass(events, place, yield* catalogue)
      if (passed > place) return passed
      const bars = together(event, events, place + 1)
      yield* barred(bars)
      return place + bars.length
    }
    windows.forget()
    const after = quoted(events, place, yield* engineState.present, yield* Clock.currentTimeMillis)
    yield* also
    yield* settle()
    return after
  })

  return { some, applyRules }
}

export type Pricing = ReturnType<typeof priced>

/** Bots that walk before the event loop gets a turn: a candle may concern thousands, and requests wait meanwhile. */
const COMPANY = 32

/** The first candle and those directly after it, from an index on, of the same moment; one for each pair. */
const together = (first: Bar, events: ReadonlyArray<PriceEvent>, from: number): Arr.NonEmptyArray<Bar> => {
  const bars: Arr.NonEmptyArray<Bar> = [first]
  const pairs = new Set([pairKey(first)])
  for (let place = from; ; place++) {
    const event = events[place]
    if (event?._tag !== "Barred" || event.candle.at !== first.candle.at || pairs.has(pairKey(event)))
      return bars
    pairs.add(pairKey(event))
    bars.push(event)
  }
}

/** The last prices, however old; the average entry price where no price was ever seen. */
export const lastPrices = (engineState: EngineState, bot: BotEntry, now: number) => ({
  feed: marketKey,
  quote: (id: MarketId): Ticker | undefined => {
    const position = bot.record.state.slots[marketKey(id)]?.position
    return (
      engineState.marks.last(id) ??
      (position === undefined ? undefined : ofLast(figuresOf(position).average, now))
    )
  }
})
