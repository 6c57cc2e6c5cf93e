// Figures of your own with a state of their own: each folds over the closed trades, is kept up with every trade, and is
// folded anew at the next start when its version is raised. A figure that fails is null, and harms nothing else.
import assert from "node:assert/strict"
import { Effect, Schema } from "effect"
import { Memory, Performance } from "signalbox"
import * as Decimal from "signalbox/domain/Decimal"
import { fold } from "signalbox/trading/FoldingFigure"
import { trade } from "./lib/trader.ts"

/** The longest row of trades that won. */
const winningStreak = fold({
  version: 1,
  state: Schema.Struct({ now: Schema.Int, longest: Schema.Int }),
  initial: { now: 0, longest: 0 },
  step: ({ longest, now }, { pnl }) => {
    const wins = Decimal.isPositive(pnl) ? now + 1 : 0
    return { now: wins, longest: Math.max(longest, wins) }
  },
  value: ({ longest }) => longest
})

/** The mean quantity of a trade: before the first one that is 0 / 0, which is shown as null. */
const meanQuantity = fold({
  version: 1,
  state: Schema.Struct({ count: Schema.Int, sum: Decimal.Text }),
  initial: { count: 0, sum: Decimal.zero },
  step: ({ count, sum }, { quantity }) => ({ count: count + 1, sum: Decimal.add(sum, quantity) }),
  value: ({ count, sum }) => Decimal.toNumber(sum) / count
})

const server = Memory.layerWith(
  Performance.with({ winning_streak: winningStreak, mean_quantity: meanQuantity })
)

const { performance } = await Effect.runPromise(trade(60_000, 61_000).pipe(Effect.provide(server)))
assert.equal(performance.extra?.["winning_streak"], 1)
assert.ok((performance.extra?.["mean_quantity"] ?? 0) > 0)
console.log(`folded figures: ${JSON.stringify(performance.extra)}`)
