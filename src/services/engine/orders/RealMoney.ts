// Arms and disarms bots: starts and ends trading with real money. A bot is armed only when it is flat, and reported as
// armed only once that is on disk.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { ArmedTerms, ExchangeAccountId } from "../../../domain/Arming.ts"
import type { BotState } from "../../../domain/Bot.ts"
import type { Decimal } from "../../../domain/Decimal.ts"
import { type Strategy, StrategyBusy } from "../../../domain/Strategy.ts"
import { isFlat } from "../../../trading/Bot.ts"
import { armed, armedNote } from "../../../trading/LiveSwitch.ts"
import { lostToday } from "../../../trading/rules/DailyLoss.ts"
import type { EngineState } from "../EngineState.ts"

/** A bot's state now, and the loss of its day so far where it can be computed. */
export interface Stand {
  readonly state: BotState
  readonly lostToday: Decimal | undefined
}

/** How to disarm a bot: `close` its positions, or `forget` them. */
export interface Leave {
  readonly close: boolean
  readonly forget: boolean
}

/** Makes the three. Run each in a turn. */
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
    const newState = armed(state, terms, now, { tag: yield* tag, twins })
    const context = (yield* engineState.present)(bot)
    engineState.engine.faults.attempt(bot, () => {
      engineState.engine.periods.begin(
        bot,
        newState,
        now,
        ...(newState.live === undefined ? [] : [armedNote(newState.live)])
      )
      engineState.engine.adoption.updateWatch(bot, context)
    })
    yield* engineState.settle()
    // Report success only after the bot is armed; errors were logged already.
    if (bot.record.state.live?.tag !== newState.live?.tag) return yield* new StrategyBusy()
  })

  const disarm = Effect.fnUntraced(function* (strategy: Strategy, { close, forget }: Leave) {
    const bot = Option.getOrUndefined(engineState.roster.get(strategy.id))
    if (bot === undefined) return
    const context = (yield* engineState.present)(bot)
    engineState.engine.faults.attempt(bot, () => {
      // Disarming ends being set aside, like new settings.
      engineState.engine.aside.readmit(bot, context)
      engineState.engine.adoption.handle(bot, { _tag: "Disarmed", close, forget }, context)
      engineState.engine.held.retry(bot, context)
    })
    yield* engineState.settle()
  })

  return { stand, arm, disarm }
}

/** 64 random bits that tell the orders of this period from those of any other, on any server. */
const tag = Effect.map(
  Effect.all(Array.from({ length: 4 }, () => Random.nextIntBetween(0, 0x1_00_00))),
  (parts) => parts.map((part) => part.toString(16).padStart(4, "0")).join("")
)
