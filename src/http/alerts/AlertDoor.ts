// What happens to an alert behind the gate: its body is read, decoded, given its idempotency key and stored. Both alert
// operations end here, whether through the lean doors or the contract's router.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { AccountId, Identity } from "../../domain/Account.ts"
import * as AlertBody from "../../domain/alert/AlertBody.ts"
import * as AlertReading from "../../domain/alert/AlertReading.ts"
import { type Door, type Incoming, incoming } from "../../domain/alert/Incoming.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { type SignalId, SignalInactive } from "../../domain/Signal.ts"
import { Alerts } from "../../services/Alerts.ts"
import type { Previewed } from "../../services/engine/Preview.ts"
import { Refusals } from "../../services/health/Refusals.ts"
import type { Appended, Sameness } from "../../services/Journal.ts"
import * as AlertPairs from "../../services/records/AlertPairs.ts"
import { Signals } from "../../services/Signals.ts"
import type { Failure } from "../Problems.ts"
import { malformed, Refused } from "../Refused.ts"
import * as Body from "../request/Body.ts"
import { Digest, joined } from "../request/Digest.ts"
import * as IdempotencyKey from "../request/IdempotencyKey.ts"
import { remember } from "./RefusedAlerts.ts"

/** How long a repeat is recognised (ms): of an alert with an id or key, and of one that carries only a time. */
const NAMED_MS = 24 * 60 * 60 * 1000
const TIMED_MS = 20 * 1000

/** The end of an alert at the door: stored, or previewed as a test. */
export type Received = Appended | Tested
export interface Tested {
  readonly _tag: "Tested"
  readonly reading: AlertReading.Reading
  readonly outcomes: ReadonlyArray<Previewed>
}

/** An alert at the door. `query` is the address's, without the key. */
export interface Arrival<Body = Effect.Effect<Uint8Array, Refused>> {
  readonly door: Door
  readonly contentType: string
  readonly idempotencyKey: string | null
  readonly query: string
  readonly body: Body
  /** Warnings for the sender, besides those about its fields. */
  readonly warnings: ReadonlyArray<string>
}

/** The arrival of a request, with its body, read or to be read. */
export const arrivalOf = <Body>(
  door: Door,
  request: Request,
  query: string,
  body: Body,
  warnings: ReadonlyArray<string> = []
): Arrival<Body> => ({
  door,
  contentType: request.headers.get("content-type") ?? "",
  idempotencyKey: request.headers.get("idempotency-key"),
  query,
  body,
  warnings
})

/** Takes in alerts. */
export class AlertDoor extends Context.Tag("signalbox/http/alerts/AlertDoor")<
  AlertDoor,
  {
    /** Stores an alert; ends when it is on disk, or when a test alert's preview is ready. */
    readonly receive: (identity: Identity, arrival: Arrival) => Effect.Effect<Received, Failure>
    /** Decodes an alert. Stores nothing; rejects what `receive` would reject. */
    readonly read: (identity: Identity, arrival: Arrival) => Effect.Effect<AlertReading.Reading, Failure>
    /**
     * `receive` without a fiber, `now` in ms since the epoch, for a valid alert that needs no look-up: calls `answer`
     * once and returns true. False means that `receive` has to be asked.
     */
    readonly offer: (
      identity: Identity,
      arrival: Arrival<Uint8Array>,
      now: number,
      answer: (exit: Exit.Exit<Appended, Failure>) => void
    ) => boolean
    /** Records a rejection that did not come through `receive`, at `now`. */
    readonly refused: (
      account: AccountId,
      arrival: Pick<Arrival<Uint8Array | undefined>, "door" | "query" | "body">,
      failure: Failure,
      now: number
    ) => void
  }
>() {
  static readonly layer = Layer.effect(
    AlertDoor,
    Effect.gen(function* () {
      const alerts = yield* Alerts
      const signals = yield* Signals
      const refusals = yield* Refusals
      const { sha256, sha256Now } = yield* Digest
      const pairs = yield* AlertPairs.make
      const atHand = (identity: Identity) => (signal: SignalId) => pairs.recall(identity.account, signal)
      /** A missing signal is reported before violations of the alert. */
      const answerInvalid = (
        identity: Identity,
        refused: AlertBody.AlertRefused & { readonly _tag: "Flawed" }
      ) =>
        Effect.gen(function* () {
          const violations = [...refused.violations]
          if (refused.signalId !== undefined) {
            const signal = yield* signals.get(identity.account, refused.signalId)
            if (!signal.active) violations.push(violation("signal_id", "is an inactive signal"))
          }
          return yield* Violations.of(violations)
        })
      /** Decodes with the cached pairs and, where its symbol is none of them, with all pairs. */
      const read = (
        identity: Identity,
        source: AlertBody.AlertSource
      ): Effect.Effect<AlertReading.Reading, Failure> =>
        Effect.gen(function* () {
          const first = AlertReading.read(source, atHand(identity))
          if (Either.isRight(first)) return first.right
          if (first.left._tag !== "Unsure") return yield* refusal(identity, first.left)
          const known = yield* pairs.of(identity.account, first.left.signalId)
          const second = AlertReading.read(source, () => known)
          return Either.isRight(second) ? second.right : yield* refusal(identity, second.left)
        })
      const refusal = (
        identity: Identity,
        refused: AlertBody.AlertRefused
      ): Effect.Effect<never, Failure> => {
        switch (refused._tag) {
          case "Unreadable":
            return Effect.fail(unreadable(refused))
          case "Flawed":
            return answerInvalid(identity, refused)
          case "Unsure":
            return Effect.dieMessage("a symbol was read with all pairs known, and is unsure")
        }
      }
      const store = Effect.fnUntraced(function* (
        identity: Identity,
        source: AlertBody.AlertSource,
        came: Incoming,
        key: string | undefined,
        told: ReadonlyArray<string>
      ) {
        const reading = yield* read(identity, source)
        const { instruction, test } = reading.request
        const warnings = [...reading.request.warnings, ...told]
        if (test) {
          const outcomes = yield* alerts.preview(identity, instruction)
          const request = { ...reading.request, warnings }
          return { _tag: "Tested" as const, reading: { ...reading, request }, outcomes }
        }
        const names = nameOf(identity, reading.request, key)
        if (names === undefined)
          return yield* alerts.receive(identity, instruction, { warnings, incoming: came })
        const body = yield* sha256(bodyText(source))
        const sameness = samenessOf(names, yield* sha256(nameText(names, body)), body)
        return yield* alerts.receive(identity, instruction, { warnings, sameness, incoming: came })
      })
      const sourceOf = (bytes: Uint8Array, { contentType, query }: Arrival) =>
        Effect.map(
          Effect.suspend(
            (): Effect.Effect<string | Fields, Refused> =>
              Body.isMultipart(contentType) ? Body.multipartOf(bytes, contentType) : Body.textOf(bytes)
          ),
          (found) => ({ body: found, contentType, query })
        )
      return AlertDoor.of({
        offer: (
          identity,
          { body, contentType, door, idempotencyKey, query, warnings: told },
          now,
          answer
        ) => {
          const text = Body.textOf(body)
          const key = IdempotencyKey.read(idempotencyKey)
          if (Body.isMultipart(contentType) || Either.isLeft(text) || Either.isLeft(key)) return false
          const source = { body: text.right, contentType, query }
          const decoded = AlertBody.decode(source, atHand(identity))
          if (Either.isLeft(decoded) || decoded.right.test) return false
          const { instruction } = decoded.right
          const warnings = told.length === 0 ? decoded.right.warnings : [...decoded.right.warnings, ...told]
          const names = nameOf(identity, decoded.right, key.right)
          const came = incoming(door, text.right, query)
          if (names === undefined)
            return alerts.offer(identity, instruction, { warnings, incoming: came }, now, answer)
          if (sha256Now === undefined) return false
          const digest = sha256Now(bodyText(source))
          const sameness = samenessOf(names, sha256Now(nameText(names, digest)), digest)
          return alerts.offer(identity, instruction, { warnings, sameness, incoming: came }, now, answer)
        },
        receive: (identity, arrival) => {
          const { door, idempotencyKey, query, warnings } = arrival
          let body: Uint8Array | undefined
          return Effect.gen(function* () {
            body = yield* arrival.body
            const source = yield* sourceOf(body, arrival)
            const key = yield* IdempotencyKey.read(idempotencyKey)
            const came = incoming(
              door,
              Either.getOrElse(Body.textOf(body), () => ""),
              query
            )
            return yield* store(identity, source, came, key, warnings)
          }).pipe(
            Effect.tapError((failure) =>
              Effect.map(Clock.currentTimeMillis, (now) =>
                remember(refusals, identity.account, failure, { door, query, body }, now)
              )
            )
          )
        },
        refused: (account, arrival, failure, now) => remember(refusals, account, failure, arrival, now),
        read: Effect.fnUntraced(function* (identity: Identity, arrival: Arrival) {
          const reading = yield* read(identity, yield* sourceOf(yield* arrival.body, arrival))
          const signal = yield* signals.get(identity.account, reading.request.instruction.signalId)
          return signal.active ? reading : yield* new SignalInactive()
        })
      })
    })
  )
}

/**
 * The alert's idempotency key: its parts, its lifetime, and what a second body under the same key means. Absent, every
 * sending is an alert of its own.
 */
interface Name {
  readonly parts: ReadonlyArray<string>
  readonly spanMs: number
  readonly onOtherBody: Sameness["onOtherBody"]
  /** The body is part of the key. */
  readonly withBody: boolean
}

const nameOf = (
  identity: Identity,
  { id, instruction, timed }: AlertBody.AlertRequest,
  key: string | undefined
): Name | undefined => {
  const token = String(identity.token)
  const signal = String(instruction.signalId)
  if (key !== undefined)
    return { parts: ["key", token, key], spanMs: NAMED_MS, onOtherBody: "refuse", withBody: false }
  if (id !== undefined)
    return { parts: ["id", token, signal, id], spanMs: NAMED_MS, onOtherBody: "warn", withBody: false }
  if (timed) return { parts: ["time", token, signal], spanMs: TIMED_MS, onOtherBody: "warn", withBody: true }
  return undefined
}

/** The texts behind the digests of an alert's body and of its key. */
const bodyText = ({ body, query }: AlertBody.AlertSource): string =>
  joined(typeof body === "string" ? body : JSON.stringify(body), query)
const nameText = ({ parts, withBody }: Name, bodyDigest: string): string =>
  withBody ? joined(...parts, bodyDigest) : joined(...parts)

const samenessOf = ({ onOtherBody, spanMs }: Name, key: string, body: string): Sameness => ({
  key,
  body,
  spanMs,
  onOtherBody
})

const unreadable = ({ text, unfilled }: { readonly text: string; readonly unfilled: boolean }): Refused =>
  unfilled ? new Refused({ status: 422, code: "unresolved_placeholder", message: text }) : malformed(text)
