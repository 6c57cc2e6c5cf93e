// The spans of stored steps. Judging an alert is part of the alert's trace, and so are its orders and their fills,
// however much later. An order that a rule placed starts a trace of its own.
import { outcomeOf } from "../../../domain/Alert.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import type { Fill } from "../../../domain/Fill.ts"
import type { Order, OrderId, OrderStatus } from "../../../domain/Order.ts"
import type { Span, SpanId, Tracer } from "../../health/Tracing.ts"
import type { Step } from "../../Portfolio.ts"

/** An order traced since its intent was stored, and not ended yet. */
interface Traced {
  readonly id: SpanId
  readonly parent: SpanId | undefined
  readonly order: Order
  readonly startedAt: number
}

const ENDS: ReadonlySet<OrderStatus> = new Set(["filled", "cancelled", "rejected"])

/**
 * Makes the tracing of steps: `step` emits the spans of one whose commit began and ended at these times; `spanOf` is the
 * span of an order that has not ended.
 */
export const make = (tracer: Tracer) => {
  const open = new Map<OrderId, Traced>()

  const end = (step: Step, id: OrderId, status: OrderStatus, at: number): void => {
    const traced = open.get(id)
    if (traced === undefined) return
    open.delete(id)
    tracer.emit(orderSpan(step, traced, status, at))
  }

  const traced = (step: Step, startedAt: number, endedAt: number): void => {
    for (const outcome of step.outcomes) tracer.emit(judgingSpan(tracer, outcome, startedAt, endedAt))
    for (const order of step.orders) open.set(order.id, tracedOf(tracer, step, order, startedAt))
    for (const fill of step.fills)
      tracer.emit(fillSpan(tracer, step, fill, { at: endedAt, parent: open.get(fill.order)?.id }))
    for (const { order, status } of step.statuses) if (ENDS.has(status)) end(step, order, status, endedAt)
  }

  return { step: traced, spanOf: (order: OrderId): SpanId | undefined => open.get(order)?.id }
}

/** The judging of an alert by a strategy, within the alert's trace. */
const judgingSpan = (
  tracer: Tracer,
  { alertId, reason, strategyId }: Step["outcomes"][number],
  startedAt: number,
  endedAt: number
): Span => {
  const root = tracer.root("alert", alertId)
  return {
    id: tracer.within(root, "judge", strategyId),
    parent: root,
    name: "judge alert",
    kind: "internal",
    startedAt,
    endedAt,
    attributes: {
      "signalbox.alert.id": alertId,
      "signalbox.strategy.id": strategyId,
      "signalbox.outcome": outcomeOf(reason),
      "signalbox.reason": reason
    }
  }
}

/** The beginning of an order's span: within the trace of its alert, or in a trace of its own. */
const tracedOf = (tracer: Tracer, step: Step, order: Order, startedAt: number): Traced => {
  const alert = step.outcomes[0]?.alertId ?? order.alert
  if (alert === undefined) return { id: tracer.root("order", order.id), parent: undefined, order, startedAt }
  const root = tracer.root("alert", alert)
  return {
    id: tracer.within(root, "order", order.id),
    parent: tracer.within(root, "judge", step.bot.strategy),
    order,
    startedAt
  }
}

/** An order from the beginning of its commit to its end at the exchange. */
const orderSpan = (
  step: Step,
  { id, order, parent, startedAt }: Traced,
  status: OrderStatus,
  endedAt: number
): Span => ({
  id,
  ...(parent === undefined ? {} : { parent }),
  name: `order ${order.side}`,
  kind: "client",
  startedAt,
  endedAt,
  attributes: {
    "signalbox.strategy.id": step.bot.strategy,
    "signalbox.order.id": order.id,
    "signalbox.order.status": status,
    "signalbox.order.purpose": order.purpose,
    "signalbox.order.type": order.type,
    "signalbox.order.quantity": Decimal.toText(order.quantity),
    "signalbox.order.price": order.price,
    "signalbox.market": `${order.exchange} ${order.pair} ${order.kind}`,
    ...(order.exitReason === undefined ? {} : { "signalbox.order.exit_reason": order.exitReason })
  },
  ...(status === "rejected" ? { error: "the exchange rejected the order" } : {})
})

/** A fill, within its order; an order of an earlier run has no known span. */
const fillSpan = (
  tracer: Tracer,
  step: Step,
  fill: Fill,
  { at, parent }: { readonly at: number; readonly parent: SpanId | undefined }
): Span => ({
  id: parent === undefined ? tracer.root("fill", fill.id) : tracer.within(parent, "fill", fill.id),
  ...(parent === undefined ? {} : { parent }),
  name: "fill",
  kind: "internal",
  startedAt: at,
  endedAt: at,
  attributes: {
    "signalbox.strategy.id": step.bot.strategy,
    "signalbox.order.id": fill.order,
    "signalbox.fill.price": fill.price,
    "signalbox.fill.quantity": Decimal.toText(fill.quantity),
    "signalbox.fill.fee": Decimal.toText(fill.fee)
  }
})
