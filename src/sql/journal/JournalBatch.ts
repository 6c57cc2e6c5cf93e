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
  judge,
  KeyReused,
  type Remembered
} from "../../services/Journal.ts"

/** A key that a batch adds. */
export interface NewKey extends Remembered {
  readonly account: AccountId
  readonly key: string
}

/** The rows of a batch, and the answer to each draft once they are written. */
export interface Batch {
  readonly alerts: ReadonlyArray<Alert>
  /** How each alert arrived, in the same sequence: stored on disk alone. */
  readonly incoming: ReadonlyArray<Incoming | undefined>
  readonly keys: ReadonlyMap<string, NewKey>
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
  const repeats = new Map<AlertId, number>()
  const answers: Array<AppendExit> = []

  for (const draft of drafts) {
    const { account, sameness } = draft
    const name = sameness === undefined ? "" : nameOf(account, sameness.key)
    const known = sameness === undefined ? undefined : (keys.get(name) ?? recall(name))
    const verdict = judge(draft, known)
    if (verdict === "refuse") {
      answers.push(Exit.fail(new KeyReused()))
    } else if (verdict === "repeat" && known !== undefined) {
      repeats.set(known.alert, (repeats.get(known.alert) ?? 0) + 1)
      answers.push(Exit.succeed(Appended.Repeat({ id: known.alert })))
    } else {
      const id = alertId(lastId + alerts.length + 1)
      alerts.push(alertOf(draft, id, verdict))
      incoming.push(draft.incoming)
      answers.push(Exit.succeed(Appended.Recorded({ id })))
      if (verdict === "record_and_remember" && sameness !== undefined) {
        const { body, key, spanMs } = sameness
        keys.set(name, { account, key, body, alert: id, expiresAt: draft.receivedAt + spanMs })
      }
    }
  }
  return { alerts, incoming, keys, repeats, answers }
}
