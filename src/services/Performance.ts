import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Decimal } from "../domain/Decimal.ts"
import type { Summary } from "../domain/Performance.ts"
import type { Trade } from "../domain/Trade.ts"
import { add, begin, summary, type Tally } from "../trading/Performance.ts"

/** How strategies are measured. Replace it to have figures of your own; its cost is paid with each trade. */
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
  static readonly layer = Layer.succeed(Performance, { begin, add, summary })
}
