// Reads the bots' unfinished work from disk (held alerts, unsettled orders): at the start for all of them, later for
// one whose last steps were refused.
import * as Effect from "effect/Effect"
import type { OrderId, OrderStatus } from "../../../domain/Order.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { Journal } from "../../Journal.ts"
import { type Beginning, Portfolio } from "../../Portfolio.ts"
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

/** Makes the reads: of the rows that an engine begins with, and of a single strategy. */
export const make = Effect.gen(function* () {
  const portfolio = yield* Portfolio
  const journal = yield* Journal

  const unsettled = Effect.fnUntraced(function* (rows: Beginning["unsettled"]) {
    const found: Array<Unsettled> = []
    for (const { order, status, strategy } of rows) {
      const fills = status === "partly_filled" ? yield* portfolio.fills(strategy) : []
      const own = fills.filter((fill) => fill.order === order.id).map(({ id }) => id)
      found.push({ strategy, order: order.id, status, fills: own })
    }
    return found
  })

  const waiting = Effect.fnUntraced(function* (rows: Beginning["waiting"]) {
    const alerts = new Map(
      (yield* journal.among(rows.map(({ alert }) => alert))).map((alert) => [alert.id, alert])
    )
    return rows.flatMap(({ alert: id, since, strategy }): ReadonlyArray<Kept> => {
      const alert = alerts.get(id)
      // Alerts are deleted after a while; a held alert without its row is dropped.
      return alert === undefined ? [] : [{ strategy, held: { alert, since } }]
    })
  })

  const ownBy =
    <A extends { readonly strategy: StrategyId }>(only: StrategyId) =>
    (rows: ReadonlyArray<A>) =>
      rows.filter(({ strategy }) => strategy === only)
  return {
    unsettled,
    waiting,
    unsettledOf: (only: StrategyId) =>
      Effect.flatMap(Effect.map(portfolio.unsettled, ownBy(only)), unsettled),
    waitingOf: (only: StrategyId) => Effect.flatMap(Effect.map(portfolio.waiting, ownBy(only)), waiting),
    alerts: journal.among
  }
})
