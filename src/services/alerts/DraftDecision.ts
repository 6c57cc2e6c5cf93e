// Decides what becomes of an alert on its way into the journal: recorded, a repeat, or refused. Journals on every
// database, and the one in memory, ask this one function.
import type { AlertId } from "../../domain/Alert.ts"
import type { AlertDraft } from "./AlertDraft.ts"
import type { Remembered } from "./RememberedKey.ts"
import * as WitnessedAlert from "./WitnessedAlert.ts"

/** The verdict on an alert by its key. A key that comes with another body keeps its first alert. */
export type Verdict = "record" | "record_and_remember" | "record_with_warning" | "repeat" | "refuse"

/** Decides what to do with an alert, given what is remembered of its key: the rule that every journal keeps. */
export const judge = ({ receivedAt, sameness }: AlertDraft, known: Remembered | undefined): Verdict => {
  if (sameness === undefined) return "record"
  if (known === undefined || known.expiresAt <= receivedAt) return "record_and_remember"
  if (known.body === sameness.body) return "repeat"
  return sameness.onOtherBody === "refuse" ? "refuse" : "record_with_warning"
}

/**
 * A decision on a draft. `first` is the alert that a repeat repeats, or that makes one superfluous that would stand in:
 * that one is `witnessed`, and no repeat is counted. `keys` are to be remembered, and `seen` are the keys that decided:
 * where several processes write, the decision holds only while these are as they were.
 */
export interface DraftDecision {
  readonly verdict: Verdict | "witnessed"
  readonly first?: AlertId
  readonly keys: ReadonlyArray<WitnessedAlert.KeyChange>
  readonly seen: ReadonlyArray<string>
}

const NONE: ReadonlyArray<never> = []
const PLAIN: DraftDecision = { verdict: "record", keys: NONE, seen: NONE }

/** Decides on a draft, given what is remembered of a key of its account. */
export const decide = (draft: AlertDraft, recall: (key: string) => Remembered | undefined): DraftDecision => {
  const { receivedAt, sameness, witness } = draft
  if (sameness === undefined && witness === undefined) return PLAIN
  const known = sameness === undefined ? undefined : recall(sameness.key)
  const verdict = judge(draft, known)
  if (verdict === "refuse") return { verdict, keys: NONE, seen: NONE }
  if (verdict === "repeat" && known !== undefined)
    return { verdict, first: known.alert, keys: NONE, seen: NONE }
  const own =
    verdict === "record_and_remember" && sameness !== undefined
      ? [{ key: sameness.key, body: sameness.body, expiresAt: receivedAt + sameness.spanMs }]
      : NONE
  if (witness === undefined) return { verdict, keys: own, seen: own.map(({ key }) => key) }
  const decision = WitnessedAlert.decide(witness, receivedAt, recall)
  if (decision._tag === "Witnessed")
    return { verdict: "witnessed", first: decision.by, keys: NONE, seen: NONE }
  if (decision._tag === "Record") {
    const keys = [...own, ...decision.keys]
    return { verdict, keys, seen: [...own.map(({ key }) => key), ...decision.seen] }
  }
  // What is sent again under the same name is a repeat of the same alert.
  const keys = [...own.map((key) => ({ ...key, alert: decision.of })), ...decision.keys]
  return { verdict: "repeat", first: decision.of, keys, seen: keys.map(({ key }) => key) }
}

/** The keys that decide on a draft. */
export const keysOf = ({ sameness, witness }: AlertDraft): ReadonlyArray<string> => [
  ...(sameness === undefined ? [] : [sameness.key]),
  ...(witness === undefined
    ? []
    : [WitnessedAlert.outsideKey(witness.slot), WitnessedAlert.standInKey(witness.slot)])
]
