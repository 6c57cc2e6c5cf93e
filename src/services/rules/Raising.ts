// What follows when rules raise alerts: they are stored in the journal, and only then is stored how far the rules were
// looked at. A crash in between raises them again, and the journal recognises them.
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { marketKey } from "../../domain/Market.ts"
import { instructionOf } from "../../trading/signalRule/RuleInstruction.ts"
import * as TracedAppend from "../alerts/TracedAppend.ts"
import { Digest } from "../internal/Digest.ts"
import type { AlertDraft, AppendExit } from "../Journal.ts"
import { Signals } from "../Signals.ts"
import { ActiveRules, type RuleProgress } from "./ActiveRules.ts"
import type { Cohort, CohortAlert } from "./Cohort.ts"
import { draftOf, type Raised } from "./RuleAlertDraft.ts"
import type { RuleBook } from "./RuleBook.ts"

/** Alerts that wait for one commit, and the pause before another try where they cannot be stored (ms). */
const ALERTS_AT_A_TIME = 500
const AGAIN_MS = 1_000

/** Counts since the start. */
export interface RaisingFigures {
  alerts: number
  repeats: number
  withheld: number
}

/** Makes the part that stores alerts in the journal. */
const appending = Effect.fnUntraced(function* (figures: RaisingFigures) {
  const signals = yield* Signals
  const append = yield* TracedAppend.make
  const digest = yield* Digest

  /** Whether the rule is still its signal's, and the signal is active: a change counts from its answer on. */
  const isValid = ({ account, signal, version }: Raised["rule"]) =>
    Effect.match(signals.get(account, signal), {
      onFailure: () => false,
      onSuccess: ({ active, rule }) => active && rule?.version === version
    })

  /** Ends when the alert is on disk, however long the disk is full. */
  const store = (draft: AlertDraft): Effect.Effect<void> =>
    Effect.flatMap(
      Effect.async<AppendExit>((resume) => append(draft, (exit) => resume(Effect.succeed(exit)))),
      (exit) => {
        if (Exit.isFailure(exit)) return Effect.zipRight(Effect.sleep(AGAIN_MS), store(draft))
        if (exit.value._tag === "Recorded") figures.alerts++
        else figures.repeats++
        return Effect.void
      }
    )

  /** Stores raised alerts of rules that are still at work, sorted by time. */
  return Effect.fn("Rules.raise")(function* (raised: ReadonlyArray<Raised>) {
    for (const some of Arr.chunksOf(raised, ALERTS_AT_A_TIME)) {
      const valid = yield* Effect.filter(some, ({ rule }) => isValid(rule))
      yield* Effect.forEach(valid, (one) => store(draftOf(one, digest)), {
        concurrency: "unbounded",
        discard: true
      })
    }
  })
})

/** Makes what stores alerts, and then how far rules were looked at. */
export const make = Effect.fnUntraced(function* (book: RuleBook) {
  const active = yield* ActiveRules
  const figures: RaisingFigures = { alerts: 0, repeats: 0, withheld: 0 }
  const raise = yield* appending(figures)

  /** What the rules of cohorts instruct. An alert whose amounts are no good is withheld. */
  const instructed = (alerts: ReadonlyArray<CohortAlert>, { series }: Pick<Cohort, "series">) => {
    const { timeframe: _, ...market } = series
    return alerts.flatMap(({ alert, rule }): ReadonlyArray<Raised> => {
      const entry = rule.rule.on[alert.entry]
      if (entry === undefined || !book.isAtWork(rule)) return []
      const instruction = instructionOf(entry, alert)
      if (Either.isLeft(instruction)) {
        figures.withheld++
        return []
      }
      const { at, close, values } = alert
      return [{ rule, market, by: `on[${alert.entry}]`, at, close, values, instruction: instruction.right }]
    })
  }

  /** Stores how far the rules of cohorts were looked at: their alerts up to there are in the journal. */
  const advance = Effect.fn("Rules.advance")(function* (cohorts: ReadonlyArray<Cohort>) {
    const rows = cohorts.flatMap((cohort) => progressOf(book, cohort))
    for (const { lookedAt, place, signal } of rows) book.rule(signal)?.lookedAt.set(place, lookedAt)
    if (rows.length > 0) yield* Effect.catchAllCause(active.advance(rows), notStored)
  })

  return { advance, figures, instructed, raise }
})

/** Stores alerts, and how far rules were looked at. */
export type Raising = Effect.Effect.Success<ReturnType<typeof make>>

/** How far the rules of a cohort were looked at, where that is further than was stored. */
const progressOf = (book: RuleBook, { known, rules, series }: Cohort): ReadonlyArray<RuleProgress> => {
  if (known === undefined) return []
  const place = marketKey(series)
  return rules.flatMap((rule) =>
    book.isAtWork(rule) && (rule.lookedAt.get(place) ?? 0) < known
      ? [{ signal: rule.signal, version: rule.version, place, lookedAt: known }]
      : []
  )
}

/** What is not stored is looked at again after a restart, which repeats alerts that the journal recognises. */
const notStored = (cause: Cause.Cause<never>) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.failCause(cause)
    : Effect.logWarning("how far rules were looked at could not be stored, and is stored later", cause)
