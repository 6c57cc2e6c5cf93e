// Reads the bots' unfinished work from disk (held alerts, unsettled orders): at the start for all of them, later for
// one whose last steps were refused.
import * as Effect from "effect/Effect"
import type { OrderId, OrderStatus } from "../../../domain/Order.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { Journal } from "../../Journal.ts"
import { Portfolio } from "../../Portfolio.ts"
import type { HeldAlert } from "../alerts/HeldAlerts.ts"

/** An order whose end is unknown, with the ids of its fills on disk. */
export interface Unsettled {
  readonly strategy: StrategyId
  readonly order: OrderId
  readonly status: OrderStatus
  readonly fills: ReadonlyArray<string>
}

/** An alert that a strategy holds. */
export interface Kept {
  readonly strategy: StrategyId
  readonly held: HeldAlert
}

/** Makes the reads. With `only`, they read a single strategy. */
export const make = Effect.gen(function* () {
  const portfolio = yield* Portfolio
  const journal = yield* Journal

  const unsettled = Effect.fnUntraced(function* (only?: StrategyId) {
    const found: Array<Unsettled> = []
    for (const { order, status, strategy } of yield* portfolio.unsettled) {
      if (only !== undefined && only !== strategy) continue
      const fills = status === "partly_filled" ? yield* portfolio.fills(strategy) : []
      const own = fills.filter((fill) => fill.order === order.id).map(({ id }) => id)
      found.push({ strategy, order: order.id, status, fills: own })
    }
    return found
  })

  const waiting = Effect.fnUntraced(function* (only?: StrategyId) {
    const rows = (yield* portfolio.waiting).filter(({ strategy }) => only === undefined || only === strategy)
    const alerts = new Map(
      (yield* journal.among(rows.map(({ alert }) => alert))).map((alert) => [alert.id, alert])
    )
    return rows.flatMap(({ alert: id, since, strategy }): ReadonlyArray<Kept> => {
      const alert = alerts.get(id)
      // Alerts are deleted after a while; a held alert without its row is dropped.
      return alert === undefined ? [] : [{ strategy, held: { alert, since } }]
    })
  })

  return { unsettled, waiting, alerts: journal.among }
})
