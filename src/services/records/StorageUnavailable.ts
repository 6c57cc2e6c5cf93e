// The defect of a database that cannot be written or read now, as on a full disk. HTTP answers 503 (`http/Fault`), bots
// wait and try again (`engine/store/CommitRetry`), and the owner hears of it (`health/OutageAnnouncer`). An app that
// wants it as a typed error asks for a port by `typed`.
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * A row could not be written or read now: the disk is full or fails, or another process has what is needed. The HTTP server
 * answers 503. `reason` is for the log; `advice` is what the caller reads, where it is not the database.
 */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  reason: Schema.String,
  advice: Schema.optionalWith(Schema.String, { exact: true })
}) {
  override get message() {
    return this.advice ?? "the database cannot be written now; try again"
  }
}

/** Whether an effect died because the database cannot be written or read now, which passes. */
export const isAway = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), (defect) => defect instanceof StorageUnavailable)

/** An effect that also fails with `StorageUnavailable`. */
type Failing<F> =
  F extends Effect.Effect<infer A, infer E, infer R> ? Effect.Effect<A, E | StorageUnavailable, R> : F

/** A port whose effects fail with `StorageUnavailable` where those of `S` die with it; all else of it stays. */
export type Typed<S> = {
  readonly [Name in keyof S]: S[Name] extends (...args: infer Args) => infer F
    ? (...args: Args) => Failing<F>
    : Failing<S[Name]>
}

/**
 * A port with storage failures in its types. Everything within the server leaves them as defects, because only whoever
 * asked can do something about them: HTTP answers 503, and bots try again. An app that calls a port itself decides by
 * type what to do. Streams are left as they are.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Account, Signals } from "signalbox"
 * import { typed } from "signalbox/services/records/StorageUnavailable"
 *
 * export const names = (account: Account.AccountId) =>
 *   Effect.gen(function* () {
 *     const signals = yield* typed(Signals)
 *     return yield* signals.list(account, {})
 *   }).pipe(Effect.catchTag("StorageUnavailable", ({ message }) => Effect.logError(message)))
 * ```
 */
export const typed = <I, S extends object>(port: Context.Tag<I, S>): Effect.Effect<Typed<S>, never, I> =>
  Effect.map(port, (service) => withFailures(service))

function withFailures<S extends object>(service: S): Typed<S>
function withFailures(service: object): object {
  return new Proxy({}, { get: (_, name) => failing(service, Reflect.get(service, name)) })
}

const failing = (service: object, member: unknown): unknown => {
  if (Effect.isEffect(member)) return surfaced(member)
  if (typeof member !== "function") return member
  return (...args: ReadonlyArray<unknown>) => {
    const result: unknown = Reflect.apply(member, service, args)
    return Effect.isEffect(result) ? surfaced(result) : result
  }
}

const surfaced = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageUnavailable, R> =>
  Effect.catchSomeDefect(self, (defect) =>
    defect instanceof StorageUnavailable ? Option.some(Effect.fail(defect)) : Option.none()
  )
