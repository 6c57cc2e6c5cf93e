import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Candle } from "../../domain/Candle.ts"
import { type ExchangeName, type MarketId, marketKey, type Pair } from "../../domain/Market.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import type { BotAlert } from "../../trading/Decision.ts"
import { figuresOf } from "../../trading/Positions.ts"
import * as Walk from "../../trading/Walk.ts"
import { advance, follow, leaves } from "../../trading/Watch.ts"
import { PriceEvent } from "../Tickers.ts"
import { contextOf } from "./Context.ts"
import type { ContextFor, Desk } from "./Desk.ts"
import { seenByBot } from "./Engine.ts"
import { pairKey } from "./Marks.ts"
import { type LiveBot, pairText } from "./Roster.ts"

/** What a price makes of the bots that it concerns. */
export const priced = (desk: Desk) => {
  /** Bots whose window the quote does not leave are not asked: at most their trail moves. */
  const quoted = Effect.fnUntraced(function* (market: MarketId, ticker: Ticker) {
    const now = yield* Clock.currentTimeMillis
    if (!desk.marks.quoted(market, ticker, now)) return
    const bots = desk.roster.concerned(market)
    if (bots.length === 0) return
    const contextFor = yield* desk.present
    for (const bot of bots) desk.engine.safely(bot, () => seen(bot, market, ticker, contextFor, now))
    yield* desk.settle()
  })

  const seen = (
    bot: LiveBot,
    market: MarketId,
    ticker: Ticker,
    contextFor: ContextFor,
    now: number
  ): void => {
    const key = marketKey(market)
    if (bot.held.length > 0)
      desk.engine.retry(bot, contextFor(bot), (alert) => pairText(alert) === market.pair)
    const window = bot.windows.get(key)
    if (window === undefined) return
    if (leaves(window, ticker, now)) {
      return desk.engine.tell(bot, { _tag: "Price", market, rules: "all" }, contextFor(bot))
    }
    const next = advance(window, ticker)
    if (next === window) return
    bot.windows = new Map(bot.windows).set(key, next)
    bot.record = { ...bot.record, state: follow(bot.record.state, key, ticker) }
    bot.moved = true
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
      for (const [bot, cursor] of cursors) {
        if (!desk.engine.safely(bot, () => step(bot, cursor))) cursors.delete(bot)
      }
      yield* desk.settle(contextFor)
    }
    desk.marks.closed({ exchange, pair }, candle.close, candle.at)
  })

  return PriceEvent.$match({
    Quoted: ({ market, ticker }) => quoted(market, ticker),
    Barred: ({ candle, exchange, pair }) => barred(exchange, pair, candle)
  })
}

/** Alerts for the pair that had come when the bar began, in order of arrival. */
const due = (bot: LiveBot, pair: Pair, at: number): ReadonlyArray<BotAlert> =>
  bot.held
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
