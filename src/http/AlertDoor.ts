import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Identity } from "../domain/Account.ts"
import * as AlertBody from "../domain/AlertBody.ts"
import type { Fields } from "../domain/Form.ts"
import { Violations, violation } from "../domain/Violations.ts"
import { Alerts } from "../services/Alerts.ts"
import type { Appended, Sameness } from "../services/Journal.ts"
import { Signals } from "../services/Signals.ts"
import * as Body from "./Body.ts"
import { Digest, joined } from "./Digest.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import type { Failure } from "./Problems.ts"
import { malformed, Refused } from "./Refused.ts"

/** For how long an alert that names itself, and one that only bears a time, is known when it is sent again. */
const NAMED_MS = 24 * 60 * 60 * 1000
const TIMED_MS = 20 * 1000

/** An alert as it stands at the door. `query` is its address's, without the key. */
export interface Arrival<Body = Effect.Effect<Uint8Array, Refused>> {
  readonly contentType: string
  readonly idempotencyKey: string | null
  readonly query: string
  readonly body: Body
  /** What its sender is to be told beside what is said of its fields. */
  readonly warnings: ReadonlyArray<string>
}

/** The arrival of a request, with its body, read or to be read. */
export const arrivalOf = <Body>(
  request: Request,
  query: string,
  body: Body,
  warnings: ReadonlyArray<string> = []
): Arrival<Body> => ({
  contentType: request.headers.get("content-type") ?? "",
  idempotencyKey: request.headers.get("idempotency-key"),
  query,
  body,
  warnings
})

/**
 * What happens to an alert behind the gate: read, decoded, stored. Both alert operations, through the lean doors of
 * the edge or through the contract's router, end here.
 */
export class AlertDoor extends Context.Tag("signalbox/http/AlertDoor")<
  AlertDoor,
  {
    /** Ends when the alert is on disk. */
    readonly receive: (identity: Identity, arrival: Arrival) => Effect.Effect<Appended, Failure>
    /**
     * The same at once, `now` in ms since the epoch, for an alert that nothing is wrong with and nothing has to be
     * looked up for: `answer` is called once. False where `receive` has to be asked instead.
     */
    readonly offer: (
      identity: Identity,
      arrival: Arrival<Uint8Array>,
      now: number,
      answer: (exit: Exit.Exit<Appended, Failure>) => void
    ) => boolean
  }
>() {
  static readonly layer = Layer.effect(
    AlertDoor,
    Effect.gen(function* () {
      const alerts = yield* Alerts
      const signals = yield* Signals
      const { sha256, sha256Now } = yield* Digest
      /** A record that is not there is told before what is wrong with the alert for it. */
      const flawed = (identity: Identity, refused: AlertBody.AlertRefused & { readonly _tag: "Flawed" }) =>
        Effect.gen(function* () {
          const violations = [...refused.violations]
          if (refused.signalId !== undefined) {
            const signal = yield* signals.get(identity.account, refused.signalId)
            if (!signal.active) violations.push(violation("signal_id", "is an inactive signal"))
          }
          return yield* Violations.of(violations)
        })
      const store = (
        identity: Identity,
        source: AlertBody.AlertSource,
        key: string | undefined,
        told: ReadonlyArray<string>
      ): Effect.Effect<Appended, Failure> => {
        const decoded = AlertBody.decode(source)
        if (Either.isLeft(decoded)) {
          return decoded.left._tag === "Unreadable"
            ? Effect.fail(unreadable(decoded.left))
            : flawed(identity, decoded.left)
        }
        const { instruction } = decoded.right
        const warnings = [...decoded.right.warnings, ...told]
        const names = nameOf(identity, decoded.right, key)
        if (names === undefined) return alerts.receive(identity, instruction, { warnings })
        return Effect.flatMap(sha256(bodyText(source)), (body) =>
          Effect.flatMap(sha256(nameText(names, body)), (name) =>
            alerts.receive(identity, instruction, { warnings, sameness: samenessOf(names, name, body) })
          )
        )
      }
      return AlertDoor.of({
        offer: (identity, { body, contentType, idempotencyKey, query, warnings: told }, now, answer) => {
          const text = Body.textOf(body)
          const key = IdempotencyKey.read(idempotencyKey)
          if (Body.isMultipart(contentType) || Either.isLeft(text) || Either.isLeft(key)) return false
          const source = { body: text.right, contentType, query }
          const decoded = AlertBody.decode(source)
          if (Either.isLeft(decoded)) return false
          const { instruction } = decoded.right
          const warnings = told.length === 0 ? decoded.right.warnings : [...decoded.right.warnings, ...told]
          const names = nameOf(identity, decoded.right, key.right)
          if (names === undefined) return alerts.offer(identity, instruction, { warnings }, now, answer)
          if (sha256Now === undefined) return false
          const digest = sha256Now(bodyText(source))
          const sameness = samenessOf(names, sha256Now(nameText(names, digest)), digest)
          return alerts.offer(identity, instruction, { warnings, sameness }, now, answer)
        },
        receive: (identity, { body, contentType, idempotencyKey, query, warnings }) => {
          const fields = (read: Uint8Array): Effect.Effect<string | Fields, Refused> =>
            Body.isMultipart(contentType) ? Body.multipartOf(read, contentType) : Body.textOf(read)
          return Effect.flatMap(Effect.flatMap(body, fields), (found) => {
            const source = { body: found, contentType, query }
            return idempotencyKey === null
              ? store(identity, source, undefined, warnings)
              : Effect.flatMap(IdempotencyKey.read(idempotencyKey), (key) =>
                  store(identity, source, key, warnings)
                )
          })
        }
      })
    })
  )
}

/** What names an alert, for how long, and what its name with another body means. Nothing: each sending is its own. */
interface Name {
  readonly parts: ReadonlyArray<string>
  readonly spanMs: number
  readonly onOtherBody: Sameness["onOtherBody"]
  /** The body is part of the name. */
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

/** What the digest of an alert's body, and that of its name, are of. */
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
