// The port of the rules that are at work, with its in-memory layer: the rules of all active signals, and how far each has
// been looked at.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AccountId, TokenId } from "../../domain/Account.ts"
import type { Signal, SignalId } from "../../domain/Signal.ts"
import type { RuleDocument } from "../../domain/signalRule/RuleDocument.ts"
import { MemoryState } from "../records/MemoryState.ts"

/**
 * The rule of an active signal, without its text. `since` (ms): what closed before is not looked at, because the rule or
 * the signal was another one.
 */
export interface RuleStamp {
  readonly signal: SignalId
  readonly account: AccountId
  readonly version: number
  readonly since: number
}

/** The rule of an active signal. `token` is one of the account's, in whose name its alerts are stored. */
export interface ActiveRule extends RuleStamp {
  readonly token: TokenId
  readonly document: RuleDocument
}

/**
 * How far a version of a rule was looked at in one place: a market's key, or `schedule`. `lookedAt` is the close of the
 * last candle that was looked at (ms): all alerts up to there are in the journal.
 */
export interface RuleProgress {
  readonly signal: SignalId
  readonly version: number
  readonly place: string
  readonly lookedAt: number
}

/**
 * The rules at work, of all accounts: for the server itself only. A port.
 *
 * **An implementation keeps**
 *
 * - Scope: only signals that are active and have a rule, in the sequence of their ids.
 * - Freshness: `stamps` and `among` include the last change that ended; `changed` never misses a change, also by another
 *   process, that was made since `stamps` was read.
 * - Progress: it only grows within a version, and a newer version replaces an older one, whatever arrives late. That of a
 *   deleted signal is gone.
 * - Errors: none; a database that cannot be read or written is a defect.
 *
 * **Proved by** `ActiveRulesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class ActiveRules extends Context.Tag("signalbox/services/rules/ActiveRules")<
  ActiveRules,
  {
    /** Lists the rules at work, without their texts. */
    readonly stamps: Effect.Effect<ReadonlyArray<RuleStamp>>
    /** Reads the rules of these signals; signals without a rule at work are missing. */
    readonly among: (signals: ReadonlyArray<SignalId>) => Effect.Effect<ReadonlyArray<ActiveRule>>
    /** Waits until rules may have changed since `stamps` was read. There is one listener. */
    readonly changed: Effect.Effect<void>
    /** Reads how far all rules were looked at. */
    readonly progress: Effect.Effect<ReadonlyArray<RuleProgress>>
    /** Stores how far rules were looked at, all of it in one commit. */
    readonly advance: (rows: ReadonlyArray<RuleProgress>) => Effect.Effect<void>
    /** Forgets how far the rules of these signals were looked at: they rest. */
    readonly rest: (signals: ReadonlyArray<SignalId>) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    ActiveRules,
    Effect.gen(function* () {
      const { ruleChanges, rules, signals } = yield* MemoryState
      const progress = new Map<string, RuleProgress>()
      const stampOf = (signal: Signal | undefined): ReadonlyArray<RuleStamp> =>
        signal?.active === true && signal.rule !== undefined ? [stamped(signal, signal.rule)] : []
      return {
        stamps: Effect.sync(() => {
          ruleChanges.reading()
          return [...signals.values()].flatMap(stampOf)
        }),
        among: Effect.fn("ActiveRules.among")((wanted) =>
          Effect.sync(() =>
            wanted.flatMap((id) =>
              stampOf(signals.get(id)).flatMap((stamp) => {
                const rule = rules.get(id)?.rule
                return rule === undefined ? [] : [{ ...stamp, token: NOBODY, document: rule.document }]
              })
            )
          )
        ),
        changed: ruleChanges.rings,
        progress: Effect.sync(() => [...progress.values()].filter(({ signal }) => signals.has(signal))),
        advance: Effect.fn("ActiveRules.advance")((rows) =>
          Effect.sync(() => {
            for (const row of rows) {
              const key = `${row.signal}:${row.place}`
              const known = progress.get(key)
              if (signals.has(row.signal) && (known === undefined || isFurther(row, known)))
                progress.set(key, row)
            }
          })
        ),
        rest: Effect.fn("ActiveRules.rest")((resting) =>
          Effect.sync(() => {
            for (const [key, { signal }] of progress) if (resting.includes(signal)) progress.delete(key)
          })
        )
      }
    })
  )
}

/** In memory no token is needed to store an alert. */
const NOBODY = TokenId.make(1)

/** What a signal's rule is known by. A signal that is switched on again begins anew. */
export const stamped = (
  { account, id, updatedAt }: Pick<Signal, "account" | "id" | "updatedAt">,
  { madeAt, version }: { readonly madeAt: number; readonly version: number }
): RuleStamp => ({ signal: id, account, version, since: Math.max(madeAt, updatedAt) * 1000 })

/** Whether progress replaces what is known of the same place. */
export const isFurther = (row: RuleProgress, known: RuleProgress): boolean =>
  row.version > known.version || (row.version === known.version && row.lookedAt > known.lookedAt)
