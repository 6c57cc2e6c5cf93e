// The turns in which prices are taken in: quotes in slices with a turn each, of which the first also reads the alerts before
// them, and candles in one turn after all alerts that are dated before them.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Meters } from "../../health/Meters.ts"
import { Journal } from "../../Journal.ts"
import { type PriceEvent, Tickers } from "../../Tickers.ts"
import type { AlertJudging } from "../alerts/AlertJudging.ts"
import type { EngineState } from "../EngineState.ts"
import type { Turn } from "../Turns.ts"
import type { Pricing } from "./Pricing.ts"

/** The most tasks that a price waits for, in how many slices, and how long (ms). An order of a bot ends a slice. */
const FEW_TASKS = 32
const FEW_SLICES = 3
const FEW_MS = 30

interface Parts {
  readonly pricing: Pricing
  readonly judging: AlertJudging
  readonly turn: Turn
}

/** Makes the effect that waits for prices and takes them in. */
export const make = Effect.fnUntraced(function* (
  { backlog }: Pick<EngineState, "backlog">,
  { judging, pricing, turn }: Parts
) {
  const journal = yield* Journal
  const tickers = yield* Tickers
  const { engine: meter } = yield* Meters

  const takeIn = (events: ReadonlyArray<PriceEvent>, from = 0, within: Turn = (self) => self) =>
    Effect.iterate(from, {
      while: (place) => place < events.length,
      body: (place) => within(pricing.some(events, place))
    })
  const areMany = () => backlog.size > FEW_TASKS
  const few = Effect.flatMap(Clock.currentTimeMillis, (from) =>
    Effect.repeat(judging.turn, {
      until: ({ isMore }) =>
        Effect.map(Clock.currentTimeMillis, (now) => !isMore || areMany() || now - from >= FEW_MS),
      times: FEW_SLICES - 1
    })
  )
  /**
   * Takes in the first slice. A bot looks at a price after the alerts that came before it. Where many alerts are left, the
   * price does not wait for their commit: bots with alerts look at it later, at their account's turn.
   */
  const first = (events: ReadonlyArray<PriceEvent>) =>
    Effect.suspend(() =>
      areMany()
        ? Effect.zipRight(judging.read(), pricing.some(events, 0, judging.some))
        : Effect.zipRight(few, pricing.some(events, 0))
    )

  return Effect.flatMap(tickers.next, (events) => {
    meter.prices += events.length
    // Alerts dated before a candle are judged before it, including those still on their way to the disk.
    const isBarred = events.some(({ _tag }) => _tag === "Barred")
    if (isBarred)
      return turn(Effect.zipRight(Effect.zipRight(journal.settled, judging.drain), takeIn(events)))
    return Effect.flatMap(turn(first(events)), (place) => takeIn(events, place, turn))
  })
})
