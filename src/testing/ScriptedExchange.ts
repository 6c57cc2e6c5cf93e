import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decimal from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order } from "../domain/Order.ts"
import { Exchange, Report, type Ticket } from "../services/Exchange.ts"
import { type Placed, Venue } from "./Venue.ts"

/** A fill to come: which share of the order (0 to 1), how long after its arrival, and at what price but its own. */
export interface Part {
  readonly share: number
  readonly afterMs?: number
  readonly price?: number
}

/** What an exchange does with one order. All that is left out goes well. */
export interface Act {
  /** The fills to come; the whole of it at once unless given. */
  readonly fills?: ReadonlyArray<Part>
  /** What becomes of the rest after the last fill; `filled` also makes up for shares that do not add up to 1. */
  readonly rest?: "filled" | "cancelled" | "open"
  /** It is taken and turned down, for this reason. */
  readonly rejected?: string
  /** The request never gets there: nothing is placed. */
  readonly lost?: boolean
  /** What the one who sent it hears: what became of it, that nobody knows, or nothing ever. */
  readonly answer?: "report" | "unknown" | "never"
  /** For how long (ms) it cannot be found by those who ask about it. */
  readonly hiddenMs?: number
  /** Every report tells the first fill twice. */
  readonly repeated?: boolean
  /** So many reports come without the last fill. */
  readonly late?: number
}

/** It fills whole, at the price that it was decided at or at this one. */
export const fills = (price?: number): Act => ({
  fills: [{ share: 1, ...(price === undefined ? {} : { price }) }]
})

/** It fills in so many equal parts, one each so often (ms), the first at once. */
export const fillsInParts = (parts: number, everyMs = 1000): Act => ({
  fills: Array.from({ length: parts }, (_, index) => ({ share: 1 / parts, afterMs: index * everyMs }))
})

/** A share of it fills (0 to 1), and the rest is cancelled. */
export const fillsPartly = (share: number): Act => ({ fills: [{ share }], rest: "cancelled" })

/** It is taken, and stays open until `fill` or `cancel` is called. */
export const accepts: Act = { fills: [], rest: "open" }

/** It is turned down for good. */
export const rejects = (reason = "not enough funds"): Act => ({ rejected: reason })

/** It is lost on its way, and whoever sent it cannot know. */
export const losesOrder: Act = { lost: true, answer: "unknown" }

/** It fills, and the answer is lost: found by whoever asks about it. */
export const losesAnswer: Act = { answer: "unknown" }

/** It fills, and no answer ever comes to the one who sent it. */
export const neverAnswers: Act = { answer: "never" }

/** Nobody knows of it, then it appears, filled. */
export const appearsAfter = (ms: number): Act => ({ answer: "unknown", hiddenMs: ms })

/** It fills in two parts, of which the second is told late, and the first again and again. */
export const tellsBadly: Act = { ...fillsInParts(2, 0), late: 1, repeated: true }

/**
 * An exchange that does as it is told, for tests. Its time is that of whoever asks it. A protective stop rests there
 * until it is taken back, or until `fill` says that its price has come.
 */
export interface ScriptedExchange {
  readonly layer: Layer.Layer<Exchange>
  /** What it does with the next orders, in the order of their arrival; once these are used up, all goes well. */
  readonly next: (...acts: ReadonlyArray<Act>) => void
  /** Turns away everything without looking at it, as after too many requests, until it is called with false. */
  readonly refuseAll: (isRefusing: boolean) => void
  /** Every order that was sent to it, also those that were lost or turned away, in the order of arrival. */
  readonly sent: ReadonlyArray<Order>
  /** Every order that it was asked to take back, as often as it was. */
  readonly takenBack: ReadonlyArray<Order>
  /** Keeps what it is asked to take back, and does not answer, until it is called with false. */
  readonly keepAll: (isKeeping: boolean) => void
  /** All fills of an order so far. */
  readonly fillsOf: (order: Order) => ReadonlyArray<Fill>
  /** Fills what is left of an order that is open, at its own price unless one is given. */
  readonly fill: (order: Order, price?: number) => Effect.Effect<void>
  /** Cancels what is left of an order that is open. */
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
      if (placed !== undefined) taken.set(placed, { act, at: now, done: 0, told: 0 })
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
    const isLate = placed.fills.length > 0 && progress.told < (progress.act.late ?? 0)
    if (isLate) progress.told++
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
      // What has filled by now is no longer there to be cancelled.
      return Effect.zipRight(told(order, true), Effect.zipRight(end(order, "cancelled"), told(order, true)))
    })
  const told = (order: Order, isAtHome: boolean) =>
    Effect.map(Clock.currentTimeMillis, (now) => report(order.id, now, { isAtHome }))

  return {
    layer: Layer.succeed(Exchange, {
      submit: (ticket) => Effect.flatMap(Clock.currentTimeMillis, (now) => submit(ticket, now)),
      lookup: ({ order }) =>
        Effect.suspend(() =>
          isRefusing ? Effect.succeed(Report.Unknown({ order: order.id })) : told(order, false)
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

/** How far an order has come: since when, how many parts have filled, how many reports were late. */
interface Progress {
  readonly act: Act
  readonly at: number
  done: number
  told: number
}

const leftOf = ({ fills, ticket }: Placed) =>
  Decimal.subtract(ticket.order.quantity, Decimal.sum(fills.map(({ quantity }) => quantity)))

/** What has happened to an order until now. */
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
