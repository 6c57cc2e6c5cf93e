// The words for orders, and sums of their fees. Pure.
import type { Tone } from "../parts/tone.ts"
import type { Answer } from "../wire.ts"

export type Order = Answer<"live", "orders">["data"][number]

const STATUSES: Readonly<Record<Order["status"], readonly [tone: Tone, words: string]>> = {
  intended: ["plain", "being sent"],
  accepted: ["accent", "at the exchange"],
  // An unknown order may have moved money: it must be noticed.
  unknown: ["alarm", "unknown"],
  partly_filled: ["accent", "partly filled"],
  filled: ["good", "filled"],
  rejected: ["bad", "rejected"],
  cancelled: ["warn", "cancelled"]
}
export const statusOf = ({ status }: Pick<Order, "status">): readonly [tone: Tone, words: string] =>
  STATUSES[status]

const PURPOSES: Readonly<Record<Order["purpose"], string>> = { entry: "Entry", dca: "DCA", exit: "Exit" }

/** An order's purpose as a title. */
export const purposeOf = ({ purpose, type }: Pick<Order, "purpose" | "type">): string =>
  type === "stop" ? "Protective stop" : PURPOSES[purpose]

/** Total fees by asset: an exchange may take them in the coin bought, or in a coin of its own. */
export const feesOf = ({
  fills
}: Pick<Order, "fills">): ReadonlyArray<readonly [asset: string, amount: number]> => {
  const sums = new Map<string, number>()
  for (const { fee_amount, fee_asset } of fills) sums.set(fee_asset, (sums.get(fee_asset) ?? 0) + fee_amount)
  return [...sums]
}

type Trade = Answer<"trades", "list">["data"][number]

/**
 * The trade that an order filled in at `at`, among trades by their closing. A market holds one position of a side at a
 * time: an exit is part of the first trade that closes then, and an entry of the first that closes later.
 */
export const tradeOfOrder = (
  trades: ReadonlyArray<Trade>,
  { exchange, kind, pair, purpose, side }: Pick<Order, "exchange" | "kind" | "pair" | "purpose" | "side">,
  at: number
): Trade | undefined => {
  const isExit = purpose === "exit"
  const position = (side === "buy") === isExit ? "short" : "long"
  return trades.find(
    (it) =>
      it.exchange === exchange &&
      it.kind === kind &&
      it.pair === pair &&
      it.side === position &&
      it.opened_at <= at &&
      (isExit ? it.closed_at >= at : it.closed_at > at || it.opened_at === at)
  )
}

/** The start of a long id, enough to tell orders apart. */
export const shortId = (id: string): string => (id.length > 10 ? `${id.slice(0, 8)}…` : id)

/** The order that an alert led to: an entry names it, and an exit was decided in the same second. */
export const orderOfAlert = (
  orders: ReadonlyArray<Order>,
  alert: string,
  at: string | undefined
): Order | undefined =>
  orders.find(({ alert_id }) => String(alert_id) === alert) ??
  orders.find((order) => order.purpose === "exit" && order.type !== "stop" && String(order.at) === at)
