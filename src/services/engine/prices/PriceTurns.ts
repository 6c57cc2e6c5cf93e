// The turns in which prices are taken in: quotes in slices with a turn each, candles in one turn after all alerts that
// are dated before them.
import * as Effect from "effect/Effect"
import { Meters } from "../../health/Meters.ts"
import { Journal } from "../../Journal.ts"
import { type PriceEvent, Tickers } from "../../Tickers.ts"
import type { AlertJudging } from "../alerts/AlertJudging.ts"
import type { Turn } from "../Turns.ts"
import type { Pricing } from "./Pricing.ts"

/** Makes the effect that waits for prices and takes them in. */
export const make = Effect.fnUntraced(function* (pricing: Pricing, judging: AlertJudging, turn: Turn) {
  const journal = yield* Journal
  const tickers = yield* Tickers
  const { engine: meter } = yield* Meters

  const takeIn = (events: ReadonlyArray<PriceEvent>, within: Turn = (self) => self) =>
    Effect.iterate(0, {
      while: (place) => place < events.length,
      body: (place) => within(pricing.some(events, place))
    })

  return Effect.flatMap(tickers.next, (events) => {
    meter.prices += events.length
    // Alerts dated before a candle are judged before it, including those still on their way to the disk.
    const isBarred = events.some(({ _tag }) => _tag === "Barred")
    if (isBarred)
      return turn(Effect.zipRight(Effect.zipRight(journal.settled, judging.drain), takeIn(events)))
    return Effect.zipRight(turn(judging.turn), takeIn(events, turn))
  })
})
