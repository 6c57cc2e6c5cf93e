// Forgets partitions: those that the engine gives back, and those that another process has taken over.
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import type { OrdersInFlight } from "./orders/OrdersInFlight.ts"
import type { Roster } from "./Roster.ts"
import type { Share } from "./Share.ts"
import type { JudgedCursors } from "./store/JudgedCursors.ts"

interface Memory {
  readonly cursors: JudgedCursors
  readonly orders: OrdersInFlight
  readonly roster: Roster
  readonly share: Share
}

/** Forgets everything of partitions. What is still on its way to an exchange is asked about by their next owner. */
export const forget = ({ cursors, orders, roster, share }: Memory, some: ReadonlySet<Partition>): void => {
  for (const bot of [...roster.all()]) {
    if (!some.has(partitionOf(bot.strategy.account))) continue
    for (const { order, stop } of Object.values(bot.record.state.slots))
      for (const it of [order, stop]) if (it !== undefined) orders.forget(it.id)
    roster.delete(bot.strategy.id)
  }
  cursors.end(some)
  share.remove(some)
}
