// Prices to bots: quotes as they stream in, and candles walked as in a back-test. A slice asks a bounded number of
// bots; the others are deferred to their account's turn.
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../../domain/Account.ts"
import { type MarketId, marketKey, type Pair } from "../../../domain/Market.ts"
import { ofLast, type Ticker } from "../../../domain/Ticker.ts"
import * as Walk from "../../../trading/backtest/Walk.ts"
import { figuresOf } from "../../../trading/books/Positions.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import type { BotAlert } from "../../../trading/Decision.ts"
import { leaves } from "../../../trading/Watch.ts"
import type { PriceEvent } from "../../Tickers.ts"
import { pairText } from "../alerts/HeldAlerts.ts"
import { seenByBot } from "../alerts/Judge.ts"
import { breathe } from "../Breath.ts"
import { type ContextFor, contextOf } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry, Concern } from "../Roster.ts"
import { pairKey } from "./LastPrices.ts"

/** Makes the two ways in: `some` for new prices, `look` for a bot whose turn has come. */
export const priced = (engineState: EngineState) => {
  /**
   * Takes in quotes from index `from` on, as many as need no commit in between; returns the next index. Bots whose
   * window a quote does not leave cost nothing. A bot with alerts to judge, or beyond the slice's bound, is deferred.
   */
  const quoted = (
    events: ReadonlyArray<PriceEvent>,
    from: number,
    contextFor: ContextFor,
    now: number
  ): number => {
    let left = SLICE_BOTS
    for (let place = from; place < events.length; place++) {
      const event = events[place]
      if (event?._tag !== "Quoted") return place
      const { market, ticker } = event
      // A bot with an order to be sent must have its report before the next price.
      if (left <= 0 || (place > from && engineState.engine.outbox.isAwaitedAt(keyOf(market)))) return place
      if (!engineState.marks.quoted(market, ticker, now)) continue
      for (const concern of fair(engineState.roster.tick(market, ticker, now))) {
        const { bot } = concern
        if (left-- <= 0 || engineState.backlog.isBehind(bot.strategy))
          engineState.backlog.defer(bot.strategy, market)
        else engineState.engine.faults.safely(bot, () => seen(concern, market, ticker, contextFor, now))
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
    if (bot.held.size > 0)
      engineState.engine.held.retry(bot, contextFor(bot), (alert) => pairText(alert) === market.pair)
    const window = bot.windows.get(keyOf(market))
    const isStillLeft = bot.windows === before ? isLeft : window !== undefined && leaves(window, ticker, now)
    if (isStillLeft)
      engineState.engine.adoption.tell(bot, { _tag: "Price", market, rules: "all" }, contextFor(bot))
  }

  /** Lets a bot look at the current prices of markets. */
  const look = (bot: BotEntry, markets: Iterable<MarketId>, contextFor: ContextFor, now: number): void => {
    for (const market of markets) {
      const ticker = engineState.marks.fresh(market, now)
      const window = bot.windows.get(keyOf(market))
      const isLeft = window !== undefined && ticker !== undefined && leaves(window, ticker, now)
      if (ticker !== undefined) seen({ bot, isLeft }, market, ticker, contextFor, now)
    }
  }

  /**
   * Walks the candles of one moment through each bot that they concern, in the sequence in which its strategy lists the
   * pairs, as a back-test does. Bots advance together, from one commit to the next.
   */
  const barred = Effect.fnUntraced(function* (bars: Arr.NonEmptyReadonlyArray<Bar>) {
    const { roster } = engineState
    const catalogue = yield* engineState.catalogue
    const { at } = bars[0].candle
    const rounds = new Map<BotEntry, Round>()
    for (const bar of bars)
      for (const bot of engineState.roster.concerned(bar)) {
        const round: Round = rounds.get(bot) ?? { bars: [], walked: new Map(), cursor: undefined }
        round.bars.push(bar)
        rounds.set(bot, round)
      }
    const contextIn = (bot: BotEntry) => {
      const { bars: [bar] = [], walked } = rounds.get(bot) ?? {}
      const here = bar === undefined ? undefined : pairKey(bar)
      const quote = (id: MarketId) => {
        const key = pairKey(id)
        return key === here ? undefined : (walked?.get(key) ?? engineState.marks.last(id))
      }
      return contextOf(bot, { roster, catalogue, prices: { feed: pairKey, quote }, now: at })
    }
    for (const [bot, { bars }] of rounds) {
      const { rank } = contextIn(bot)
      const placeOf = ({ exchange, pair }: Bar) => rank({ exchange, pair, kind: "spot" })
      bars.sort((one, other) => placeOf(one) - placeOf(other))
    }
    const contextFor = (bot: BotEntry) => {
      const context = contextIn(bot)
      const cursor = rounds.get(bot)?.cursor
      return cursor === undefined ? context : Walk.contextAt(context, cursor)
    }
    /** Walks to the bot's next decision, through as many of its candles as that takes. */
    const step = (bot: BotEntry, round: Round): void => {
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
        return engineState.engine.judge.walked(bot, next.decision, next.alert, contextFor(bot))
      }
    }
    /** Goes on to the bot's next candle, or ends the walk. */
    const skip = (bot: BotEntry, round: Round): void => {
      const bar = round.bars.shift()
      if (bar !== undefined) round.walked.set(pairKey(bar), ofLast(bar.candle.close, at))
      round.cursor = undefined
      if (round.bars.length === 0) rounds.delete(bot)
    }
    while (rounds.size > 0) {
      for (const [place, [bot, round]] of [...rounds].entries()) {
        // A candle that meets a fault of ours is skipped.
        if (!engineState.engine.faults.safely(bot, () => step(bot, round))) skip(bot, round)
        if (engineState.engine.outbox.isFull) yield* engineState.settle(contextFor)
        if (place % COMPANY === COMPANY - 1) yield* breathe
      }
      yield* engineState.settle(contextFor)
    }
    for (const bar of bars) engineState.marks.closed(bar, bar.candle.close, at)
  })

  /** Takes in one slice of prices from an index on and stores the results; returns the next index. */
  const some = Effect.fnUntraced(function* (events: ReadonlyArray<PriceEvent>, place: number) {
    const event = events[place]
    if (event?._tag === "Barred") {
      const bars = together(event, events.slice(place + 1))
      yield* barred(bars)
      return place + bars.length
    }
    const after = quoted(events, place, yield* engineState.present, yield* Clock.currentTimeMillis)
    yield* engineState.settle()
    return after
  })

  return { some, look }
}

export type Pricing = ReturnType<typeof priced>

/** The most bots that one slice of quotes asks. */
const SLICE_BOTS = 256

/**
 * The sequence in which bots are asked where there are too many for one slice: accounts take turns, and bots with a
 * position come first.
 */
const fair = (concerns: ReadonlyArray<Concern>): ReadonlyArray<Concern> => {
  if (concerns.length <= SLICE_BOTS) return concerns
  const rounds = new Map<AccountId, number>()
  const isOpen = ({ bot }: Concern) => Object.values(bot.record.state.slots).some((slot) => slot.position)
  const [idle, open] = Arr.partition(concerns, isOpen)
  return [...open, ...idle]
    .map((concern) => {
      const { account } = concern.bot.strategy
      const round = rounds.get(account) ?? 0
      rounds.set(account, round + 1)
      return { concern, round }
    })
    .sort((one, other) => one.round - other.round)
    .map(({ concern }) => concern)
}

type Bar = Extract<PriceEvent, { readonly _tag: "Barred" }>

/** A bot's walk: the candles ahead, and the last prices of the pairs behind it. */
interface Round {
  readonly bars: Array<Bar>
  readonly walked: Map<string, Ticker>
  cursor: Walk.Cursor | undefined
}

const begun = (bot: BotEntry, { candle, exchange, pair }: Bar): Walk.Cursor => {
  const markets = (["spot", "swap"] as const).map((kind) => ({ exchange, pair, kind }))
  return Walk.start(candle, markets, due(bot, pair, candle.at))
}

/** The first candle and those directly after it of the same moment, one for each pair. */
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

/** Bots that walk before the event loop gets a turn: a candle may concern thousands, and requests wait meanwhile. */
const COMPANY = 32

/** The held alerts for the pair that had arrived when the candle began, by arrival. */
const due = (bot: BotEntry, pair: Pair, at: number): ReadonlyArray<BotAlert> =>
  [...bot.held]
    .filter(({ alert }) => pairText(alert) === pair && alert.receivedAt <= at)
    .map(({ alert }) => seenByBot(alert, pair))

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
