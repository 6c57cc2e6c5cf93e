// The feed of prices as the engine reads it where candles come from the feed itself: rules look at what has closed before
// the engine gets what comes next, and their alerts are on disk by then.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type PriceEvent, Tickers } from "../Tickers.ts"
import type { CandleNews } from "./ClosedCandles.ts"
import type { FedCandles } from "./FedCandles.ts"
import { RuleDesk } from "./RuleDesk.ts"

/** The feed for the engine. Where candles come from exchanges, or no rule is at work, it is the feed itself. */
export const layer = Layer.effect(
  Tickers,
  Effect.gen(function* () {
    const tickers = yield* Tickers
    const desk = yield* RuleDesk
    return Option.match(desk.fed, {
      onNone: () => tickers,
      onSome: (fed) => ({ ...tickers, next: nextOf(tickers, desk, fed) })
    })
  })
)

const nextOf = (
  tickers: typeof Tickers.Service,
  { schedules, settled, take }: typeof RuleDesk.Service,
  fed: FedCandles
): typeof Tickers.Service.next => {
  let waiting: ReadonlyArray<PriceEvent> = []
  /** A cohort that has just begun to wait reads its candles first. */
  const look = (news: () => ReadonlyArray<CandleNews>) =>
    Effect.suspend(() => {
      if (fed.isIdle) return schedules
      const all = news()
      const taken = all.length === 0 ? settled : Effect.zipRight(settled, Effect.zipRight(take(all), settled))
      return Effect.zipRight(taken, schedules)
    })

  return Effect.gen(function* () {
    if (waiting.length === 0) {
      yield* look(() => fed.complete())
      waiting = yield* tickers.next
    }
    const count = fed.isIdle ? waiting.length : together(waiting)
    const [some, others] = [waiting.slice(0, count), waiting.slice(count)]
    const [first] = some
    if (first !== undefined) yield* look(() => fed.closedBy(timeOf(first)))
    for (const event of some) note(fed, event)
    waiting = others
    return some
  })
}

const timeOf = (event: PriceEvent): number => (event._tag === "Barred" ? event.candle.at : event.ticker.at)

/** Whether rules may have to look between two events: candles of another time, or quotes of another minute. */
const together = (events: ReadonlyArray<PriceEvent>): number => {
  const [first] = events
  const end = first === undefined ? -1 : events.findIndex((event) => spanOf(event) !== spanOf(first))
  return end < 0 ? events.length : end
}

const MINUTE_MS = 60_000
const spanOf = (event: PriceEvent): string =>
  event._tag === "Barred" ? `${event.candle.at}` : `minute ${Math.floor(event.ticker.at / MINUTE_MS)}`

/** Candles are kept in any case, since a rule may be made later; quotes only for rules. */
const note = (fed: FedCandles, event: PriceEvent): void => {
  if (event._tag === "Barred") fed.candle(event, event.candle)
  else if (!fed.isIdle) fed.quote(event)
}
