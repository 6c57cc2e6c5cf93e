// An order on its way to the exchange, with the bot that placed it.
import type { Order } from "../../../domain/Order.ts"
import type { Approved } from "../../../trading/Risk.ts"
import type { Ticket } from "../../Exchange.ts"
import type { BotEntry } from "../Roster.ts"

/** The order's ticket with its bot. */
export interface OutgoingOrder<O extends Order = Approved> {
  readonly bot: BotEntry
  readonly ticket: Ticket<O>
}
