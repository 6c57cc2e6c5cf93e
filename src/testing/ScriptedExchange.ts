// An exchange that follows a script, for tests: it can lose orders or responses, fill in parts, reject, and stay
// silent.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decimal from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order } from "../domain/Order.ts"
import { Exchange, Report, type Ticket } from "../services/Exchange.ts"
import { type Placed, Venue } from "./Venue.ts"

/** A future fill: the share of the order (0 to 1), the delay after its arrival, and the price if not the order's. */
export interface Part {
  readonly share: number
  readonly afterMs?: number
  readonly price?: number
}

/** The script of one order. By default it fills at once. */
export interface Act {
  /** The fills; by default one for the whole order. */
  readonly fills?: ReadonlyArray<Part>
  /** The end of the rest after the last fill; `filled` also corrects shares that do not add up to 1. */
  readonly rest?: "filled" | "cancelled" | "open"
  /** Accept the order and then reject it, for this reason. */
  readonly rejected?: string
  /** Lose the request: no order is placed. */
  readonly lost?: boolean
  /** The response to the sender: a report, `unknown`, or none ever. */
  readonly answer?: "report" | "unknown" | "never"
  /** How long (ms) a query cannot find the order. */
  readonly hiddenMs?: number
  /** Every report repeats the first fill. */
  readonly repeated?: boolean
  /** This many reports lack the last fill. */
  readonly late?: number
}

/** Fills whole, at the order's price or at this one. */
export const fills = (price?: number): Act => ({
  fills: [{ share: 1, ...(price === undefined ? {} : { price }) }]
})

/** Fills in equal parts at intervals (ms), the first at once. */
export const fillsInParts = (parts: number, everyMs = 1000): Act => ({
  fills: Array.from({ length: parts }, (_, index) => ({ share: 1 / parts, afterMs: index * everyMs }))
})

/** Fills a share (0 to 1) and cancels the rest. */
export const fillsPartly = (share: number): Act => ({ fills: [{ share }], rest: "cancelled" })

/** Accepts the order and keeps it open until `fill` or `cancel` is called. */
export const accepts: Act = { fills: [], rest: "open" }

/** Rejects the order for good. */
export const rejects = (reason = "not enough funds"): Act => ({ rejected: reason })

/** Loses the request; the sender gets no certain response. */
export const losesOrder: Act = { lost: true, answer: "unknown" }

/** Fills the order and loses the response; a query finds it. */
export const losesAnswer: Act = { answer: "unknown" }

/** Fills the order and never responds to the sender. */
export const neverAnswers: Act = { answer: "never" }

/** The order cannot be found at first, and then appears filled. */
export const appearsAfter = (ms: number): Act => ({ answer: "unknown", hiddenMs: ms })

/** Fills in two parts; reports repeat the first and delay the second. */
export const tellsBadly: Act = { ...fillsInParts(2, 0), late: 1, repeated: true }

/**
 * An exchange under a test's control. Its time is the caller's. A protective stop rests until it is cancelled or
 * `fill` is called.
 */
export interface ScriptedExchange {
  readonly layer: Layer.Layer<Exchange>
  /** The scripts of the next orders, sorted by arrival; afterwards every order fills. */
  readonly next: (...acts: ReadonlyArray<Act>) => void
  /** Rejects every request unseen, as after too many requests, until it is called with false. */
  readonly refuseAll: (isRefusing: boolean) => void
  /** Every order sent, including lost and rejected ones, sorted by arrival. */
  readonly sent: ReadonlyArray<Order>
  /** Every cancellation request, including repeats. */
  readonly takenBack: ReadonlyArray<Order>
  /** Holds cancellation requests without a response until it is called with false. */
  readonly keepAll: (isKeeping: boolean) => void
  /** All fills of an order so far. */
  readonly fillsOf: (order: Order) => ReadonlyArray<Fill>
  /** Fills the rest of an open order, at its own price unless one is given. */
  readonly fill: (order: Order, price?: number) => Effect.Effect<void>
  /** Cancels the rest of an open order. */
  readonly cancel: (order: Order) => Effect.Effect<void>
}

/**
 * An exchange with a script of faults.
 *
 * @example
 * ```ts
 * import { ScriptedExchange } from "signalbox/testing"
 *
 * const exchange = ScriptedExchange.make()
 * exchange.next(ScriptedExchange.losesAnswer, ScriptedExchange.rejects("not enough funds"))
 * // TestServer.run({ exchange: exchange.layer }, (server) => ...)
 * ```
 */
export const make = (...script: ReadonlyArray<Act>): ScriptedExchange => {
  const venue = new Venue()
  const acts = [...script]
  const taken = new Map<Placed, Progress>()
  const sent: Array<Order> = []
  const takenBack: Array<Order> = []
  let isRefusing = false
  let isKeeping = false

  const submit = (ticket: Ticket<Order>, now: number): Effect.Effect<Report> => {
    const order = ticket.order.id
    sent.push(ticket.order)
    if (isRefusing) return Effect.succeed(Report.Rejected({ order, reason: "too many requests" }))
    const known = venue.orders.has(order)
    const act = known ? {} : (acts.shift() ?? (ticket.order.type === "stop" ? accepts : {}))
    if (!known && act.lost !== true) {
      const placed = venue.place(ticket, now + (act.hiddenMs ?? 0))
      if (placed !== undefined) taken.set(placed, { act, at: now, done: 0, reportedCount: 0 })
    }
    if (act.answer === "never") return Effect.never
    return Effect.succeed(
      act.answer === "unknown" ? Report.Unknown({ order }) : report(order, now, { isAtHome: true })
    )
  }

  const report = (order: Order["id"], now: number, { isAtHome }: { isAtHome: boolean }): Report => {
    const [placed] = venue.orders.get(order) ?? []
    const progress = placed === undefined ? undefined : taken.get(placed)
    if (placed === undefined || progress === undefined) return Report.Missing({ order })
    goOn(venue, placed, progress, now)
    const isLate = placed.fills.length > 0 && progress.reportedCount < (progress.act.late ?? 0)
    if (isLate) progress.reportedCount++
    return venue.report(order, now, { isAtHome, isLate, isRepeated: progress.act.repeated === true })
  }

  const end = (order: Order, status: "filled" | "cancelled", price = order.price) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      for (const placed of venue.orders.get(order.id) ?? []) {
        if (placed.status !== "open") continue
        if (status === "filled") venue.fill(placed, leftOf(placed), price, now)
        placed.status = status
      }
    })

  const takeBack = ({ order }: Ticket<Order>): Effect.Effect<Report> =>
    Effect.suspend(() => {
      takenBack.push(order)
      if (isKeeping || isRefusing) return Effect.succeed(Report.Unknown({ order: order.id }))
      // The part that has filled by now can no longer be cancelled.
      return Effect.zipRight(
        reportOf(order, true),
        Effect.zipRight(end(order, "cancelled"), reportOf(order, true))
      )
    })
  const reportOf = (order: Order, isAtHome: boolean) =>
    Effect.map(Clock.currentTimeMillis, (now) => report(order.id, now, { isAtHome }))

  return {
    layer: Layer.succeed(Exchange, {
      submit: (ticket) => Effect.flatMap(Clock.currentTimeMillis, (now) => submit(ticket, now)),
      lookup: ({ order }) =>
        Effect.suspend(() =>
          isRefusing ? Effect.succeed(Report.Unknown({ order: order.id })) : reportOf(order, false)
        ),
      cancel: takeBack
    }),
    next: (...more) => void acts.push(...more),
    refuseAll: (refuses) => {
      isRefusing = refuses
    },
    sent,
    takenBack,
    keepAll: (keeps) => {
      isKeeping = keeps
    },
    fillsOf: ({ id }) => venue.fillsOf(id),
    fill: (order, price) => end(order, "filled", price),
    cancel: (order) => end(order, "cancelled")
  }
}

/** An order's progress: start, parts filled, reports delayed. */
interface Progress {
  readonly act: Act
  readonly at: number
  done: number
  reportedCount: number
}

const leftOf = ({ fills, ticket }: Placed) =>
  Decimal.subtract(ticket.order.quantity, Decimal.sum(fills.map(({ quantity }) => quantity)))

/** Brings an order up to date. */
const goOn = (venue: Venue, placed: Placed, progress: Progress, now: number): void => {
  const { act, at } = progress
  if (placed.status !== "open") return
  if (act.rejected !== undefined) {
    placed.status = "rejected"
    placed.reason = act.rejected
    return
  }
  const { order } = placed.ticket
  const parts = act.fills ?? [{ share: 1 }]
  const rest = act.rest ?? "filled"
  for (const { afterMs = 0, price = order.price, share } of parts.slice(progress.done)) {
    if (at + afterMs > now) return
    progress.done++
    const isLast = progress.done === parts.length && rest === "filled"
    const part = Decimal.round(Decimal.multiply(order.quantity, Decimal.fromNumber(share)), 8)
    venue.fill(placed, isLast ? leftOf(placed) : part, price, at + afterMs)
  }
  if (rest !== "open") placed.status = rest
}
