// Delivers events to a channel as one message, once. An error says in words for the owner what failed, and never quotes
// what an unknown receiver wrote.
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Event } from "../../../domain/Event.ts"
import type { Channel, Target } from "../../../domain/Target.ts"
import { Outbound, type Posted } from "../Outbound.ts"
import { Targets } from "../Targets.ts"
import * as Message from "./Message.ts"
import * as Signature from "./Signature.ts"

/** A failed delivery; `reason` is for the owner. `gone`: the receiver wants no more messages. */
export class Failed extends Data.TaggedError("Failed")<{
  readonly reason: string
  readonly gone: boolean
  readonly retryAfterSeconds: number
}> {}

const failed = (reason: string) => new Failed({ reason, gone: false, retryAfterSeconds: 0 })

/** The reason shown to the owner; problems with the master key are logged for the operator. */
export const LOCKED =
  "its address cannot be decrypted: the server has no master key, or another one; run signalbox doctor"

/** Delivers events to a stored target, as one message, once. */
export const deliverTo = Effect.fn("notify.deliverTo")(function* (
  { id }: Pick<Target, "id">,
  events: ReadonlyArray<Event>,
  telegramUrl: string
) {
  const { unlock } = yield* Targets
  const channel = yield* unlock(id).pipe(
    Effect.tapErrorTag("VaultLocked", ({ reason }) =>
      Effect.logWarning(`notification ${id} is locked: ${reason}`)
    ),
    Effect.catchTags({
      VaultLocked: () => failed(LOCKED),
      TargetNotFound: () => failed("it was removed")
    })
  )
  yield* deliver(channel, events, telegramUrl)
})

/** Delivers events to a channel, as one message, once. */
export const deliver = Effect.fn("notify.deliver")(function* (
  channel: Channel,
  events: ReadonlyArray<Event>,
  telegramUrl: string
) {
  const outbound = yield* Outbound
  const message = Message.of(channel, events, telegramUrl)
  const signed = channel.kind === "webhook" ? yield* signatureOf(channel.secret, events, message.body) : {}
  const posted = yield* Effect.catchTag(
    outbound.post({ ...message, headers: { ...message.headers, ...signed } }),
    "Undelivered",
    ({ reason }) => failed(reason)
  )
  const { retryAfterSeconds, status } = posted
  if (status >= 200 && status < 300) return
  return yield* new Failed({ reason: reasonOf(channel, posted), gone: status === 410, retryAfterSeconds })
})

const signatureOf = (secret: string, [event]: ReadonlyArray<Event>, body: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Signature.headersOf(secret, event?.id ?? "none", Math.floor(now / 1000), body)
  )

const reasonOf = (channel: Channel, { status, text }: Posted): string => {
  if (status >= 300 && status < 400) return `it answered ${status}, and redirects are not followed`
  if (status === 410) return "it answered 410: it wants no more of these, and is switched off"
  // Telegram's own description may be shown; what other receivers write is not repeated.
  const description =
    channel.kind === "telegram" ? /"description":"([^"\\]{1,100})"/.exec(text)?.[1] : undefined
  return `it answered ${status}${description === undefined ? "" : `: ${description.replaceAll(/\p{C}/gu, " ")}`}`
}
