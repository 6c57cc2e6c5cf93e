// Reads bots without the engine's turn: a bot's state is one immutable value, so a reader always finds it whole,
// whatever is being stored or sent.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BotState } from "../../../domain/Bot.ts"
import { marketKey } from "../../../domain/Market.ts"
import type { OwnedStrategy, Settings } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { type BotStatus, standingOf } from "../../../trading/bot/BotStatus.ts"
import { nameOf } from "../../../trading/equity/HoldBasket.ts"
import type { PairPrice } from "../../../trading/equity/Tracking.ts"
import type { Tally } from "../../../trading/Performance.ts"
import { tradableOf } from "../../../trading/Routing.ts"
import { contextOf } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"

/** A bot's position figures, its performance in the current period, and its exchange account. */
export interface BotSnapshot extends BotStatus, Pick<BotState, "live" | "slots"> {
  readonly tally: Tally
  readonly period: number
  /** The last prices of the pairs that the strategy trades; computed on demand for the same moment. */
  readonly pairPrices: () => ReadonlyArray<PairPrice>
}

/** Makes the read. Strategies whose bot has not started are missing from the result. */
export const make = ({ catalogue, marks, paperFills, roster }: EngineState) =>
  Effect.fn("Bots.standings")(function* (strategies: Iterable<OwnedStrategy>) {
    const now = yield* Clock.currentTimeMillis
    const known = yield* catalogue
    const prices = { feed: marketKey, quote: marks.last.bind(marks) }
    const found = new Map<StrategyId, BotSnapshot>()
    for (const { id } of strategies) {
      const bot = Option.getOrUndefined(roster.get(id))
      if (bot === undefined) continue
      const state = roster.stateOf(bot)
      const standing = standingOf(
        contextOf(bot, { roster, catalogue: known, prices, now, own: undefined, paperFills }),
        state
      )
      const { live, period = 1, slots } = state
      found.set(id, {
        ...standing,
        slots,
        tally: bot.record.tally,
        period,
        pairPrices: () => pairPricesOf(bot.strategy.settings, marks),
        ...(live === undefined ? {} : { live })
      })
    }
    return found
  })

/** The spot price of each pair, and that of its perpetual where there is none. */
const pairPricesOf = (settings: Settings, marks: EngineState["marks"]): ReadonlyArray<PairPrice> =>
  Array.from(tradableOf(settings).values(), (place) => ({
    name: nameOf(place),
    price: (marks.last({ ...place, kind: "spot" }) ?? marks.last({ ...place, kind: "swap" }))?.last
  }))
