import type { Order } from "../../../domain/Order.ts"
import type { Approved } from "../../../trading/Risk.ts"
import type { Ticket } from "../../Exchange.ts"
import type { BotEntry } from "../Roster.ts"

/** A ticket with the bot whose order it is. */
export interface Sending<O extends Order = Approved> {
  readonly bot: BotEntry
  readonly ticket: Ticket<O>
}
