import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Order, OrderId } from "../../../domain/Order.ts"
import { type Exchange, Report, type Ticket } from "../../Exchange.ts"

/** How long an exchange may take to answer. */
const ANSWER_MS = 10_000

/** An exchange that fails without a report has not told what became of the order. */
export const soundly = (asked: Effect.Effect<Report>, order: OrderId): Effect.Effect<Report> =>
  Effect.catchAllDefect(asked, (cause) =>
    Effect.as(
      Effect.logError("an exchange failed without a report", Cause.die(cause)),
      Report.Unknown({ order })
    )
  )

/** Nor has one that does not answer. */
export const inGoodTime = (asking: Fiber.Fiber<Report>, order: OrderId): Effect.Effect<Report> =>
  Effect.timeoutTo(Effect.interruptible(Fiber.join(asking)), {
    duration: ANSWER_MS,
    onTimeout: () => Effect.as(Fiber.interruptFork(asking), Report.Unknown({ order })),
    onSuccess: (report) => Effect.succeed(report)
  }).pipe(Effect.flatten)

/** Asks, for as long as an answer may take. */
export const asked = (
  asking: Effect.Effect<Report>,
  order: OrderId,
  scope: Scope.Scope
): Effect.Effect<Report> =>
  Effect.flatMap(Effect.forkIn(Effect.interruptible(soundly(asking, order)), scope), (fiber) =>
    inGoodTime(fiber, order)
  )

/** Takes an order back; where nothing rests, what became of it is all there is to ask. */
export const takenBack = (
  { cancel, lookup }: typeof Exchange.Service,
  ticket: Ticket<Order>
): Effect.Effect<Report> => (cancel ?? lookup)(ticket)
