// What orders are called, and what their fills come to: pure.
import type { Tone } from "../parts/tone.ts"
import type { Answer } from "../wire.ts"

export type Order = Answer<"live", "orders">["data"][number]

const STATUSES: Readonly<Record<Order["status"], readonly [tone: Tone, words: string]>> = {
  intended: ["plain", "being sent"],
  accepted: ["accent", "at the exchange"],
  // Money may have moved without our knowing: it is to be seen from afar.
  unknown: ["alarm", "unknown"],
  partly_filled: ["accent", "partly filled"],
  filled: ["good", "filled"],
  rejected: ["bad", "rejected"],
  cancelled: ["warn", "cancelled"]
}
export const statusOf = ({ status }: Pick<Order, "status">): readonly [tone: Tone, words: string] =>
  STATUSES[status]

const PURPOSES: Readonly<Record<Order["purpose"], string>> = { entry: "Entry", dca: "DCA", exit: "Exit" }

/** What an order is for, in a word or two. */
export const purposeOf = ({ purpose, type }: Pick<Order, "purpose" | "type">): string =>
  type === "stop" ? "Protective stop" : PURPOSES[purpose]

/** What fees were taken in, and how much in all: an exchange may take the coin bought, or one of its own. */
export const feesOf = ({
  fills
}: Pick<Order, "fills">): ReadonlyArray<readonly [asset: string, amount: number]> => {
  const sums = new Map<string, number>()
  for (const { fee_amount, fee_asset } of fills) sums.set(fee_asset, (sums.get(fee_asset) ?? 0) + fee_amount)
  return [...sums]
}

/** Enough of a long id to tell it from its neighbours. */
export const shortId = (id: string): string => (id.length > 10 ? `${id.slice(0, 8)}…` : id)
