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
import type { AlertDraft, AppendExit, Appended } from "../Journal.ts"
import { Signals } from "../Signals.ts"
import { ActiveRules, type RuleProgress } from "./ActiveRules.ts"
import type { Cohort, CohortAlert } from "./Cohort.ts"
import { draftOf, type Raised } from "./RuleAlertDraft.ts"
import type { RuleBook } from "./RuleBook.ts"
import * as Witnessing from "./Witnessing.ts"
import type { WorkingRule } from "./WorkingRule.ts"

/** Alerts that wait for one commit, and the pause before another try where they cannot be stored (ms). */
const ALERTS_AT_A_TIME = 500
const AGAIN_MS = 1_000

/** Counts since the start. */
export interface RaisingFigures extends Witnessing.WitnessFigures {
  readonly alerts: number
  readonly repeats: number
  readonly withheld: number
}

interface Counts {
  alerts: number
  repeats: number
  withheld: number
}

/** How far a rule was looked at in a place (ms). */
export interface RuleLook {
  readonly rule: WorkingRule
  readonly place: string
  readonly lookedAt: number
}

/** Makes the part that stores alerts in the journal. */
const appending = Effect.fnUntraced(function* (figures: Counts) {
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
  const store = (draft: AlertDraft): Effect.Effect<Appended["_tag"]> =>
    Effect.flatMap(
      Effect.async<AppendExit>((resume) => append(draft, (exit) => resume(Effect.succeed(exit)))),
      (exit) => {
        if (Exit.isFailure(exit)) return Effect.zipRight(Effect.sleep(AGAIN_MS), store(draft))
        if (exit.value._tag === "Recorded") figures.alerts++
        else figures.repeats++
        return Effect.succeed(exit.value._tag)
      }
    )
  const witnessing = yield* Witnessing.make(store, digest)

  /** Stores raised alerts of rules that are still at work, sorted by time. */
  const raise = Effect.fn("Rules.raise")(function* (raised: ReadonlyArray<Raised>) {
    for (const some of Arr.chunksOf(raised, ALERTS_AT_A_TIME)) {
      const valid = yield* Effect.filter(some, ({ rule }) => isValid(rule))
      yield* Effect.forEach(
        valid.filter(({ rule }) => rule.rule.witness === undefined),
        (one) => store(draftOf(one, digest)),
        { concurrency: "unbounded", discard: true }
      )
      yield* witnessing.hold(valid)
    }
  })
  return { raise, witnessing }
})

/** Makes what stores alerts, and then how far rules were looked at. */
export const make = Effect.fnUntraced(function* (book: RuleBook) {
  const active = yield* ActiveRules
  const figures: Counts = { alerts: 0, repeats: 0, withheld: 0 }
  const { raise, witnessing } = yield* appending(figures)

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

  /** Stores how far rules were looked at in a place, where that is further than before. */
  const lookedUpTo = Effect.fnUntraced(function* (looks: ReadonlyArray<RuleLook>) {
    const rows: Array<RuleProgress> = []
    for (const { lookedAt, place, rule } of looks) {
      if (!book.isAtWork(rule) || (rule.lookedAt.get(place) ?? 0) >= lookedAt) continue
      rule.lookedAt.set(place, lookedAt)
      rows.push({ signal: rule.signal, version: rule.version, place, lookedAt })
    }
    if (rows.length > 0) yield* Effect.catchAllCause(active.advance(rows), notStored)
  })

  /** Stores how far the rules of cohorts were looked at: their alerts up to there are in the journal. */
  const advance = Effect.fn("Rules.advance")(function* (cohorts: ReadonlyArray<Cohort>) {
    yield* lookedUpTo(
      cohorts.flatMap(({ known, rules, series }) =>
        known === undefined ? [] : rules.map((rule) => ({ rule, place: marketKey(series), lookedAt: known }))
      )
    )
  })

  return {
    advance,
    figures: (): RaisingFigures => ({ ...figures, ...witnessing.figures }),
    instructed,
    lookedUpTo,
    raise,
    waits: witnessing.look,
    findWaits: witnessing.find,
    isWaiting: witnessing.isWaiting
  }
})

/** Stores alerts, and how far rules were looked at. */
export type Raising = Effect.Effect.Success<ReturnType<typeof make>>

/** What is not stored is looked at again after a restart, which repeats alerts that the journal recognises. */
const notStored = (cause: Cause.Cause<never>) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.failCause(cause)
    : Effect.logWarning("how far rules were looked at could not be stored, and is stored later", cause)
