import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Candle } from "../../domain/Candle.ts"
import { type ExchangeName, type MarketId, marketKey, type Pair } from "../../domain/Market.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import type { BotAlert } from "../../trading/Decision.ts"
import { keyOf } from "../../trading/Keys.ts"
import { figuresOf } from "../../trading/Positions.ts"
import * as Walk from "../../trading/Walk.ts"
import { leaves } from "../../trading/Watch.ts"
import type { PriceEvent } from "../Tickers.ts"
import { type ContextFor, contextOf } from "./Context.ts"
import type { Desk } from "./Desk.ts"
import { seenByBot } from "./Engine.ts"
import { pairText } from "./Holding.ts"
import { pairKey } from "./Marks.ts"
import type { Concern, LiveBot } from "./Roster.ts"
import { breathe } from "./Start.ts"

/** What prices make of the bots that they concern. */
export const priced = (desk: Desk) => {
  /**
   * Takes in the quotes from a place on, as many as need no commit in between; returns the place after. Bots whose
   * windows a quote does not leave are not asked, and cost nothing.
   */
  const quoted = (
    events: ReadonlyArray<PriceEvent>,
    from: number,
    contextFor: ContextFor,
    now: number
  ): number => {
    for (let place = from; place < events.length; place++) {
      const event = events[place]
      if (event?._tag !== "Quoted") return place
      const { market, ticker } = event
      // Whoever has an order on the way is to know what became of it before the next price.
      if (place > from && desk.engine.isAwaitedAt(keyOf(market))) return place
      if (!desk.marks.quoted(market, ticker, now)) continue
      for (const concern of desk.roster.tick(market, ticker, now)) {
        desk.engine.safely(concern.bot, () => seen(concern, market, ticker, contextFor, now))
      }
    }
    return events.length
  }

  const seen = (
    { bot, isLeft }: Concern,
    market: MarketId,
    ticker: Ticker,
    contextFor: ContextFor,
    now: number
  ): void => {
    const before = bot.windows
    if (bot.held.size > 0) desk.engine.retry(bot, contextFor(bot), (alert) => pairText(alert) === market.pair)
    const window = bot.windows.get(keyOf(market))
    const isStillLeft = bot.windows === before ? isLeft : window !== undefined && leaves(window, ticker, now)
    if (isStillLeft) desk.engine.tell(bot, { _tag: "Price", market, rules: "all" }, contextFor(bot))
  }

  /** A bar is walked by each bot that it concerns; they go on together, from one commit to the next. */
  const barred = Effect.fnUntraced(function* (exchange: ExchangeName, pair: Pair, candle: Candle) {
    const catalogue = yield* desk.catalogue
    const prices = {
      feed: pairKey,
      quote: (id: MarketId) => (pairKey(id) === pairKey({ exchange, pair }) ? undefined : desk.marks.last(id))
    }
    const markets = (["spot", "swap"] as const).map((kind) => ({ exchange, pair, kind }))
    const cursors = new Map<LiveBot, Walk.Cursor>()
    for (const bot of desk.roster.concerned({ exchange, pair })) {
      cursors.set(bot, Walk.start(candle, markets, due(bot, pair, candle.at)))
    }
    const contextFor = (bot: LiveBot) => {
      const context = contextOf(bot, catalogue, prices, candle.at)
      const cursor = cursors.get(bot)
      return cursor === undefined ? context : Walk.contextAt(context, cursor)
    }
    const step = (bot: LiveBot, cursor: Walk.Cursor): void => {
      const context = contextOf(bot, catalogue, prices, candle.at)
      const next = Walk.next(context, bot.record.state, cursor)
      if (next._tag !== "Step") return void cursors.delete(bot)
      cursors.set(bot, next.cursor)
      desk.engine.walked(bot, next.decision, next.alert, Walk.contextAt(context, next.cursor))
    }
    while (cursors.size > 0) {
      for (const [place, [bot, cursor]] of [...cursors].entries()) {
        if (!desk.engine.safely(bot, () => step(bot, cursor))) cursors.delete(bot)
        if (desk.engine.isFull()) yield* desk.settle(contextFor)
        if (place % COMPANY === COMPANY - 1) yield* breathe
      }
      yield* desk.settle(contextFor)
    }
    desk.marks.closed({ exchange, pair }, candle.close, candle.at)
  })

  /** Prices in their order. Ends when all that came of them is stored, and orders sent. */
  return Effect.fnUntraced(function* (events: ReadonlyArray<PriceEvent>) {
    for (let place = 0; place < events.length; ) {
      const event = events[place]
      if (event?._tag === "Barred") {
        yield* barred(event.exchange, event.pair, event.candle)
        place++
        continue
      }
      place = quoted(events, place, yield* desk.present, yield* Clock.currentTimeMillis)
      yield* desk.settle()
    }
  })
}

/** Bots that walk between two breaths: a bar may concern thousands, and requests want to be answered meanwhile. */
const COMPANY = 32

/** Alerts for the pair that had come when the bar began, in order of arrival. */
const due = (bot: LiveBot, pair: Pair, at: number): ReadonlyArray<BotAlert> =>
  [...bot.held]
    .filter(({ alert }) => pairText(alert) === pair && alert.receivedAt <= at)
    .map(({ alert }) => seenByBot(alert, pair))

/** The last prices, however old; the average entry price where there never was one. */
export const lastPrices = (desk: Desk, bot: LiveBot, now: number) => ({
  feed: marketKey,
  quote: (id: MarketId): Ticker | undefined => {
    const position = bot.record.state.slots[marketKey(id)]?.position
    return (
      desk.marks.last(id) ?? (position === undefined ? undefined : ofLast(figuresOf(position).average, now))
    )
  }
})
