// The service that measures strategies: a tally grows with each trade, and a summary is computed from it. Embedders add
// figures of their own.
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type { Decimal } from "../domain/Decimal.ts"
import type { Summary } from "../domain/Performance.ts"
import type { Trade } from "../domain/Trade.ts"
import { add, begin, summary, type Tally } from "../trading/Performance.ts"

/** A figure of your own, computed from a strategy's tally as of today (ms); null where there is none. */
export type Figure = (tally: Tally, today: number) => number | null

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
  }
>() {
  /** The standard figures, and by name some of your own, shown as the summary's `figures`. */
  static readonly with = (figures: Readonly<Record<string, Figure>>) =>
    Layer.succeed(Performance, {
      begin,
      add,
      summary: (tally, today) => ({
        ...summary(tally, today),
        figures: Record.map(figures, (figure) => figure(tally, today))
      })
    })

  static readonly layer = Layer.succeed(Performance, { begin, add, summary })
}
