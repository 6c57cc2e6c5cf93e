// Quotes to bots, as they stream in. A slice asks a bounded number of bots; the others are deferred to their account's
// turn.
import * as Arr from "effect/Array"
import type { AccountId } from "../../../domain/Account.ts"
import type { MarketId } from "../../../domain/Market.ts"
import type { Ticker } from "../../../domain/Ticker.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import { leaves } from "../../../trading/Watch.ts"
import type { PriceEvent } from "../../Tickers.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry, Concern } from "../Roster.ts"

/** A price of a market. */
interface Quote {
  readonly market: MarketId
  readonly ticker: Ticker
}

/** Makes the two ways in: `quoted` for new quotes, `applyRules` for a bot whose turn has come. */
export const make = ({ backlog, engine, marks, roster }: EngineState) => {
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
      if (left <= 0 || (place > from && engine.outbox.isAwaitedAt(keyOf(market)))) return place
      if (!marks.quoted(market, ticker, now)) continue
      for (const concern of fair(roster.tick(market, ticker, now))) {
        const { bot } = concern
        if (left-- <= 0 || backlog.isBehind(bot.strategy)) backlog.defer(bot.strategy, market)
        else engine.faults.attempt(bot, () => seen(concern, event, contextFor, now))
      }
    }
    return events.length
  }

  /** Lets a bot see a quote: first its held alerts for the pair, then its rules where the quote leaves its window. */
  const seen = ({ bot, isLeft }: Concern, quote: Quote, contextFor: ContextFor, now: number): void => {
    const { market, ticker } = quote
    const before = bot.windows
    if (bot.held.size > 0) engine.held.retry(bot, contextFor(bot), bot.held.ofPair(market.pair))
    const window = bot.windows.get(keyOf(market))
    const isStillLeft = bot.windows === before ? isLeft : window !== undefined && leaves(window, ticker, now)
    if (isStillLeft) engine.adoption.handle(bot, { _tag: "Price", market, rules: "all" }, contextFor(bot))
  }

  /** Lets a bot look at the current prices of markets. */
  const applyRules = (
    bot: BotEntry,
    markets: Iterable<MarketId>,
    contextFor: ContextFor,
    now: number
  ): void => {
    for (const market of markets) {
      const ticker = marks.fresh(market, now)
      const window = bot.windows.get(keyOf(market))
      const isLeft = window !== undefined && ticker !== undefined && leaves(window, ticker, now)
      if (ticker !== undefined) seen({ bot, isLeft }, { market, ticker }, contextFor, now)
    }
  }

  return { quoted, applyRules }
}

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
