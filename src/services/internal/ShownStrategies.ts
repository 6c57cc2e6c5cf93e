// Strategies as they are answered: with their performance, and the fees of their exchange where they have none.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { performanceOf } from "../../domain/Performance.ts"
import { view } from "../../domain/requests/StrategyRequest.ts"
import type { FullView } from "../../domain/requests/StrategyView.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Markets } from "../Markets.ts"
import { Performance } from "../Performance.ts"
import { Portfolio } from "../Portfolio.ts"

/** Makes the views of strategies, in their sequence. `paper`: the starting balances of those without a bot. */
export const make = Effect.fnUntraced(function* (paper: StartingBalances) {
  const markets = yield* Markets
  const portfolio = yield* Portfolio
  const performance = yield* Performance

  return Effect.fnUntraced(function* (strategies: ReadonlyArray<Strategy>) {
    const tallies = yield* portfolio.tallies(strategies.map(({ id }) => id))
    const catalogue = yield* markets.catalogue
    const now = yield* Clock.currentTimeMillis
    return strategies.map((strategy): FullView => {
      const { defaultExchange, quote } = strategy.settings
      const { makerFeePercent, takerFeePercent } = catalogue.exchange(defaultExchange)
      const fees = {
        makerFeePercent: Decimal.toNumber(makerFeePercent),
        takerFeePercent: Decimal.toNumber(takerFeePercent)
      }
      const starting = startingBalanceOf(paper, quote)
      const tally = tallies.get(strategy.id) ?? performance.begin(starting, strategy.createdAt * 1000)
      return view(strategy, fees, performanceOf(performance.summary(tally, now)))
    })
  })
})
