// What a life trades and by which settings: spot or a perpetual, with turns, steps, stops and added entries.
import type { MarketKind } from "../../../src/domain/Market.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"

/** The settings of a life's strategy, as requests name them, and whether its stop rests at the exchange. */
export interface Character {
  readonly kind: MarketKind
  readonly isProtected: boolean
  readonly settings: object
}

const STEPS = [
  [
    { profit_percent: 1, close_percent: 30 },
    { profit_percent: 2, close_percent: 30 },
    { profit_percent: 4, close_percent: 40 }
  ],
  [
    { profit_percent: 1.5, close_percent: 50 },
    { profit_percent: 3, close_percent: 25 }
  ]
] as const

export const characterOf = (kind: MarketKind, dice: SeededRandom): Character => {
  const isStopped = dice.chance(0.7)
  return {
    kind,
    isProtected: isStopped && dice.chance(0.8),
    settings: {
      max_entries: dice.pick([1, 3, 6] as const),
      ...(isStopped ? { stop_loss: true, stop_loss_percentage: dice.pick([3, 8] as const) } : {}),
      ...(dice.chance(0.6)
        ? { take_profit_steps: dice.pick(STEPS), break_even_after: dice.pick([1, 2] as const) }
        : { break_even_after: 1 }),
      ...(kind === "swap" ? { on_opposite: dice.pick(["close", "reverse", "reverse", null] as const) } : {})
    }
  }
}
