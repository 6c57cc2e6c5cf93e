import type { OrderId, OrderStatus } from "../../domain/Order.ts"
import { Report } from "../Exchange.ts"

/** How far an order in flight has come: what was last said of it, and how many of its fills have been taken in. */
interface Known {
  readonly said: Report["_tag"]
  readonly fills: number
}

/**
 * Orders in flight, and what has been taken in of them. An exchange tells of an order as often as it is asked, and
 * always all: here only what is news comes through, so that no fill counts twice.
 */
export class Orders {
  readonly #known = new Map<OrderId, Known>()

  /** Takes up an order of an earlier run, of which so many fills are on disk. */
  recall(order: OrderId, status: OrderStatus, fills: number): void {
    const said = SAID[status]
    if (said !== undefined) this.#known.set(order, { said, fills })
  }

  /** What of a report is news; nothing where it says what is known already. */
  news(report: Report): Report | undefined {
    const known = this.#known.get(report.order)
    if (report._tag !== "Filled") {
      // What has filled in part was accepted: nothing less can be news of it.
      if (known?.said === report._tag) return undefined
      if (known !== undefined && known.fills > 0 && report._tag !== "Rejected") return undefined
      this.#known.set(report.order, { said: report._tag, fills: known?.fills ?? 0 })
      return report
    }
    const taken = known?.fills ?? 0
    this.#known.set(report.order, { said: "Filled", fills: Math.max(taken, report.fills.length) })
    const fills = report.fills.slice(taken)
    return fills.length === 0 && !report.done ? undefined : Report.Filled({ ...report, fills })
  }

  /** Nothing more will come of it. */
  forget(order: OrderId): void {
    this.#known.delete(order)
  }
}

const SAID: Readonly<Partial<Record<OrderStatus, Report["_tag"]>>> = {
  accepted: "Accepted",
  unknown: "Unknown",
  partly_filled: "Filled"
}
