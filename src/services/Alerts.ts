// The use case of callers with alerts: send one, preview one, read what became of them. An alert is answered only once
// it is on disk; nothing is traded before that.
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { AccountId, Identity } from "../domain/Account.ts"
import type { Alert, AlertNotFound, Instruction, Outcome } from "../domain/Alert.ts"
import type { Incoming } from "../domain/alert/Incoming.ts"
import { SignalInactive, type SignalNotFound } from "../domain/Signal.ts"
import { Bots } from "./Bots.ts"
import type { Previewed } from "./engine/Preview.ts"
import { Meters } from "./health/Meters.ts"
import { Tracing } from "./health/Tracing.ts"
import {
  type AlertDraft,
  type AlertPage,
  type AppendExit,
  type Appended,
  Journal,
  type JournalUnavailable,
  type KeyReused,
  type Sameness
} from "./Journal.ts"
import { Signals } from "./Signals.ts"
import { type OutcomePage, Timeline } from "./Timeline.ts"

/** An alert with the outcomes that the account's own strategies have given it so far. */
export interface Judged {
  readonly alert: Alert
  readonly outcomes: ReadonlyArray<Outcome>
  /** Whether there are more: a list shows the first of them. */
  readonly hasMore: boolean
}

/** The most outcomes of an alert in a list: a thousand strategies may follow each of hundreds of alerts. */
export const OUTCOMES_OF_ROW = 100

/**
 * How many alerts' outcomes to read first, and the number of outcomes after which other work gets a turn: each of
 * hundreds of alerts may have the outcomes of a thousand strategies.
 */
const FEW = 8
const MANY_OUTCOMES = 2_000

/** What the door knows of an alert besides its content. */
export interface Sending {
  readonly sameness?: Sameness
  readonly warnings?: ReadonlyArray<string>
  readonly incoming?: Incoming
}

/** What callers do with alerts. */
export class Alerts extends Context.Tag("signalbox/services/Alerts")<
  Alerts,
  {
    /** Stores an alert; ends when it is on disk. Nothing is traded before. Costs no query besides the shared commit. */
    readonly receive: (
      sender: Identity,
      instruction: Instruction,
      options: Sending
    ) => Effect.Effect<Appended, SignalNotFound | SignalInactive | JournalUnavailable | KeyReused>
    /**
     * `receive` without a waiting fiber, `now` in ms since the epoch. Calls `answer` once and returns true where the
     * signal is cached and active; returns false where `receive` has to be asked.
     */
    readonly offer: (
      sender: Identity,
      instruction: Instruction,
      options: Sending,
      now: number,
      answer: (exit: AppendExit) => void
    ) => boolean
    /** Says what each of the sender's strategies would do with an alert now. Stores and orders nothing. */
    readonly preview: (
      sender: Identity,
      instruction: Instruction
    ) => Effect.Effect<ReadonlyArray<Previewed>, SignalNotFound | SignalInactive>
    /** Reads an alert with a page of its outcomes; all of them without a page. */
    readonly get: (
      account: AccountId,
      id: number,
      page?: OutcomePage
    ) => Effect.Effect<Omit<Judged, "hasMore">, AlertNotFound>
    /** Lists the caller's own alerts, newest first, each with its first outcomes. */
    readonly list: (account: AccountId, page: AlertPage) => Effect.Effect<ReadonlyArray<Judged>>
  }
>() {
  static readonly layer = Layer.effect(
    Alerts,
    Effect.gen(function* () {
      const signals = yield* Signals
      const journal = yield* Journal
      const timeline = yield* Timeline
      const bots = yield* Bots

      const active = (account: AccountId, { signalId }: Instruction) =>
        Effect.filterOrFail(
          signals.get(account, signalId),
          (signal) => signal.active,
          () => new SignalInactive()
        )

      const { now } = yield* Meters
      const { tracer } = yield* Tracing

      /** Traces how long the alert took to reach the disk. */
      const traced = (startedAt: number, exit: AppendExit): void => {
        if (tracer === undefined || Exit.isFailure(exit) || exit.value._tag === "Repeat") return
        const root = tracer.root("alert", exit.value.id)
        tracer.emit({
          id: tracer.within(root, "append"),
          parent: root,
          name: "append to journal",
          kind: "internal",
          startedAt,
          endedAt: now(),
          attributes: { "signalbox.alert.id": exit.value.id }
        })
      }

      const receive = Effect.fnUntraced(function* (
        sender: Identity,
        instruction: Instruction,
        options: Sending
      ) {
        yield* active(sender.account, instruction)
        const startedAt = now()
        // Reads the time and hands the alert over in one step, so that times of alerts never go backwards in the
        // journal.
        const append = Effect.clockWith((clock) =>
          Effect.async<Appended, JournalUnavailable | KeyReused>((resume) =>
            journal.offer(draftOf(sender, instruction, options, clock.unsafeCurrentTimeMillis()), resume)
          )
        )
        return yield* Effect.onExit(append, (exit) => Effect.sync(() => traced(startedAt, exit)))
      })

      const offer: typeof Alerts.Service.offer = (sender, instruction, options, at, answer) => {
        const signal = signals.recall(sender.account, instruction.signalId)
        if (signal?.active !== true) return false
        const draft = draftOf(sender, instruction, options, at)
        if (tracer === undefined) {
          journal.offer(draft, answer)
          return true
        }
        const startedAt = now()
        journal.offer(draft, (exit) => {
          traced(startedAt, exit)
          answer(exit)
        })
        return true
      }

      const preview = (sender: Identity, instruction: Instruction) =>
        Effect.zipRight(active(sender.account, instruction), bots.preview(sender, instruction))

      const judged = Effect.fnUntraced(function* (account: AccountId, alerts: ReadonlyArray<Alert>) {
        const found: Array<Judged> = []
        for (let size = FEW; found.length < alerts.length; ) {
          const some = alerts.slice(found.length, found.length + size)
          const outcomes = yield* timeline.outcomes(
            account,
            some.map(({ id }) => id),
            { limit: OUTCOMES_OF_ROW + 1 }
          )
          const byAlert = Arr.groupBy(outcomes, ({ alertId }) => String(alertId))
          for (const alert of some) {
            const own = byAlert[alert.id] ?? []
            const hasMore = own.length > OUTCOMES_OF_ROW
            found.push({ alert, outcomes: own.slice(0, OUTCOMES_OF_ROW), hasMore })
          }
          if (outcomes.length < MANY_OUTCOMES) size *= 2
          else {
            size = Math.max(1, size >> 1)
            yield* Effect.sleep(0)
          }
        }
        return found
      })

      const get = Effect.fn("Alerts.get")(function* (account: AccountId, id: number, page?: OutcomePage) {
        const alert = yield* journal.get(account, id)
        const outcomes = yield* timeline.outcomes(account, [alert.id], page)
        return { alert, outcomes }
      })

      const list = Effect.fn("Alerts.list")(function* (account: AccountId, page: AlertPage) {
        return yield* judged(account, yield* journal.list(account, page))
      })

      return { receive, offer, preview, get, list }
    })
  )
}

const draftOf = (
  { account, token }: Identity,
  instruction: Instruction,
  { incoming, sameness, warnings = [] }: Sending,
  receivedAt: number
): AlertDraft => {
  const draft = { account, token, instruction, receivedAt, warnings, incoming }
  return sameness === undefined ? draft : { ...draft, sameness }
}
