// The forms in which the result of an order by hand is answered. The response is written where the order is decided, to be
// stored with it, and that may be on another node than the request's: there a form is found by its name.
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StoredAnswer } from "../../Idempotency.ts"
import type { BotSnapshot } from "../prices/BotSnapshots.ts"
import type { ManualResult } from "./ManualOrders.ts"

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
