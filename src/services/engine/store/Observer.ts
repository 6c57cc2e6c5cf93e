// Counts, traces and logs every step, after it is on disk. Observation changes nothing: the decision is in the past by
// then.
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as EffectTracer from "effect/Tracer"
import { outcomeOf } from "../../../domain/Alert.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import type { OrderId } from "../../../domain/Order.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { type EngineReading, Meters } from "../../health/Meters.ts"
import { Tracing } from "../../health/Tracing.ts"
import type { Step } from "../../Portfolio.ts"
import type { BotEntry } from "../Roster.ts"
import type { Refused } from "./CommitRetry.ts"
import * as StepTracing from "./StepTracing.ts"

/** Makes the observer. It traces where a tracer is configured, and logs at level debug. */
export const make = Effect.gen(function* () {
  const { engine, now } = yield* Meters
  const { tracer } = yield* Tracing
  const level = yield* FiberRef.get(FiberRef.currentMinimumLogLevel)
  const isLogged = LogLevel.lessThanEqual(level, LogLevel.Debug)
  const trace = tracer === undefined ? undefined : StepTracing.make(tracer)

  const count = ({ fills, orders, outcomes, trades }: Step): void => {
    engine.steps++
    engine.fills += fills.length
    engine.trades += trades.length
    for (const { reason } of outcomes) engine.outcomes.add(reason)
    for (const { purpose } of orders) engine.orders.add(purpose)
  }

  return {
    now,
    /**
     * Observes the steps of one commit that began at `startedAt` (clock of the meters), without those of refused bots.
     */
    stored: (steps: ReadonlyArray<Step>, refused: Refused, startedAt: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        const endedAt = now()
        if (steps.length > 0) engine.seconds.observe((endedAt - startedAt) / 1000)
        const stored = refused.size === 0 ? steps : steps.filter(({ bot }) => !refused.has(bot.strategy))
        for (const step of stored) {
          count(step)
          trace?.step(step, startedAt, endedAt)
        }
        return isLogged ? Effect.forEach(stored, log, { discard: true }) : Effect.void
      }),
    /** Runs a request about an order with the order's span as parent, so that an exchange's spans join its trace. */
    within: <A>(order: OrderId, request: () => Effect.Effect<A>): Effect.Effect<A> =>
      Effect.suspend(() => {
        const span = trace?.spanOf(order)
        return span === undefined
          ? request()
          : Effect.withParentSpan(Effect.suspend(request), EffectTracer.externalSpan(span))
      })
  }
})

export type Observer = Effect.Effect.Success<typeof make>

/** Logs a line for each alert, order and fill of a step, with their ids. */
const log = ({ bot, fills, orders, outcomes }: Step): Effect.Effect<void> => {
  const strategy_id = bot.strategy
  const lines = [
    ...outcomes.map(({ alertId: alert_id, reason }) =>
      Effect.annotateLogs(Effect.logDebug(`alert ${outcomeOf(reason)}`), { strategy_id, alert_id, reason })
    ),
    ...orders.map(({ alert, exchange, id, kind, pair, purpose, quantity, side }) =>
      Effect.annotateLogs(Effect.logDebug(`order to ${side}`), {
        strategy_id,
        order_id: id,
        ...(alert === undefined ? {} : { alert_id: alert }),
        market: `${exchange} ${pair} ${kind}`,
        purpose,
        quantity: Decimal.toText(quantity)
      })
    ),
    ...fills.map(({ fee, order, price, quantity }) =>
      Effect.annotateLogs(Effect.logDebug("fill"), {
        strategy_id,
        order_id: order,
        price,
        quantity: Decimal.toText(quantity),
        fee: Decimal.toText(fee)
      })
    )
  ]
  return Effect.all(lines, { discard: true })
}

/** Counts over all bots, for the metrics. */
export const read = (bots: Iterable<BotEntry>, cursor: number, ordersUnknown: number): EngineReading => {
  const setAside: Array<StrategyId> = []
  const all = {
    bots: 0,
    armed: 0,
    positions: 0,
    ordersInFlight: 0,
    ordersUnknown,
    waitingAlerts: 0,
    setAside,
    cursor
  }
  for (const { held, record } of bots) {
    if (record.state.setAside !== undefined) setAside.push(record.strategy)
    all.bots++
    all.waitingAlerts += held.size
    if (record.state.live !== undefined) all.armed++
    for (const { order, position } of Object.values(record.state.slots)) {
      if (position !== undefined) all.positions++
      if (order !== undefined) all.ordersInFlight++
    }
  }
  return all
}
