// Takes in an alert that passed the gate: reads its body and hands it to `Alerts`. Both alert operations end here,
// through the lean door or the contract's router; a rejected alert is recorded for its owner.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId, Identity } from "../../domain/Account.ts"
import type { Reading } from "../../domain/alert/AlertReading.ts"
import type { AlertPost } from "../../domain/alert/Incoming.ts"
import { Alerts, type Tested } from "../../services/Alerts.ts"
import { Refusals } from "../../services/health/Refusals.ts"
import type { AppendExit, Appended } from "../../services/Journal.ts"
import type { Failure } from "../Problems.ts"
import type { RequestRejected } from "../RequestRejected.ts"
import * as Body from "../request/Body.ts"
import { type Remains, remember } from "./RefusedAlerts.ts"

/** An alert at the door. `query` is the address's, without the key; `body` has been read, or is to be read. */
export interface Arrival<Body = Effect.Effect<Uint8Array, RequestRejected>>
  extends Pick<AlertPost, "door" | "query" | "contentType" | "idempotencyKey" | "warnings"> {
  readonly body: Body
}

/** The arrival of a request. */
export const arrivalOf = <Body>(
  { headers }: Request,
  { body, door, query, warnings }: Pick<Arrival<Body>, "body" | "door" | "query" | "warnings">
): Arrival<Body> => ({
  door,
  contentType: headers.get("content-type") ?? "",
  idempotencyKey: headers.get("idempotency-key"),
  query,
  body,
  warnings
})

/** Takes in alerts. */
export class AlertDoor extends Context.Tag("signalbox/http/alerts/AlertDoor")<
  AlertDoor,
  {
    /** Stores an alert; ends when it is on disk, or when a test alert's preview is ready. */
    readonly receive: (identity: Identity, arrival: Arrival) => Effect.Effect<Appended | Tested, Failure>
    /** Decodes an alert. Stores nothing; rejects what `receive` would reject. */
    readonly read: (identity: Identity, arrival: Arrival) => Effect.Effect<Reading, Failure>
    /**
     * `receive` without a fiber, `now` in ms since the epoch, for a valid alert that needs no look-up: calls `answer`
     * once and returns true. False means that `receive` has to be asked.
     */
    readonly offer: (
      identity: Identity,
      arrival: Arrival<Uint8Array>,
      now: number,
      answer: (exit: AppendExit) => void
    ) => boolean
    /** Records a rejection that did not get as far as here, at `now`. */
    readonly refused: (account: AccountId, failure: Failure, remains: Remains, now: number) => void
  }
>() {
  static readonly layer = Layer.effect(
    AlertDoor,
    Effect.gen(function* () {
      const alerts = yield* Alerts
      const refused = remember(yield* Refusals)
      return AlertDoor.of({
        receive: (identity, { body, ...arrival }) => {
          let read: Uint8Array | undefined
          return Effect.tap(body, (bytes) => {
            read = bytes
          }).pipe(
            Effect.flatMap((bytes) => postOf(arrival, bytes)),
            Effect.flatMap((post) => alerts.post(identity, post)),
            Effect.tapError((failure) =>
              Effect.map(Clock.currentTimeMillis, (now) =>
                refused(identity.account, failure, { ...arrival, body: read }, now)
              )
            )
          )
        },
        offer: (identity, { body, ...arrival }, now, answer) => {
          const text = Body.textOf(body)
          if (Either.isLeft(text) || Body.isMultipart(arrival.contentType)) return false
          const post = { ...arrival, text: text.right, body: text.right }
          return alerts.offer(identity, post, now, (exit) => {
            if (Exit.isFailure(exit))
              Option.map(Cause.failureOption(exit.cause), (failure) =>
                refused(identity.account, failure, { ...arrival, body }, now)
              )
            answer(exit)
          })
        },
        read: (identity, { body, ...arrival }) =>
          Effect.flatMap(body, (bytes) =>
            Effect.flatMap(postOf(arrival, bytes), (post) => alerts.parse(identity, post))
          ),
        refused
      })
    })
  )
}

/** The request with its whole body. */
const postOf = Effect.fnUntraced(function* (arrival: Omit<Arrival, "body">, bytes: Uint8Array) {
  const text = yield* Body.textOf(bytes)
  const { contentType } = arrival
  const body = Body.isMultipart(contentType) ? yield* Body.multipartOf(bytes, contentType) : text
  return { ...arrival, text, body } satisfies AlertPost
})
