// The port of the journal of alerts, with its in-memory layer. An append is answered
// only once its row is on disk.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { type Alert, AlertId, AlertNotFound } from "../domain/Alert.ts"
import type { Incoming } from "../domain/alert/Incoming.ts"
import type { SignalId } from "../domain/Signal.ts"
import type { AlertDraft, Sameness } from "./alerts/AlertDraft.ts"
import { type DraftDecision, decide, judge, type Verdict } from "./alerts/DraftDecision.ts"
import type { Remembered } from "./alerts/RememberedKey.ts"
import { isWithin, outsideKey, slotOf, type Witnessing } from "./alerts/WitnessedAlert.ts"
import * as ChangeSignal from "./records/ChangeSignal.ts"
import { MemoryState, newest } from "./records/MemoryState.ts"

export type { AlertDraft, DraftDecision, Remembered, Sameness, Verdict, Witnessing }
export { decide, judge, slotOf }

/**
 * A page of an account's alerts, newest first: at most `limit`, with ids below `before`, of one `signal`, where given.
 */
export interface AlertPage {
  readonly limit: number
  readonly before?: number
  readonly signal?: SignalId
}

/**
 * The result of an append: a new row, or the first row of a repeated alert, with its count of repeats raised. One that
 * would stand in is also a `Repeat` of the alert from outside that came, which counts no repeat for it.
 */
export type Appended = Data.TaggedEnum<{
  Recorded: { readonly id: AlertId }
  Repeat: { readonly id: AlertId }
}>
export const Appended = Data.taggedEnum<Appended>()

/** How long alerts, their outcomes and timelines are kept. */
export const KEPT_DAYS = 400

/** The alert is not on disk and will not be: send it again. */
export class JournalUnavailable extends Schema.TaggedError<JournalUnavailable>()("JournalUnavailable", {
  reason: Schema.Literal("full", "closed", "queue")
}) {
  override get message() {
    return "the alert could not be stored; send it again"
  }
}

/** The key was used with another body. */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {
  override get message() {
    return "this Idempotency-Key was used with another body: use a new key for a new request"
  }
}

/** The warning of an alert whose key is known with another body. */
export const KEY_WITH_OTHER_BODY =
  "its id came before with another body, so this is a new alert: give every alert an id of its own"

/** The alert that a draft becomes. */
export const alertOf = (
  { account, instruction, receivedAt, token, warnings }: AlertDraft,
  id: AlertId,
  verdict: DraftDecision["verdict"]
): Alert => ({
  id,
  account,
  token,
  ...instruction,
  receivedAt,
  repeats: 0,
  warnings: verdict === "record_with_warning" ? [...warnings, KEY_WITH_OTHER_BODY] : warnings
})

/** The end of an append. */
export type AppendExit = Exit.Exit<Appended, JournalUnavailable | KeyReused>

/** The most alerts that may wait for their commit. */
export const MAX_UNWRITTEN = 10_000

/**
 * Every alert, in the sequence of arrival. A port. `append` ends when the row is on disk: concurrent appends share one
 * commit, and one that fails does not fail the others. The sequence number is the alert's id.
 *
 * **An implementation keeps**
 *
 * - Durability: an append ends only when its row is durable: with SQLite, even against a power cut.
 * - Order: ids only grow, are never reused, and become visible to `since` in sequence: no row ever appears below one
 *   that was read.
 * - Repeats: `decide` is the rule. A key belongs to its account; of many concurrent alerts with one key, one is recorded
 *   and the others are its repeats. Of an alert from outside and one that would stand in for it, one is recorded.
 * - Scope: `get`, `list` and `incoming` show an account its own alerts alone. `since`, `among` and `arrival` are for
 *   the engine.
 * - Bell: `arrival` never misses a row that was written between the last read and the wait.
 * - Errors: `JournalUnavailable` where the row is not on disk and will not be. At most `MAX_UNWRITTEN` appends wait.
 *
 * **Proved by** `JournalContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Journal extends Context.Tag("signalbox/services/Journal")<
  Journal,
  {
    readonly append: (draft: AlertDraft) => Effect.Effect<Appended, JournalUnavailable | KeyReused>
    /** `append` without a waiting fiber: calls `answer` once, possibly before it returns. */
    readonly offer: (draft: AlertDraft, answer: (exit: AppendExit) => void) => void
    readonly get: (account: AccountId, id: number) => Effect.Effect<Alert, AlertNotFound>
    /** Lists the caller's own alerts, newest first. */
    readonly list: (account: AccountId, page: AlertPage) => Effect.Effect<ReadonlyArray<Alert>>
    /** Returns how these alerts of the caller arrived; alerts of which that was not stored are missing. */
    readonly incoming: (
      account: AccountId,
      ids: ReadonlyArray<AlertId>
    ) => Effect.Effect<ReadonlyMap<AlertId, Incoming>>
    /** Reads alerts of all accounts after a cursor, oldest first: for the engine only. */
    readonly since: (cursor: number, limit: number) => Effect.Effect<ReadonlyArray<Alert>>
    /** Reads these alerts of all accounts, oldest first; deleted ones are missing: for the engine only. */
    readonly among: (ids: ReadonlyArray<AlertId>) => Effect.Effect<ReadonlyArray<Alert>>
    /** The id of the newest row, 0 before the first. */
    readonly last: Effect.Effect<number>
    /** Ends when every append that had started at the call has its answer. */
    readonly settled: Effect.Effect<void>
    /** Ends at once when there are rows that `since` has not read yet, else when one is written: the engine's bell. */
    readonly arrival: Effect.Effect<void>
    /** Waits until there is a row with a greater id, for any number of readers. `Events` in memory look without it. */
    readonly beyond?: (id: number) => Effect.Effect<void>
    /**
     * Whether an alert from outside was recorded for a slot (`slotOf`) in a span of time (ms, both ends included), given
     * that none came later.
     */
    readonly isWitnessed: (
      account: AccountId,
      slot: string,
      span: { readonly since: number; readonly now: number }
    ) => Effect.Effect<boolean>
    /** Whether a row can be written now: for readiness. */
    readonly writable: Effect.Effect<boolean>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Journal,
    Effect.gen(function* () {
      const { alerts } = yield* MemoryState
      const incomingOf = new Map<AlertId, Incoming>()
      const keys = new Map<string, Remembered>()
      const bell = ChangeSignal.make(0)

      const nameOf = (account: AccountId, key: string) => `${account}:${key}`
      const record = (draft: AlertDraft, verdict: DraftDecision["verdict"]) => {
        const id = AlertId.make(alerts.length + 1)
        alerts.push(alertOf(draft, id, verdict))
        if (draft.incoming !== undefined) incomingOf.set(id, draft.incoming)
        bell.written(id)
        return Appended.Recorded({ id })
      }
      const repeat = (id: AlertId) => {
        const alert = alerts[id - 1]
        if (alert !== undefined) alerts[id - 1] = { ...alert, repeats: alert.repeats + 1 }
        return Appended.Repeat({ id })
      }
      const append = (draft: AlertDraft): AppendExit => {
        const { account } = draft
        const decision = decide(draft, (key) => keys.get(nameOf(account, key)))
        const { first, verdict } = decision
        if (verdict === "refuse") return Exit.fail(new KeyReused())
        if (verdict === "witnessed" && first !== undefined)
          return Exit.succeed(Appended.Repeat({ id: first }))
        const appended = first === undefined ? record(draft, verdict) : repeat(first)
        for (const { alert = appended.id, key, ...rest } of decision.keys)
          keys.set(nameOf(account, key), { ...rest, alert })
        return Exit.succeed(appended)
      }

      return {
        append: (draft) => Effect.suspend(() => append(draft)),
        offer: (draft, answer) => answer(append(draft)),
        get: Effect.fn("Journal.get")(function* (account, id) {
          const alert = alerts[id - 1]
          return alert?.account === account ? alert : yield* new AlertNotFound()
        }),
        list: Effect.fn("Journal.list")((account, page) =>
          Effect.sync(() =>
            newest(
              alerts,
              page,
              (alert) => alert.account === account && (page.signal ?? alert.signalId) === alert.signalId
            )
          )
        ),
        incoming: Effect.fn("Journal.incoming")((account, ids) =>
          Effect.sync(
            () =>
              new Map(
                ids.flatMap((id) => {
                  const it = alerts[id - 1]?.account === account ? incomingOf.get(id) : undefined
                  return it === undefined ? [] : [[id, it] as const]
                })
              )
          )
        ),
        since: Effect.fn("Journal.since")((cursor, limit) =>
          Effect.sync(() => {
            const rows = alerts.slice(cursor, cursor + limit)
            bell.read(rows.at(-1)?.id ?? alerts.length)
            return rows
          })
        ),
        among: Effect.fn("Journal.among")((ids) =>
          Effect.sync(() => [...new Set(ids)].sort((a, b) => a - b).flatMap((id) => alerts[id - 1] ?? []))
        ),
        last: Effect.sync(() => alerts.length),
        settled: Effect.void,
        arrival: bell.rings,
        beyond: bell.beyond,
        isWitnessed: Effect.fn("Journal.isWitnessed")((account, slot, { now, since }) =>
          Effect.sync(() => {
            const last = keys.get(nameOf(account, outsideKey(slot)))
            return last !== undefined && isWithin(last, since, now)
          })
        ),
        writable: Effect.succeed(true)
      }
    })
  )
}
