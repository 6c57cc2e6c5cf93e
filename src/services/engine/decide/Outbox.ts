// The outbox: decisions of the bots that are not stored yet, as steps, and the orders to send and to cancel once the
// steps are on disk.
import type { Order } from "../../../domain/Order.ts"
import type { Context, Decision } from "../../../trading/Decision.ts"
import type { Step } from "../../Portfolio.ts"
import type { OutgoingOrder } from "../orders/OutgoingOrder.ts"
import type { BotEntry } from "../Roster.ts"

/** Everything to store, and only then to send, before the next event of the same bots. */
export interface Yielded {
  readonly steps: ReadonlyArray<Step>
  readonly sendings: ReadonlyArray<OutgoingOrder>
  /** Resting orders to cancel. */
  readonly cancels: ReadonlyArray<OutgoingOrder<Order>>
  /** Bots whose event led to too many decisions: they are set aside. */
  readonly overrun: ReadonlyArray<BotEntry>
}

/** Steps at which a commit is due, so that other writers get their turn. */
const MAX_STEPS = 100

/** The decisions since the last commit began. */
export class Outbox {
  #steps: Array<Step> = []
  #sendings: Array<OutgoingOrder> = []
  #cancels: Array<OutgoingOrder<Order>> = []
  #overrun: Array<BotEntry> = []
  #senders = new Set<BotEntry>()

  /** Empties the outbox. */
  take(): Yielded {
    const yielded = {
      steps: this.#steps,
      sendings: this.#sendings,
      cancels: this.#cancels,
      overrun: this.#overrun
    }
    this.#steps = []
    this.#sendings = []
    this.#cancels = []
    this.#overrun = []
    this.#senders = new Set()
    return yielded
  }

  /** Whether there are as many steps as one commit should hold. */
  get isFull(): boolean {
    return this.#steps.length >= MAX_STEPS
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  push(step: Step): void {
    this.#steps.push(step)
  }

  /** Notes a bot whose event led to too many decisions. */
  overran(bot: BotEntry): void {
    this.#overrun.push(bot)
  }

  /** Adds a decision's orders and cancellations. */
  send(bot: BotEntry, { cancels, orders }: Decision, context: Context): void {
    const ticket = <O extends Order>(order: O) => ({
      ...{ order, fees: context.fees(order), at: context.now },
      quote: () => context.quote(order)
    })
    for (const order of orders) this.#sendings.push({ bot, ticket: ticket(order) })
    if (orders.length > 0) this.#senders.add(bot)
    for (const order of cancels) this.#cancels.push({ bot, ticket: ticket(order) })
  }

  /** Whether an order of this bot waits to be sent. */
  isSending(bot: BotEntry): boolean {
    return this.#senders.has(bot)
  }

  /** Whether an order waits to be sent of a bot that a price of this market may concern. */
  isAwaitedAt(key: string): boolean {
    return (
      this.#senders.size > 0 && [...this.#senders].some((bot) => bot.windows.has(key) || bot.held.size > 0)
    )
  }
}
