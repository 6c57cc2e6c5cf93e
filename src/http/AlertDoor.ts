import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
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
export interface Arrival {
  readonly contentType: string
  readonly idempotencyKey: string | null
  readonly query: string
  readonly body: Effect.Effect<Uint8Array, Refused>
}

/** The arrival of a request; its body may have been read already. */
export const arrivalOf = (request: Request, query: string, body = Body.bytes(request)): Arrival => ({
  contentType: request.headers.get("content-type") ?? "",
  idempotencyKey: request.headers.get("idempotency-key"),
  query,
  body
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
  }
>() {
  static readonly layer = Layer.effect(
    AlertDoor,
    Effect.gen(function* () {
      const alerts = yield* Alerts
      const signals = yield* Signals
      const { sha256 } = yield* Digest
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
        key: string | undefined
      ): Effect.Effect<Appended, Failure> => {
        const decoded = AlertBody.decode(source)
        if (Either.isLeft(decoded)) {
          return decoded.left._tag === "Unreadable"
            ? Effect.fail(unreadable(decoded.left))
            : flawed(identity, decoded.left)
        }
        const { instruction, warnings } = decoded.right
        const names = nameOf(identity, decoded.right, key)
        if (names === undefined) return alerts.receive(identity, instruction, { warnings })
        return Effect.flatMap(samenessOf(sha256, names, source), (sameness) =>
          alerts.receive(identity, instruction, { warnings, sameness })
        )
      }
      return AlertDoor.of({
        receive: (identity, { body, contentType, idempotencyKey, query }) => {
          const fields = (read: Uint8Array): Effect.Effect<string | Fields, Refused> =>
            Body.isMultipart(contentType) ? Body.multipartOf(read, contentType) : Body.textOf(read)
          return Effect.flatMap(Effect.flatMap(body, fields), (found) => {
            const source = { body: found, contentType, query }
            return idempotencyKey === null
              ? store(identity, source, undefined)
              : Effect.flatMap(IdempotencyKey.read(idempotencyKey), (key) => store(identity, source, key))
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

const samenessOf = (
  sha256: (text: string) => Effect.Effect<string>,
  { onOtherBody, parts, spanMs, withBody }: Name,
  source: AlertBody.AlertSource
): Effect.Effect<Sameness> =>
  Effect.gen(function* () {
    const text = typeof source.body === "string" ? source.body : JSON.stringify(source.body)
    const body = yield* sha256(joined(text, source.query))
    const key = yield* sha256(joined(...parts, ...(withBody ? [body] : [])))
    return { key, body, spanMs, onOtherBody }
  })

const unreadable = ({ text, unfilled }: { readonly text: string; readonly unfilled: boolean }): Refused =>
  unfilled ? new Refused({ status: 422, code: "unresolved_placeholder", message: text }) : malformed(text)
