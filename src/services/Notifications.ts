// The use case of notifications: create, list, test and remove the targets that receive events.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { AccountId } from "../domain/Account.ts"
import { type Event, idOf } from "../domain/Event.ts"
import type { Fields } from "../domain/requests/Form.ts"
import * as TargetRequest from "../domain/requests/TargetRequest.ts"
import type { Violations } from "../domain/requests/Violations.ts"
import type { Progress, Target, TargetNotFound, TooManyTargets } from "../domain/Target.ts"
import { Events } from "./Events.ts"
import type { VaultLocked } from "./money/Vault.ts"
import { deliverTo } from "./notify/couriers/Delivery.ts"
import * as Signature from "./notify/couriers/Signature.ts"
import { Outbound } from "./notify/Outbound.ts"
import { Targets } from "./notify/Targets.ts"

/** The operator's settings for notifications. */
export interface Options {
  /** Whether private network addresses are accepted. */
  readonly allowPrivate: boolean
  /** The base URL of Telegram. */
  readonly telegramUrl: string
}

/** A target with its number of unsent events; `pending` stops counting at `MOST_PENDING`. */
export interface Standing {
  readonly target: Target
  readonly pending: number
}

/** The count of unsent events stops here: this number means "at least". */
export const MOST_PENDING = 1_000

/** The use case of notifications. */
export class Notifications extends Context.Tag("signalbox/services/Notifications")<
  Notifications,
  {
    /** Creates a target for events from now on. The secret, of a webhook only, is never shown again. */
    readonly create: (
      account: AccountId,
      body: Fields
    ) => Effect.Effect<
      { readonly target: Target; readonly secret: Redacted.Redacted | undefined },
      Violations | TooManyTargets | VaultLocked
    >
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Standing>>
    readonly remove: (account: AccountId, id: number) => Effect.Effect<void, TargetNotFound>
    /** Sends a test now; returns the error in words, or nothing. A success puts a failing target back to work. */
    readonly test: (account: AccountId, id: number) => Effect.Effect<string | undefined, TargetNotFound>
  }
>() {
  static readonly layer = (options: Options) => Layer.effect(Notifications, make(options))
}

const make = Effect.fnUntraced(function* ({ allowPrivate, telegramUrl }: Options) {
  const events = yield* Events
  const targets = yield* Targets
  const outbound = yield* Outbound

  const pendingOf = Effect.fnUntraced(function* ({ account, kinds, progress }: Target) {
    const wanted = new Set(kinds)
    let { position } = progress
    let pending = 0
    for (let more = progress.disabled === ""; more; ) {
      const stretch = yield* events.after(account, position, MOST_PENDING)
      pending += stretch.events.filter(({ event }) => wanted.has(event.kind)).length
      position = stretch.position
      more = stretch.full && pending < MOST_PENDING
    }
    return Math.min(pending, MOST_PENDING)
  })

  const create = Effect.fn("Notifications.create")(function* (account: AccountId, body: Fields) {
    const secret = yield* Signature.drawSecret
    const draft = yield* TargetRequest.parse(body, { allowPrivate, secret })
    const target = yield* targets.create(account, draft, yield* events.head)
    return { target, secret: draft.channel.kind === "webhook" ? Redacted.make(secret) : undefined }
  })

  const list = Effect.fn("Notifications.list")(function* (account: AccountId) {
    return yield* Effect.forEach(yield* targets.list(account), (target) =>
      Effect.map(pendingOf(target), (pending) => ({ target, pending }))
    )
  })

  const test = Effect.fn("Notifications.test")(function* (account: AccountId, id: number) {
    const target = yield* targets.get(account, id)
    const now = yield* Clock.currentTimeMillis
    const failure = yield* deliverTo(target, [testOf(target, now)], telegramUrl).pipe(
      Effect.provideService(Outbound, outbound),
      Effect.provideService(Targets, targets),
      Effect.as(undefined),
      Effect.catchTag("Failed", ({ reason }) => Effect.succeed(reason))
    )
    const { progress } = yield* targets.get(account, id)
    if (failure === undefined && (progress.failures > 0 || progress.disabled !== ""))
      yield* targets.revive(target.id, revived(progress, yield* events.head, now))
    return failure
  })

  return {
    create,
    list,
    remove: Effect.fn("Notifications.remove")((account: AccountId, id: number) =>
      targets.remove(account, id)
    ),
    test
  }
})

/** Puts a target back to work. Events during its suspension are not sent. */
const revived = (progress: Progress, head: Progress["position"], now: number): Progress => ({
  ...progress,
  position: progress.disabled === "" ? progress.position : head,
  failures: 0,
  nextAt: 0,
  lastSuccessAt: now,
  disabled: ""
})

const testOf = ({ id, name }: Target, at: number): Event => ({
  id: idOf("test", id, at),
  kind: "test",
  at,
  rule: "test",
  text: `This is a test of the notification ${name}: events of your strategies will arrive here.`,
  facts: {}
})
