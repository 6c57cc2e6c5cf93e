// Keeps the rules in memory in step with the signals: rules come, change and go while the server runs.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { SignalId } from "../../domain/Signal.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"
import { ActiveRules, type RuleProgress, type RuleStamp } from "./ActiveRules.ts"
import type { CandleSource } from "./ClosedCandles.ts"
import type { Cohort } from "./Cohort.ts"
import type { RuleBook } from "./RuleBook.ts"
import { admit, RuleLimits } from "./RuleLimits.ts"
import { type RuleStatus, statusOf, stopped } from "./RuleStatus.ts"
import { type WorkingRule, workingRule } from "./WorkingRule.ts"

/** The rules of all active signals, whether the bounds admit them or not. */
class KnownRules {
  readonly all = new Map<SignalId, WorkingRule>()
  readonly unreadable = new Map<SignalId, RuleStamp>()
  refused: ReadonlyMap<WorkingRule, string> = new Map()

  /** The signals whose rules changed. */
  changed(stamps: ReadonlyArray<RuleStamp>): ReadonlyArray<SignalId> {
    return stamps
      .filter(
        ({ signal, version }) => (this.all.get(signal) ?? this.unreadable.get(signal))?.version !== version
      )
      .map(({ signal }) => signal)
  }

  /** Takes out what is not at work any more. */
  keep(stamps: ReadonlyArray<RuleStamp>): void {
    const present = new Set(stamps.map(({ signal }) => signal))
    for (const some of [this.all, this.unreadable])
      for (const signal of some.keys()) if (!present.has(signal)) some.delete(signal)
  }

  status(book: RuleBook, account: AccountId, signal: SignalId): Option.Option<RuleStatus> {
    if (this.unreadable.get(signal)?.account === account)
      return Option.some(stopped("this version of Signalbox cannot read the rule: save it again"))
    const rule = this.all.get(signal)
    if (rule?.account !== account) return Option.none()
    const reason = this.refused.get(rule)
    return Option.some(reason === undefined ? statusOf(book, rule) : stopped(reason))
  }
}

/** Makes `sync`, which reads what changed, and what it keeps. */
export const make = Effect.fnUntraced(function* (
  book: RuleBook,
  source: CandleSource,
  load: (cohorts: ReadonlyArray<Cohort>) => Effect.Effect<void>
) {
  const active = yield* ActiveRules
  const limits = yield* RuleLimits
  const known = new KnownRules()
  const bell = ChangeSignal.ofChanges()
  let stored = bySignal(yield* active.progress)

  /** Puts the rules that the bounds admit into the book. */
  const seat = Effect.suspend(() => {
    const sorted = [...known.all.values()].sort((one, other) => one.signal - other.signal)
    const { admitted, refused } = admit(sorted, limits)
    known.refused = refused
    const wanted = new Set(admitted)
    const gone = [...book.rules()].filter((rule) => !wanted.has(rule)).map(({ signal }) => signal)
    const come = admitted.filter((rule) => !book.isAtWork(rule))
    const cohorts = book.change(gone, come)
    bell.changed()
    const series = Array.from(book.series(), ({ series }) => series)
    return Effect.zipRight(source.follow(series), load(cohorts))
  })

  /** The rule of a signal that is switched off rests: it begins anew when the signal is switched on. */
  const sync = Effect.gen(function* () {
    const stamps = yield* active.stamps
    const present = new Set(stamps.map(({ signal }) => signal))
    const resting = [...stored.keys(), ...known.all.keys()].filter((signal) => !present.has(signal))
    known.keep(stamps)
    for (const one of yield* active.among(known.changed(stamps))) {
      const rule = workingRule(one, stored.get(one.signal) ?? NOTHING)
      if (rule === undefined) known.unreadable.set(one.signal, one)
      else known.all.set(one.signal, rule)
    }
    yield* active.rest(resting)
    stored = new Map()
    yield* seat
  })

  return {
    sync,
    /** Waits until rules may have changed. */
    changed: active.changed,
    status: (account: AccountId, signal: SignalId) => known.status(book, account, signal),
    series: Effect.sync(() => {
      bell.reading()
      return Array.from(book.series(), ({ series }) => series)
    }),
    /** Waits until the series may be others than when `series` was read. */
    seriesChanged: bell.rings
  }
})

const NOTHING: ReadonlyArray<RuleProgress> = []

const bySignal = (
  progress: ReadonlyArray<RuleProgress>
): ReadonlyMap<SignalId, ReadonlyArray<RuleProgress>> => {
  const found = new Map<SignalId, Array<RuleProgress>>()
  for (const one of progress) found.set(one.signal, [...(found.get(one.signal) ?? []), one])
  return found
}
