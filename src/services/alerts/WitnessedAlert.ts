// Alerts from outside, and alerts that a rule raises in place of those: which of two is the other's repeat. What came last
// for a signal, a pair and a type is remembered with the idempotency keys, so that whoever is stored first decides.
import type { AlertId, Instruction } from "../../domain/Alert.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { Remembered } from "./RememberedKey.ts"

/**
 * What an alert is beside the others of its signal, pair and type, which its `slot` names. Alerts from outside for a
 * signal with a rule say so. One that stands in is recorded only if none from outside came from `since` up to `now` (ms).
 */
export type Witnessing =
  | { readonly role: "outside"; readonly slot: string }
  | { readonly role: "stand_in"; readonly slot: string; readonly since: number; readonly now: number }

/** The slot of an alert. */
export const slotOf = ({
  coin,
  quoteCurrency,
  signalId,
  type
}: Pick<Instruction, "coin" | "quoteCurrency" | "signalId" | "type">): string =>
  `${signalId} ${coin}/${quoteCurrency} ${type}`

/** The field of a draft from outside, for a signal that has a rule. */
export const outsideOf = (
  { rule }: Pick<Signal, "rule">,
  instruction: Instruction
): { readonly witness?: Witnessing } =>
  rule === undefined ? {} : { witness: { role: "outside", slot: slotOf(instruction) } }

/** The keys of what is remembered: the last alert from outside, and alerts that stood in. */
export const outsideKey = (slot: string): string => `outside ${slot}`
export const standInKey = (slot: string): string => `stand_in ${slot}`

/** How long an alert from outside is the repeat of one that stood in for it (ms). */
export const STAND_IN_MS = 600_000
/** How long the last alert from outside is remembered (ms): longer than servers are down. */
const OUTSIDE_MS = 7 * 86_400_000
/** The most alerts of a slot that stood in and wait for those from outside. */
const MAX_OPEN = 64

/** A key to be remembered; without `alert` it names the alert that is about to be recorded. */
export interface KeyChange extends Omit<Remembered, "alert"> {
  readonly key: string
  readonly alert?: AlertId
}

/**
 * What becomes of an alert. `Record`: it is recorded, and `keys` are remembered. `Repeat`: it counts as a repeat of an
 * alert that stood in for it. `Witnessed`: it would stand in, but one from outside has come; nothing is stored. `seen` are
 * the keys that decided.
 */
export type WitnessDecision =
  | { readonly _tag: "Record"; readonly keys: ReadonlyArray<KeyChange>; readonly seen: ReadonlyArray<string> }
  | { readonly _tag: "Repeat"; readonly of: AlertId; readonly keys: ReadonlyArray<KeyChange> }
  | { readonly _tag: "Witnessed"; readonly by: AlertId }

/** Decides on an alert that came at `receivedAt` (ms), given what is remembered of a key. */
export const decide = (
  witnessing: Witnessing,
  receivedAt: number,
  recall: (key: string) => Remembered | undefined
): WitnessDecision =>
  witnessing.role === "outside" ? outside(witnessing.slot, receivedAt, recall) : standIn(witnessing, recall)

const outside = (
  slot: string,
  now: number,
  recall: (key: string) => Remembered | undefined
): WitnessDecision => {
  const stoodIn = recall(standInKey(slot))
  const [first, ...others] = openEnds(stoodIn, now)
  if (stoodIn !== undefined && first !== undefined) {
    // Each alert that stood in takes one from outside: the next one is another signal of the chart.
    const rest = { key: standInKey(slot), body: others.join(" "), expiresAt: others.at(-1) ?? now }
    return { _tag: "Repeat", of: stoodIn.alert, keys: [{ ...rest, alert: stoodIn.alert }] }
  }
  const last = { key: outsideKey(slot), body: `${now}`, expiresAt: now + OUTSIDE_MS }
  return { _tag: "Record", keys: [last], seen: [outsideKey(slot), standInKey(slot)] }
}

const standIn = (
  { now, since, slot }: Extract<Witnessing, { readonly role: "stand_in" }>,
  recall: (key: string) => Remembered | undefined
): WitnessDecision => {
  const last = recall(outsideKey(slot))
  if (last !== undefined && isWithin(last, since, now)) return { _tag: "Witnessed", by: last.alert }
  const ends = [...openEnds(recall(standInKey(slot)), now), now + STAND_IN_MS].slice(-MAX_OPEN)
  const open = { key: standInKey(slot), body: ends.join(" "), expiresAt: now + STAND_IN_MS }
  return { _tag: "Record", keys: [open], seen: [outsideKey(slot), standInKey(slot)] }
}

/** Whether the last alert from outside came in a span of time (ms, both ends included). */
export const isWithin = ({ body }: Pick<Remembered, "body">, since: number, now: number): boolean => {
  const at = Number(body)
  return at >= since && at <= now
}

/** Until when (ms) each alert that stood in still takes one from outside, the earliest first. */
const openEnds = (stoodIn: Remembered | undefined, now: number): ReadonlyArray<number> =>
  stoodIn === undefined || stoodIn.body === ""
    ? []
    : stoodIn.body
        .split(" ")
        .map(Number)
        .filter((end) => end > now)
