import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { ArmedTerms, ExchangeAccountId } from "../../../domain/Arming.ts"
import type { BotState } from "../../../domain/Bot.ts"
import type { Decimal } from "../../../domain/Decimal.ts"
import { type Strategy, StrategyBusy } from "../../../domain/Strategy.ts"
import { armed, armedNote } from "../../../trading/Arming.ts"
import { isFlat } from "../../../trading/Bot.ts"
import { lostToday } from "../../../trading/rules/DailyLoss.ts"
import type { EngineState } from "../EngineState.ts"

/** A bot's state now, and what its day has lost so far where that can be told. */
export interface Stand {
  readonly state: BotState
  readonly lostToday: Decimal | undefined
}

/** How a bot is disarmed. */
export interface Leave {
  readonly close: boolean
  readonly forget: boolean
}

/** Bots that begin and end to trade with real money. Each is to be done in a turn. */
export const make = (engineState: EngineState) => {
  const stand = Effect.fnUntraced(function* (strategy: Strategy) {
    const bot = engineState.copyOf(strategy)
    const context = (yield* engineState.present)(bot)
    const { state } = bot.record
    return { state, lostToday: lostToday(context, state) } satisfies Stand
  })

  const arm = Effect.fnUntraced(function* (
    strategy: Strategy,
    terms: ArmedTerms,
    twins: ReadonlyArray<ExchangeAccountId> = []
  ) {
    const now = yield* Clock.currentTimeMillis
    const bot = engineState.botOf(strategy, now)
    const { state } = bot.record
    const { live } = state
    if (!isFlat(state) || live !== undefined || bot.held.size > 0)
      return yield* new StrategyBusy({ isLive: live !== undefined })
    const begun = armed(state, terms, yield* tag, now, twins)
    const context = (yield* engineState.present)(bot)
    engineState.engine.safely(bot, () => {
      engineState.engine.begin(bot, begun, now, ...(begun.live === undefined ? [] : [armedNote(begun.live)]))
      engineState.engine.look(bot, context)
    })
    yield* engineState.settle()
    // Whatever went wrong meanwhile was told: that it is armed is only said of one that is.
    if (bot.record.state.live?.tag !== begun.live?.tag) return yield* new StrategyBusy()
  })

  const disarm = Effect.fnUntraced(function* (strategy: Strategy, { close, forget }: Leave) {
    const bot = Option.getOrUndefined(engineState.roster.get(strategy.id))
    if (bot === undefined) return
    const context = (yield* engineState.present)(bot)
    engineState.engine.safely(bot, () => {
      // The owner wants out: that is as good as new settings.
      engineState.engine.readmit(bot, context)
      engineState.engine.tell(bot, { _tag: "Disarmed", close, forget }, context)
      engineState.engine.retry(bot, context)
    })
    yield* engineState.settle()
  })

  return { stand, arm, disarm }
}

/** What tells a period's orders from those of any other, wherever they were made: 64 bits. */
const tag = Effect.map(
  Effect.all(Array.from({ length: 4 }, () => Random.nextIntBetween(0, 0x1_00_00))),
  (parts) => parts.map((part) => part.toString(16).padStart(4, "0")).join("")
)
