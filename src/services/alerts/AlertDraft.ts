// An alert on its way into the journal, and by what it is recognised when it comes again.
import type { AccountId, TokenId } from "../../domain/Account.ts"
import type { Instruction } from "../../domain/Alert.ts"
import type { Incoming } from "../../domain/alert/Incoming.ts"
import type { Witnessing } from "./WitnessedAlert.ts"

/**
 * The alert's idempotency key. `key` is its digest, within the account; `body` is the digest of the whole body;
 * `spanMs` is how long the key is remembered after the first alert. `onOtherBody` says what a known key with another
 * body is: a new alert with a warning, or an error.
 */
export interface Sameness {
  readonly key: string
  readonly body: string
  readonly spanMs: number
  readonly onOtherBody: "warn" | "refuse"
}

/** An alert to be appended. `receivedAt` in ms since the epoch. */
export interface AlertDraft {
  readonly account: AccountId
  readonly token: TokenId
  readonly instruction: Instruction
  readonly receivedAt: number
  readonly warnings: ReadonlyArray<string>
  readonly sameness?: Sameness
  /** What the alert is beside those that a rule raises in place of alerts from outside; absent where there is no rule. */
  readonly witness?: Witnessing
  /** How the alert arrived, where that is to be stored. */
  readonly incoming?: Incoming | undefined
}
