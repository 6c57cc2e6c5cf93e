// Plans one batch of alerts: which become rows, which are repeats, and how each is answered once the rows are on disk.
import * as Brand from "effect/Brand"
import * as Exit from "effect/Exit"
import type { AccountId } from "../../domain/Account.ts"
import type { Alert, AlertId } from "../../domain/Alert.ts"
import type { Incoming } from "../../domain/alert/Incoming.ts"
import {
  type AlertDraft,
  type AppendExit,
  Appended,
  alertOf,
  decide,
  KeyReused,
  type Remembered
} from "../../services/Journal.ts"

/** A key of an account. */
export interface AccountKey {
  readonly account: AccountId
  readonly key: string
}

/** A key that a batch adds or changes. */
export interface NewKey extends Remembered, AccountKey {}

/** The rows of a batch, and the answer to each draft once they are written. */
export interface Batch {
  readonly alerts: ReadonlyArray<Alert>
  /** How each alert arrived, in the same sequence: stored on disk alone. */
  readonly incoming: ReadonlyArray<Incoming | undefined>
  readonly keys: ReadonlyMap<string, NewKey>
  /** The keys that decided, by name: the plan holds only while each is remembered as it was. */
  readonly seen: ReadonlyMap<string, AccountKey>
  /** By how much the repeat counts of earlier alerts, or of alerts of this batch, rise. */
  readonly repeats: ReadonlyMap<AlertId, number>
  readonly answers: ReadonlyArray<AppendExit>
}

export const nameOf = (account: AccountId, key: string) => `${account}:${key}`

/** Without validation: we count the ids ourselves, and this is the hot path. */
const alertId = Brand.nominal<AlertId>()

/** Decides on drafts by arrival. Ids continue after `lastId`; `recall` finds earlier keys by name. */
export const plan = (
  drafts: Iterable<AlertDraft>,
  lastId: number,
  recall: (name: string) => Remembered | undefined
): Batch => {
  const alerts: Array<Alert> = []
  const incoming: Array<Incoming | undefined> = []
  const keys = new Map<string, NewKey>()
  const seen = new Map<string, AccountKey>()
  const repeats = new Map<AlertId, number>()
  const answers: Array<AppendExit> = []

  for (const draft of drafts) {
    const { account } = draft
    const decision = decide(draft, (key) => {
      const name = nameOf(account, key)
      return keys.get(name) ?? recall(name)
    })
    const { first, verdict } = decision
    if (verdict === "refuse") {
      answers.push(Exit.fail(new KeyReused()))
      continue
    }
    const id = first ?? alertId(lastId + alerts.length + 1)
    if (first !== undefined) {
      if (verdict === "repeat") repeats.set(first, (repeats.get(first) ?? 0) + 1)
      answers.push(Exit.succeed(Appended.Repeat({ id })))
    } else {
      alerts.push(alertOf(draft, id, verdict))
      incoming.push(draft.incoming)
      answers.push(Exit.succeed(Appended.Recorded({ id })))
    }
    for (const { alert = id, ...change } of decision.keys)
      keys.set(nameOf(account, change.key), { account, ...change, alert })
    for (const key of decision.seen) seen.set(nameOf(account, key), { account, key })
  }
  return { alerts, incoming, keys, seen, repeats, answers }
}
