// The registry of orders in flight: it passes only reports that are news, so that no fill counts twice. It also decides
// when an order that the exchange does not find counts as lost: it "never arrived" (`MISSING_MS`, `GONE_MS`).
import type { OrderId, OrderStatus } from "../../../domain/Order.ts"
import { Report } from "../../Exchange.ts"

/**
 * How long an exchange must report an order missing (ms) before we take it that the order never arrived. Longer than
 * any exchange hides a new order, and than any accepts a request after it was made (`validMs` in ccxt/expiry/Expiry.ts): whoever
 * sent the order before, and stood still, cannot place it any more. A new owner of the order counts anew.
 */
export const MISSING_MS = 60_000
/**
 * The same for an order that the exchange has reported before and that cannot rest (ms): exchanges forget orders
 * without fills, some within hours.
 */
export const GONE_MS = 600_000

/** The reports of an order so far. `missing`: since when the exchange does not find it (ms). */
interface Known {
  readonly lastReport?: "Accepted" | "Unknown" | "Filled"
  readonly fills: ReadonlySet<string>
  readonly missing?: number
}

const NOTHING: Known = { fills: new Set() }

/** The reports of each order in flight. Exchanges repeat reports, send them late, or report less than before. */
export class OrdersInFlight {
  readonly #known = new Map<OrderId, Known>()
  /** When the exchange was last asked about an order and answered (ms). */
  readonly #answeredAt = new Map<OrderId, number>()

  /** Registers an order of an earlier run, with the ids of its fills on disk. */
  recall(order: OrderId, status: OrderStatus, fills: ReadonlyArray<string>): void {
    const lastReport = REPORT_OF[status]
    if (lastReport !== undefined) this.#known.set(order, { lastReport, fills: new Set(fills) })
  }

  /**
   * The part of a report that is news at a time (ms); nothing where all of it is known. An order that is being
   * cancelled may be missing because it has ended, even after it was accepted; a resting order is still there.
   */
  news(
    report: Report,
    now: number,
    how: "in flight" | "resting" | "ending" = "in flight"
  ): Report | undefined {
    const known = this.#known.get(report.order) ?? NOTHING
    const { order } = report
    switch (report._tag) {
      case "Unknown":
        return this.#doubted(order, known)
      case "Missing":
        return this.#missing(report, known, now, how)
      case "Accepted":
        this.#known.set(order, {
          lastReport: known.lastReport === "Filled" ? "Filled" : "Accepted",
          fills: known.fills
        })
        // A partly filled order was accepted: "accepted" is no news of it.
        if (known.lastReport === "Accepted" || known.lastReport === "Filled") return undefined
        return report
      case "Rejected":
        return report
      case "Filled":
        return this.#filled(report, known)
    }
  }

  /** Notes the answer to a question of a time (ms). A report that says nothing certain is none. */
  answered({ _tag, order }: Report, askedAt: number): void {
    if (_tag !== "Unknown") this.#answeredAt.set(order, askedAt)
  }

  /** Whether the exchange has answered a question about the order that was asked after a time (ms). */
  isAnsweredSince(order: OrderId, time: number): boolean {
    return (this.#answeredAt.get(order) ?? Number.NEGATIVE_INFINITY) > time
  }

  /** Removes an ended order. */
  forget(order: OrderId): void {
    this.#known.delete(order)
    this.#answeredAt.delete(order)
  }

  /** Whether the order has any fill. */
  isFilled(order: OrderId): boolean {
    return (this.#known.get(order)?.fills.size ?? 0) > 0
  }

  /** How many orders have only uncertain reports. */
  get unknown(): number {
    let count = 0
    for (const { lastReport } of this.#known.values()) if (lastReport === "Unknown") count++
    return count
  }

  /** A missing answer changes nothing about an order that was reported before. */
  #doubted(order: OrderId, known: Known): Report | undefined {
    if (known.lastReport !== undefined) return undefined
    this.#known.set(order, { ...known, lastReport: "Unknown" })
    return Report.Unknown({ order })
  }

  #missing(
    report: Report,
    known: Known,
    now: number,
    how: "in flight" | "resting" | "ending"
  ): Report | undefined {
    const wasThere = known.lastReport === "Accepted" || known.lastReport === "Filled"
    // A resting order that is not found says more about the exchange than about the order.
    if (wasThere && how === "resting") return undefined
    // The clock may have been set back.
    const missing = Math.min(known.missing ?? now, now)
    // An answer may be taken in long after its question, by a process that stood still: it says nothing of the time since.
    const queried = Math.min(this.#answeredAt.get(report.order) ?? now, now)
    if (queried - missing >= (wasThere && how !== "ending" ? GONE_MS : MISSING_MS)) return report
    this.#known.set(report.order, { ...known, missing })
    return this.#doubted(report.order, { ...known, missing })
  }

  #filled(report: Extract<Report, { readonly _tag: "Filled" }>, known: Known): Report | undefined {
    const seen = new Set(known.fills)
    const fills = report.fills.filter(({ id }) => {
      const isNew = !seen.has(id)
      seen.add(id)
      return isNew
    })
    this.#known.set(report.order, { lastReport: "Filled", fills: seen })
    return fills.length === 0 && !report.done ? undefined : Report.Filled({ ...report, fills })
  }
}

const REPORT_OF: Readonly<Partial<Record<OrderStatus, "Accepted" | "Unknown" | "Filled">>> = {
  accepted: "Accepted",
  unknown: "Unknown",
  partly_filled: "Filled"
}
