// The forms in which the result of an order by hand is answered. The response is written where the order is decided, to be
// stored with it, and that may be on another node than the request's: there a form is found by its name.

import type { Fill } from "../../../domain/Fill.ts"
import type { MarketId } from "../../../domain/Market.ts"
import type { OrderId } from "../../../domain/Order.ts"
import type { ManualOutcome } from "../../../domain/position/ManualOrder.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { ClosePlan } from "../../../trading/bot/ManualAnswer.ts"
import type { StoredAnswer } from "../../Idempotency.ts"
import type { BotSnapshot } from "../prices/BotSnapshots.ts"

/** The result of an order by hand, or the one that its preview would have. `fills` are those of its order so far. */
export interface ManualResult {
  readonly market: MarketId
  readonly isPreview: boolean
  readonly outcome: ManualOutcome
  readonly text: string
  readonly isLive: boolean
  readonly order: OrderId | undefined
  readonly plan: ClosePlan | undefined
  readonly fills: ReadonlyArray<Fill>
}

/** A result with its strategy, and with how the bot stands then: undefined where it has not started. */
export interface Written {
  readonly strategy: Strategy
  readonly result: ManualResult
  readonly standing: BotSnapshot | undefined
}

/** A form under its name: `write` makes the response's body. */
export interface ManualForm {
  readonly name: string
  readonly write: (written: Written) => string
}

/** The result as a sentence. */
export const text: ManualForm = { name: "text", write: ({ result }) => result.text }

/** A result as a response. */
export const written = (form: ManualForm, it: Written): StoredAnswer => ({
  status: 200,
  location: undefined,
  body: form.write(it)
})
