import type { OrderId, OrderStatus } from "../../../domain/Order.ts"
import { Report } from "../../Exchange.ts"

/**
 * For how long an exchange has to tell, asked again and again, that it finds an order nowhere, until we take it that
 * the order never arrived. Longer than any exchange holds a request back, or an order out of sight.
 */
export const MISSING_MS = 60_000
/**
 * The same for an order that it has told of before and that cannot rest: exchanges forget those that came to nothing,
 * some within hours. Nobody may wait for it for ever.
 */
export const GONE_MS = 600_000

/** What has been taken in of an order in flight. `missing` is since when it is found nowhere (ms). */
interface Known {
  readonly said?: "Accepted" | "Unknown" | "Filled"
  readonly fills: ReadonlySet<string>
  readonly missing?: number
}

const NOTHING: Known = { fills: new Set() }

/**
 * Orders in flight, and what has been taken in of them. An exchange tells of an order as often as it is asked, and
 * tells things twice, late, or less than before: here only what is news comes through, so that no fill counts twice.
 */
export class Orders {
  readonly #known = new Map<OrderId, Known>()

  /** Takes up an order of an earlier run, with the ids of its fills that are on disk. */
  recall(order: OrderId, status: OrderStatus, fills: ReadonlyArray<string>): void {
    const said = SAID[status]
    if (said !== undefined) this.#known.set(order, { said, fills: new Set(fills) })
  }

  /**
   * What of a report is news at a time (ms); nothing where it says what is known already. An order that is being taken
   * back may be found nowhere because it has ended, also one that was accepted; one that rests is still there.
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
        this.#known.set(order, { said: known.said === "Filled" ? "Filled" : "Accepted", fills: known.fills })
        // What has filled in part was accepted: nothing less can be news of it.
        if (known.said === "Accepted" || known.said === "Filled") return undefined
        return report
      case "Rejected":
        return report
      case "Filled":
        return this.#filled(report, known)
    }
  }

  /** Nothing more will come of it. */
  forget(order: OrderId): void {
    this.#known.delete(order)
  }

  /** Whether any of it has filled. */
  isFilled(order: OrderId): boolean {
    return (this.#known.get(order)?.fills.size ?? 0) > 0
  }

  /** Of how many nothing was heard that could be trusted. */
  get unknown(): number {
    let count = 0
    for (const { said } of this.#known.values()) if (said === "Unknown") count++
    return count
  }

  /** An answer that did not come changes nothing of an order that was heard of before. */
  #doubted(order: OrderId, known: Known): Report | undefined {
    if (known.said !== undefined) return undefined
    this.#known.set(order, { ...known, said: "Unknown" })
    return Report.Unknown({ order })
  }

  #missing(
    report: Report,
    known: Known,
    now: number,
    how: "in flight" | "resting" | "ending"
  ): Report | undefined {
    const wasThere = known.said === "Accepted" || known.said === "Filled"
    // That it cannot be found says more of the exchange than of an order that rests there.
    if (wasThere && how === "resting") return undefined
    // The clock may have been set back.
    const missing = Math.min(known.missing ?? now, now)
    if (now - missing >= (wasThere && how !== "ending" ? GONE_MS : MISSING_MS)) return report
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
    this.#known.set(report.order, { said: "Filled", fills: seen })
    return fills.length === 0 && !report.done ? undefined : Report.Filled({ ...report, fills })
  }
}

const SAID: Readonly<Partial<Record<OrderStatus, "Accepted" | "Unknown" | "Filled">>> = {
  accepted: "Accepted",
  unknown: "Unknown",
  partly_filled: "Filled"
}
