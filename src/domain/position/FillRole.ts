// What a fill did to its position: opened it, added to it, turned it, or closed a part or all of it. Read from the fills of
// one market in their sequence.
import * as Schema from "effect/Schema"
import type { OrderPurpose, OrderSide } from "../Order.ts"

/** What a fill did. `average` is an extra entry of DCA, `turn` an entry that followed the close of the other side. */
export const FillRole = Schema.Literal("open", "add", "average", "turn", "part", "close")
export type FillRole = typeof FillRole.Type

/** A fill with what its order says of it. `isPart`: the order leaves a rest open. */
export interface FillOfOrder {
  readonly order: string
  readonly at: number
  readonly side: OrderSide
  readonly purpose: OrderPurpose
  readonly isPart: boolean
}

/** The longest time (ms) between the close of one side and the entry on the other of one turn. */
const TURN_MS = 10_000

/** The roles of the fills of one market, oldest first. An entry of which nothing before is known opens. */
export const rolesOf = (fills: ReadonlyArray<FillOfOrder>): ReadonlyArray<FillRole> => {
  const roles: Array<FillRole> = []
  let isOpen = false
  let closed: FillOfOrder | undefined
  for (const [index, fill] of fills.entries()) {
    const before = fills[index - 1]
    const isSame = before !== undefined && before.order === fill.order
    const role: FillRole = isSame ? (roles[index - 1] ?? "open") : roleOf(fill, isOpen, closed)
    roles.push(role)
    isOpen = role !== "close"
    if (role === "close") closed = fill
  }
  return roles
}

const roleOf = (fill: FillOfOrder, isOpen: boolean, closed: FillOfOrder | undefined): FillRole => {
  if (fill.purpose === "dca") return "average"
  if (fill.purpose === "exit") return fill.isPart ? "part" : "close"
  if (isOpen) return "add"
  // What closes a long sells, and so does what opens a short.
  return closed?.side === fill.side && fill.at - closed.at <= TURN_MS ? "turn" : "open"
}
