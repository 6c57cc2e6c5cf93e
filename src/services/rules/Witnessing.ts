// Rules as witnesses: what they would raise waits for the same alert from outside. Where none comes, the owner is notified, or
// the alert is raised after all; the journal decides whether one came, since both may come in one moment.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { TokenId } from "../../domain/Account.ts"
import { breathe } from "../engine/Breath.ts"
import { type AlertDraft, Journal, slotOf } from "../Journal.ts"
import { ActiveRules } from "./ActiveRules.ts"
import { draftOf, type Raised, REMEMBERED_MS } from "./RuleAlertDraft.ts"
import { type AwaitedAlert, RuleWitnesses } from "./RuleWitnesses.ts"
import { stoodIn, unwitnessed } from "./WitnessNote.ts"

/** An alert from outside counts from so long before the rule's on (ms): clocks differ, and charts close a little earlier. */
export const EARLIER_MS = 30_000
/** Alerts that are ended before others get a turn. */
const AT_A_TIME = 100

/** Counts since the start: alerts whose wait ended because one came, because the owner was notified, or because they were raised. */
export interface WitnessFigures {
  witnessed: number
  announced: number
  stoodIn: number
}

/** How an alert reaches the journal: the effect ends once it is on disk. */
type Store = (draft: AlertDraft) => Effect.Effect<"Recorded" | "Repeat">

/** Makes what ends the wait of one alert. */
const ending = Effect.fnUntraced(function* (store: Store, figures: WitnessFigures) {
  const active = yield* ActiveRules
  const journal = yield* Journal
  const witnesses = yield* RuleWitnesses

  const tell = Effect.fnUntraced(function* (alert: AwaitedAlert, now: number) {
    // What came in time may still wait for its commit.
    yield* journal.settled
    const since = alert.at - EARLIER_MS
    const isWitnessed = yield* journal.isWitnessed(alert.account, slotOf(alert.instruction), { since, now })
    const isEnded = yield* witnesses.end(alert, now, isWitnessed ? undefined : unwitnessed(alert, now))
    if (isEnded) figures[isWitnessed ? "witnessed" : "announced"]++
  })

  const standIn = Effect.fnUntraced(function* (alert: AwaitedAlert, token: TokenId, now: number) {
    const slot = slotOf(alert.instruction)
    const witness = { role: "stand_in", slot, since: alert.at - EARLIER_MS, now } as const
    const tag = yield* store({ ...draftFrom(alert, token), witness })
    if (yield* witnesses.end(alert, now)) figures[tag === "Recorded" ? "stoodIn" : "witnessed"]++
  })

  /** Of a rule that was changed or switched off meanwhile nothing is announced or raised. */
  return Effect.fnUntraced(function* (alert: AwaitedAlert, now: number) {
    const [rule] = yield* active.among([alert.signal])
    if (rule?.version !== alert.version) return yield* witnesses.end(alert, now)
    return yield* alert.mode === "tell" ? tell(alert, now) : standIn(alert, rule.token, now)
  })
})

/** Makes the two: `await` stores raised alerts that wait, and `look` ends the waits that are over. */
export const make = Effect.fnUntraced(function* (store: Store, digest: (text: string) => string) {
  const witnesses = yield* RuleWitnesses
  const figures: WitnessFigures = { witnessed: 0, announced: 0, stoodIn: 0 }
  let next = Option.getOrElse(yield* witnesses.next, () => Number.POSITIVE_INFINITY)

  /** Stores alerts of rules that are witnesses: they wait from now on. */
  const hold = Effect.fnUntraced(function* (raised: ReadonlyArray<Raised>) {
    const awaited = raised.flatMap((one) => awaitedOf(one, draftOf(one, digest)))
    if (awaited.length === 0) return
    yield* witnesses.add(awaited)
    for (const { dueAt } of awaited) next = Math.min(next, dueAt)
  })

  const end = yield* ending(store, figures)

  /** Finds the next alert that waits. What is stored meanwhile may be due sooner than what is read. */
  const find = Effect.map(witnesses.next, (first) => {
    next = Math.min(
      next,
      Option.getOrElse(first, () => Number.POSITIVE_INFINITY)
    )
  })

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now < next) return
    for (let isMore = true; isMore; ) {
      const due = yield* witnesses.due(now, AT_A_TIME)
      // Together, so that they share a commit.
      yield* Effect.forEach(due, (alert) => end(alert, now), { concurrency: "unbounded", discard: true })
      isMore = due.length === AT_A_TIME
      yield* breathe
    }
    next = Number.POSITIVE_INFINITY
    yield* find
  })

  /** Whether an alert waits, or may: nobody has looked yet. */
  const isWaiting = () => next < Number.POSITIVE_INFINITY
  return { find, hold, look, figures, isWaiting }
})

const awaitedOf = (
  { at, rule }: Raised,
  { incoming, instruction, sameness }: AlertDraft
): ReadonlyArray<AwaitedAlert> => {
  const { witness } = rule.rule
  if (witness === undefined || sameness === undefined || incoming === undefined) return []
  const { account, signal, version } = rule
  return [
    {
      ...{ key: sameness.key, signal, account, version, mode: witness.mode, at },
      ...{ dueAt: at + witness.seconds * 1000, instruction, origin: incoming.body }
    }
  ]
}

/** The alert that is raised after all: the same as of a rule that is no witness, with a word on why it is late. */
const draftFrom = (alert: AwaitedAlert, token: TokenId): AlertDraft => {
  const { account, at, instruction, key, origin } = alert
  return {
    ...{ account, token, instruction, receivedAt: at, warnings: [stoodIn(alert)] },
    sameness: { key, body: key, spanMs: REMEMBERED_MS, onOtherBody: "warn" },
    incoming: { door: "rule", body: origin }
  }
}
