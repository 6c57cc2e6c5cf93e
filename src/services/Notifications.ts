// The use case of notifications: create, list, test and remove the targets that receive events, and pair chats with
// their bots.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { AccountId } from "../domain/Account.ts"
import { type Event, idOf } from "../domain/Event.ts"
import type { Pairing, PairingNotFound } from "../domain/notify/Chat.ts"
import type { Fields } from "../domain/requests/Form.ts"
import * as TargetRequest from "../domain/requests/TargetRequest.ts"
import { Violations, violation } from "../domain/requests/Violations.ts"
import type { Progress, Target, TargetNotFound, TooManyTargets } from "../domain/Target.ts"
import { Events } from "./Events.ts"
import type { VaultLocked } from "./money/Vault.ts"
import { Chats } from "./notify/Chats.ts"
import * as BotApi from "./notify/chat/BotApi.ts"
import * as ChatNotes from "./notify/chat/Notes.ts"
import { deliverTo, LOCKED } from "./notify/couriers/Delivery.ts"
import * as Signature from "./notify/couriers/Signature.ts"
import { Outbound } from "./notify/Outbound.ts"
import { Targets } from "./notify/Targets.ts"
import type { Issued } from "./records/SignInCodes.ts"

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

/** A code that pairs a chat with a bot. `bot` is its name; where that is missing, `problem` says why. */
export interface Invitation extends Issued {
  readonly bot: string | undefined
  readonly problem: string | undefined
}

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
    /** Issues a code that pairs a chat with the bot of a Telegram target, so that the chat may read and stop. */
    readonly pair: (account: AccountId, id: number) => Effect.Effect<Invitation, TargetNotFound | Violations>
    /** Lists the account's paired chats. */
    readonly chats: (account: AccountId) => Effect.Effect<ReadonlyArray<Pairing>>
    /** Ends a pairing: the chat is a stranger from then on. */
    readonly unpair: (account: AccountId, id: number) => Effect.Effect<void, PairingNotFound>
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
    test,
    ...(yield* pairing(telegramUrl))
  }
})

/** Makes the pairing of chats with the bots of targets. */
const pairing = Effect.fnUntraced(function* (telegramUrl: string) {
  const chats = yield* Chats
  const events = yield* Events
  const outbound = yield* Outbound
  const targets = yield* Targets

  /** The name of a target's bot, or why it cannot be had. */
  const botOf = ({ id }: Target): Effect.Effect<Pick<Invitation, "bot" | "problem">> =>
    targets.unlock(id).pipe(
      Effect.flatMap((channel) =>
        channel.kind === "telegram"
          ? BotApi.make(outbound, telegramUrl, Redacted.make(channel.token)).name
          : Effect.dieMessage("only a bot has a name")
      ),
      Effect.map((bot) => ({ bot, problem: undefined })),
      Effect.catchTags({
        BotFault: ({ reason }) => Effect.succeed({ bot: undefined, problem: reason }),
        VaultLocked: () => Effect.succeed({ bot: undefined, problem: LOCKED }),
        TargetNotFound: ({ message }) => Effect.succeed({ bot: undefined, problem: message })
      })
    )

  const pair = Effect.fn("Notifications.pair")(function* (account: AccountId, id: number) {
    const target = yield* targets.get(account, id)
    if (target.kind !== "telegram") return yield* Violations.of([violation("id", NO_BOT)])
    return { ...(yield* chats.issue(account, id)), ...(yield* botOf(target)) }
  })

  const unpair = Effect.fn("Notifications.unpair")(function* (account: AccountId, id: number) {
    const pairing = (yield* chats.list(account)).find((one) => one.id === id)
    yield* chats.remove(account, id)
    if (pairing !== undefined)
      yield* events.announce(ChatNotes.unpaired(pairing, yield* Clock.currentTimeMillis), account)
  })

  return { pair, chats: chats.list, unpair }
})

const NO_BOT = "must be the number of a Telegram notification: only its bot hears commands"

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
