import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type MarketId, marketKey, type Pair } from "../../domain/Market.ts"
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

  /**
   * The bars of one moment are walked by each bot that they concern, in the order in which its strategy lists the pairs:
   * a back-test takes them in the same order. Bots go on together, from one commit to the next.
   */
  const barred = Effect.fnUntraced(function* (bars: Arr.NonEmptyReadonlyArray<Bar>) {
    const catalogue = yield* desk.catalogue
    const { at } = bars[0].candle
    const rounds = new Map<LiveBot, Round>()
    for (const bar of bars)
      for (const bot of desk.roster.concerned(bar)) {
        const round: Round = rounds.get(bot) ?? { bars: [], walked: new Map(), cursor: undefined }
        round.bars.push(bar)
        rounds.set(bot, round)
      }
    const contextIn = (bot: LiveBot) => {
      const { bars: [bar] = [], walked } = rounds.get(bot) ?? {}
      const here = bar === undefined ? undefined : pairKey(bar)
      const quote = (id: MarketId) => {
        const key = pairKey(id)
        return key === here ? undefined : (walked?.get(key) ?? desk.marks.last(id))
      }
      return contextOf(bot, desk.roster, catalogue, { feed: pairKey, quote }, at)
    }
    for (const [bot, { bars }] of rounds) {
      const { rank } = contextIn(bot)
      const placeOf = ({ exchange, pair }: Bar) => rank({ exchange, pair, kind: "spot" })
      bars.sort((one, other) => placeOf(one) - placeOf(other))
    }
    const contextFor = (bot: LiveBot) => {
      const context = contextIn(bot)
      const cursor = rounds.get(bot)?.cursor
      return cursor === undefined ? context : Walk.contextAt(context, cursor)
    }
    /** Walks on to the bot's next decision, through as many of its bars as it takes. */
    const step = (bot: LiveBot, round: Round): void => {
      while (rounds.has(bot)) {
        const [bar] = round.bars
        if (bar === undefined) return
        round.cursor ??= begun(bot, bar)
        const next = Walk.next(contextIn(bot), bot.record.state, round.cursor)
        if (next._tag !== "Step") {
          skip(bot, round)
          continue
        }
        round.cursor = next.cursor
        return desk.engine.walked(bot, next.decision, next.alert, contextFor(bot))
      }
    }
    /** On to the bot's next bar, or done. */
    const skip = (bot: LiveBot, round: Round): void => {
      const bar = round.bars.shift()
      if (bar !== undefined) round.walked.set(pairKey(bar), ofLast(bar.candle.close, at))
      round.cursor = undefined
      if (round.bars.length === 0) rounds.delete(bot)
    }
    while (rounds.size > 0) {
      for (const [place, [bot, round]] of [...rounds].entries()) {
        // A bar that a bot cannot decide on, by a flaw of ours, is left out.
        if (!desk.engine.safely(bot, () => step(bot, round))) skip(bot, round)
        if (desk.engine.isFull()) yield* desk.settle(contextFor)
        if (place % COMPANY === COMPANY - 1) yield* breathe
      }
      yield* desk.settle(contextFor)
    }
    for (const bar of bars) desk.marks.closed(bar, bar.candle.close, at)
  })

  /** Prices in their order. Ends when all that came of them is stored, and orders sent. */
  return Effect.fnUntraced(function* (events: ReadonlyArray<PriceEvent>) {
    for (let place = 0; place < events.length; ) {
      const event = events[place]
      if (event?._tag === "Barred") {
        const bars = together(event, events.slice(place + 1))
        yield* barred(bars)
        place += bars.length
        continue
      }
      place = quoted(events, place, yield* desk.present, yield* Clock.currentTimeMillis)
      yield* desk.settle()
    }
  })
}

type Bar = Extract<PriceEvent, { readonly _tag: "Barred" }>

/** A bot on its way through the bars of one moment: those before it, and the last prices of those behind it. */
interface Round {
  readonly bars: Array<Bar>
  readonly walked: Map<string, Ticker>
  cursor: Walk.Cursor | undefined
}

const begun = (bot: LiveBot, { candle, exchange, pair }: Bar): Walk.Cursor => {
  const markets = (["spot", "swap"] as const).map((kind) => ({ exchange, pair, kind }))
  return Walk.start(candle, markets, due(bot, pair, candle.at))
}

/** A bar with those that come right after it and are of the same moment, one for each pair. */
const together = (first: Bar, others: ReadonlyArray<PriceEvent>): Arr.NonEmptyArray<Bar> => {
  const bars: Arr.NonEmptyArray<Bar> = [first]
  const pairs = new Set([pairKey(first)])
  for (const event of others) {
    if (event._tag !== "Barred" || event.candle.at !== first.candle.at || pairs.has(pairKey(event))) break
    pairs.add(pairKey(event))
    bars.push(event)
  }
  return bars
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
