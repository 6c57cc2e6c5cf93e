// The port of what rules have seen as witnesses, with its in-memory layer: alerts that they would raise, each of which
// waits for one from outside.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Instruction } from "../../domain/Alert.ts"
import type { SignalId } from "../../domain/Signal.ts"
import type { WitnessMode } from "../../domain/signalRule/Witness.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import { MemoryState, note as record } from "../records/MemoryState.ts"

/**
 * An alert that a rule would raise at `at` (ms), and that waits until `dueAt` (ms) for one from outside. `key` is its
 * identity, and `origin` the text that it is stored with where it is raised.
 */
export interface AwaitedAlert {
  readonly key: string
  readonly signal: SignalId
  readonly account: AccountId
  readonly version: number
  readonly mode: WitnessMode
  readonly at: number
  readonly dueAt: number
  readonly instruction: Instruction
  readonly origin: string
}

/** How long an alert that no longer waits is remembered (ms): longer than a candle is looked at late. */
export const ENDED_MS = 32 * 86_400_000

/**
 * Alerts of rules that wait for one from outside. A port.
 *
 * **An implementation keeps**
 *
 * - Once: an alert with a known key is left as it is, also where it no longer waits. It ends once, and its note is stored
 *   in the same transaction.
 * - Scope: those of a deleted signal are gone.
 * - Order: `due` gives those first that are due first.
 * - Bounds: one that has ended is forgotten after `ENDED_MS`.
 *
 * **Proved by** `RuleWitnessesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class RuleWitnesses extends Context.Tag("signalbox/services/rules/RuleWitnesses")<
  RuleWitnesses,
  {
    /** Stores alerts that wait from now on, all of them in one commit. */
    readonly add: (alerts: ReadonlyArray<AwaitedAlert>) => Effect.Effect<void>
    /** When the next one is due (ms). */
    readonly next: Effect.Effect<Option.Option<number>>
    /** Reads at most `limit` that are due at `now` (ms). */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<AwaitedAlert>>
    /**
     * Ends the wait of an alert at `now` (ms), and announces the note to its account, if there is one. False if it had ended
     * before: then nothing is announced.
     */
    readonly end: (
      alert: Pick<AwaitedAlert, "account" | "key">,
      now: number,
      note?: TimelineNote
    ) => Effect.Effect<boolean>
  }
>() {
  static readonly layerMemory = Layer.effect(
    RuleWitnesses,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const known = new Map<string, { readonly alert: AwaitedAlert; endedAt: number | undefined }>()
      const waiting = () =>
        [...known.values()]
          .filter(({ alert, endedAt }) => endedAt === undefined && state.signals.has(alert.signal))
          .map(({ alert }) => alert)
          .sort((one, other) => one.dueAt - other.dueAt)
      return {
        add: Effect.fn("RuleWitnesses.add")((alerts) =>
          Effect.sync(() => {
            for (const alert of alerts)
              if (!known.has(alert.key) && state.signals.has(alert.signal))
                known.set(alert.key, { alert, endedAt: undefined })
          })
        ),
        next: Effect.sync(() => Option.fromNullable(waiting()[0]?.dueAt)),
        due: Effect.fn("RuleWitnesses.due")((now, limit) =>
          Effect.sync(() =>
            waiting()
              .filter(({ dueAt }) => dueAt <= now)
              .slice(0, limit)
          )
        ),
        end: Effect.fn("RuleWitnesses.end")(({ account, key }, now, note) =>
          Effect.sync(() => {
            for (const [other, { endedAt }] of known)
              if (endedAt !== undefined && endedAt <= now - ENDED_MS) known.delete(other)
            const one = known.get(key)
            if (one === undefined || one.endedAt !== undefined || !state.signals.has(one.alert.signal))
              return false
            one.endedAt = now
            if (note !== undefined) record(state, account, 0, note)
            return true
          })
        )
      }
    })
  )
}
