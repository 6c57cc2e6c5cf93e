// The use case of a strategy's figures: of equity marked to the market and of completed trades, in its current period,
// with the curve. Both are kept up as they happen, and only read here.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { EquityFigures, EquityPoint } from "../../domain/equity/EquityFigures.ts"
import type { Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import * as Figures from "../../trading/equity/Figures.ts"
import * as HoldBasket from "../../trading/equity/HoldBasket.ts"
import * as Tracking from "../../trading/equity/Tracking.ts"
import { Bots } from "../Bots.ts"
import type { BotSnapshot } from "../engine/prices/BotSnapshots.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { EquityHistory } from "./EquityHistory.ts"

/** Figures and curve; times in seconds. */
export interface FiguresAndCurve {
  readonly figures: EquityFigures
  readonly points: ReadonlyArray<EquityPoint>
}

/** Reads figures of the caller's own strategies. */
export class StrategyFigures extends Context.Tag("signalbox/services/equity/StrategyFigures")<
  StrategyFigures,
  {
    /** Reads the current period, with at most so many points; before its first sample the curve has one. */
    readonly get: (
      account: AccountId,
      id: number,
      points: number
    ) => Effect.Effect<FiguresAndCurve, StrategyNotFound>
  }
>() {
  static readonly layer = (options: Options) => Layer.effect(StrategyFigures, make(options))
}

/** The starting balance on paper, by currency. */
export interface Options {
  readonly paper: StartingBalances
}

const make = Effect.fnUntraced(function* ({ paper }: Options) {
  const store = yield* StrategyStore
  const bots = yield* Bots
  const history = yield* EquityHistory

  const beginningOf = ({ createdAt, settings }: Strategy, standing: BotSnapshot | undefined) =>
    standing === undefined
      ? {
          period: 1,
          currency: settings.quote,
          since: createdAt * 1000,
          starting: Decimal.toNumber(startingBalanceOf(paper, settings.quote))
        }
      : beginningWith(standing)

  const get = Effect.fn("StrategyFigures.get")(function* (account: AccountId, id: number, points: number) {
    const strategy = yield* store.get(account, id)
    const standing = (yield* bots.standings([strategy])).get(strategy.id)
    const beginning = beginningOf(strategy, standing)
    const latest = (yield* history.latest([strategy.id])).get(strategy.id)
    const tracked =
      latest !== undefined && Tracking.isOf(latest, beginning) ? latest : Tracking.begin(beginning)
    const { basket, currency, period, state } = tracked
    const groups = yield* history.groups(strategy.id, period)
    const hold = HoldBasket.worth(basket)
    const start: EquityPoint = [state.since, state.starting, 0, hold === null ? null : state.starting]
    const curve = [start, ...(yield* history.points(strategy.id, period))]
    return {
      figures: Figures.figuresOf({ currency, state, hold, groups }),
      points: Tracking.thinned(curve, points).map(Figures.pointInSeconds)
    }
  })

  return { get }
})

/** How the bot's current period began. */
export const beginningWith = ({ period, quote, tally }: BotSnapshot): Tracking.Beginning => ({
  period,
  currency: quote,
  since: tally.createdAt,
  starting: Decimal.toNumber(tally.starting)
})
