// The use case of alerts: send one, preview one, read their outcomes. An alert is answered only once
// it is on disk; nothing is traded before that.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { AccountId, Identity } from "../domain/Account.ts"
import type { AlertNotFound, AlertUnreadable, Instruction } from "../domain/Alert.ts"
import * as AlertReading from "../domain/alert/AlertReading.ts"
import type { AlertPost, Incoming } from "../domain/alert/Incoming.ts"
import type { Violations } from "../domain/requests/Violations.ts"
import { SignalInactive, type SignalNotFound } from "../domain/Signal.ts"
import * as AlertLookup from "./alerts/AlertLookup.ts"
import { type Draft, type Known, meaningOf } from "./alerts/AlertMeaning.ts"
import * as TracedAppend from "./alerts/TracedAppend.ts"
import { outsideOf } from "./alerts/WitnessedAlert.ts"
import { Bots } from "./Bots.ts"
import type { Previewed } from "./engine/Preview.ts"
import type { AlertPage, AppendExit, Appended, JournalUnavailable, KeyReused, Sameness } from "./Journal.ts"
import * as AlertOutcomes from "./records/AlertOutcomes.ts"
import { Signals } from "./Signals.ts"
import type { OutcomePage } from "./Timeline.ts"

/** The facts of an alert's arrival besides its content. */
export interface Sending {
  readonly sameness?: Sameness
  readonly warnings?: ReadonlyArray<string>
  readonly incoming?: Incoming
}

/** A test alert: how it was understood, and what each strategy would do. */
export interface Tested {
  readonly _tag: "Tested"
  readonly reading: AlertReading.Reading
  readonly outcomes: ReadonlyArray<Previewed>
}

/** The use case of alerts: receive, test and read them. */
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
     * Takes in a request of an alert door: reads it, recognises a repeat, and stores it as `receive` does. A test is
     * previewed instead.
     */
    readonly post: (
      sender: Identity,
      request: AlertPost
    ) => Effect.Effect<
      Appended | Tested,
      AlertUnreadable | Violations | SignalNotFound | SignalInactive | JournalUnavailable | KeyReused
    >
    /**
     * `post` without a waiting fiber, `now` in ms since the epoch, for a valid alert that needs no look-up: calls
     * `answer` once and returns true. False means that nothing was done and `post` has to be asked.
     */
    readonly offer: (
      sender: Identity,
      request: AlertPost,
      now: number,
      answer: (exit: AppendExit) => void
    ) => boolean
    /** Reads a request of an alert door. Stores nothing; rejects what `post` would reject. */
    readonly parse: (
      sender: Identity,
      request: AlertPost
    ) => Effect.Effect<AlertReading.Reading, AlertUnreadable | Violations | SignalNotFound | SignalInactive>
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
    ) => Effect.Effect<Omit<AlertOutcomes.Judged, "hasMore">, AlertNotFound>
    /** Lists the caller's own alerts, newest first, each with its first outcomes. */
    readonly list: (account: AccountId, page: AlertPage) => Effect.Effect<ReadonlyArray<AlertOutcomes.Judged>>
    /** Searches the caller's own alerts, newest first; one search reads a bounded number of them. */
    readonly search: AlertOutcomes.AlertOutcomes["search"]
  }
>() {
  static readonly layer = Layer.effect(
    Alerts,
    Effect.gen(function* () {
      const bots = yield* Bots
      const signals = yield* Signals
      const append = yield* TracedAppend.make
      const { atHand, lookUp } = yield* AlertLookup.make
      const outcomes = yield* AlertOutcomes.make

      /** Reads the time and hands the alert over in one step: times of alerts never go backwards in the journal. */
      const store = (draft: Draft) =>
        Effect.clockWith((clock) =>
          Effect.async<Appended, JournalUnavailable | KeyReused>((resume) =>
            append({ ...draft, receivedAt: clock.unsafeCurrentTimeMillis() }, resume)
          )
        )
      const active = (account: AccountId, { signalId }: Instruction) =>
        Effect.filterOrFail(
          signals.get(account, signalId),
          (signal) => signal.active,
          () => new SignalInactive()
        )
      const preview = (sender: Identity, instruction: Instruction) =>
        Effect.zipRight(active(sender.account, instruction), bots.preview(sender, instruction))

      return Alerts.of({
        receive: (sender, instruction, { warnings = [], ...sending }) => {
          const { account, token } = sender
          const draft = { account, token, instruction, warnings, ...sending }
          return Effect.flatMap(active(account, instruction), (signal) =>
            store({ ...draft, ...outsideOf(signal, instruction) })
          )
        },
        post: Effect.fnUntraced(function* (sender: Identity, request: AlertPost) {
          const { known, meaning } = yield* lookUp(sender, request)
          if (meaning._tag === "Alert") return yield* store(meaning.draft)
          const outcomes = yield* preview(sender, meaning.instruction)
          return { _tag: "Tested" as const, reading: readingOf(request, known), outcomes }
        }),
        offer: (sender, request, now, answer) => {
          const meaning = meaningOf(sender, request, atHand(sender))
          if (meaning._tag !== "Alert") return false
          append({ ...meaning.draft, receivedAt: now }, answer)
          return true
        },
        parse: (sender, request) =>
          Effect.map(lookUp(sender, { ...request, idempotencyKey: null }), ({ known }) =>
            readingOf(request, known)
          ),
        preview,
        ...outcomes
      })
    })
  )
}

/** How a valid request was understood, field by field. */
const readingOf = (post: AlertPost, known: Known): AlertReading.Reading => {
  const reading = Either.getOrThrow(AlertReading.read(post, known.pairs))
  const warnings = [...reading.request.warnings, ...post.warnings]
  return { ...reading, request: { ...reading.request, warnings } }
}
