// Limits how long an exchange may take to answer about one order. An exchange that fails or stays silent yields
// `Unknown`, never a guess.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { OrderId } from "../../../domain/Order.ts"
import { Report } from "../../Exchange.ts"

/** How long an exchange may take to answer (ms). */
const ANSWER_MS = 10_000

/**
 * An exchange that throws, or that interrupts itself, has not said what became of the order: that is `Unknown`. Where the
 * request is interrupted from outside, by the time limit or at shutdown, no handler runs.
 */
export const failuresAsUnknown = (request: Effect.Effect<Report>, order: OrderId): Effect.Effect<Report> =>
  Effect.catchAllCause(request, (cause) =>
    Effect.as(Effect.logError("an exchange failed without a report", cause), Report.Unknown({ order }))
  )

/** An exchange that does not answer in time leaves the order `Unknown` as well. */
export const withinLimit = (fiber: Fiber.Fiber<Report>, order: OrderId): Effect.Effect<Report> =>
  Effect.timeoutTo(Effect.interruptible(Fiber.join(fiber)), {
    duration: ANSWER_MS,
    onTimeout: () => Effect.as(Fiber.interruptFork(fiber), Report.Unknown({ order })),
    onSuccess: (report) => Effect.succeed(report)
  }).pipe(Effect.flatten)

/** Runs a request within the time limit. */
export const requestReport = (
  request: Effect.Effect<Report>,
  order: OrderId,
  scope: Scope.Scope
): Effect.Effect<Report> =>
  Effect.flatMap(Effect.forkIn(Effect.interruptible(failuresAsUnknown(request, order)), scope), (fiber) =>
    withinLimit(fiber, order)
  )
