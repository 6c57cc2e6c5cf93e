// The service that measures strategies: a tally grows with each trade, and a summary is computed from it. Embedders add
// figures of their own, computed from the tally or folded over the trades.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { Decimal } from "../domain/Decimal.ts"
import type { Summary } from "../domain/Performance.ts"
import type { Trade } from "../domain/Trade.ts"
import type { FoldingFigure } from "../trading/FoldingFigure.ts"
import { type Figure, OwnFigures, type Rebuilding } from "../trading/OwnFigures.ts"
import { add, begin, summary, type Tally } from "../trading/Performance.ts"

export type { Figure } from "../trading/OwnFigures.ts"

/**
 * Measures strategies. Add figures of your own, or replace it; it runs with each trade.
 *
 * @example
 * ```ts
 * import { Memory, Performance } from "signalbox"
 *
 * const perDay = Performance.with({
 *   trades_per_day: ({ count, createdAt }, today) => count / Math.max(1, (today - createdAt) / 86_400_000)
 * })
 * const server = Memory.layerWith(perDay)
 * ```
 */
export class Performance extends Context.Tag("signalbox/services/Performance")<
  Performance,
  {
    /** The tally before the first trade: the starting balance, and when the strategy was created (ms). */
    readonly begin: (starting: Decimal, createdAt: number) => Tally
    /** Adds a closed trade; trades come in the sequence of closing. */
    readonly add: (tally: Tally, trade: Trade) => Tally
    /** Computes the figures as of today (ms). */
    readonly summary: (tally: Tally, today: number) => Summary
    /**
     * For the engine's start: takes all trades of the tally's period anew where a figure lacks some or has another
     * version; undefined where none does. Absent where no figure has a state of its own.
     */
    readonly rebuilding?: (tally: Tally) => Rebuilding | undefined
  }
>() {
  /**
   * The standard figures, and by name some of your own, shown as `performance.extra`: a function of the tally, or a
   * `fold` over the trades. A figure that is not finite is null. So is one that throws, which is logged, once; the
   * others and the trading go on. A figure that failed at a trade is folded anew at the next start.
   */
  static readonly with = (figures: Readonly<Record<string, Figure | FoldingFigure>>) =>
    Layer.effect(
      Performance,
      Effect.map(Effect.runtime<never>(), (runtime) => {
        const run = Runtime.runFork(runtime)
        const own = new OwnFigures(figures, (name, error) => {
          run(Effect.logError(`the own figure ${name} failed, and is null where it did`, error))
        })
        return {
          begin: (starting, createdAt) => own.begin(begin(starting, createdAt)),
          add: (tally, trade) => own.add(tally, add(tally, trade), trade),
          summary: (tally, today) => ({ ...summary(tally, today), figures: own.values(tally, today) }),
          ...(own.areFolding ? { rebuilding: (tally) => own.rebuilding(tally) } : {})
        }
      })
    )

  static readonly layer = Layer.succeed(Performance, { begin, add, summary })
}
