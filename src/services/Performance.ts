import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type { Decimal } from "../domain/Decimal.ts"
import type { Summary } from "../domain/Performance.ts"
import type { Trade } from "../domain/Trade.ts"
import { add, begin, summary, type Tally } from "../trading/Performance.ts"

/** A figure of your own, read from what is kept of a strategy's trades and seen from today (ms); null is none. */
export type Figure = (tally: Tally, today: number) => number | null

/**
 * How strategies are measured. Add figures of your own, or replace it; its cost is paid with each trade.
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
    /** Before the first trade: the starting balance, and when the strategy was made (ms). */
    readonly begin: (starting: Decimal, createdAt: number) => Tally
    /** With one more completed trade; trades come in order of completion. */
    readonly add: (tally: Tally, trade: Trade) => Tally
    /** The figures as shown, seen from today (ms). */
    readonly summary: (tally: Tally, today: number) => Summary
  }
>() {
  /** The figures of the interface, and by name some of your own: they are shown as the summary's `figures`. */
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
