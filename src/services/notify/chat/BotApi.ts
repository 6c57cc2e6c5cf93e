// The calls of Telegram's Bot API that a chat needs. An error says what failed in words of ours: what Telegram or a
// proxy wrote is not repeated, and the bot's token stands in nothing but the address.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { lazily } from "../../../domain/internal/Lazily.ts"
import type { Outbound, Posted } from "../Outbound.ts"

/**
 * Why a call failed. `revoked`: the token is not valid any more. `conflict`: another program asks for this bot's
 * updates. `webhook`: another program gets them sent. `busy`: to be asked later. `rejected`: this call alone is wrong.
 */
export type FaultKind =
  | "revoked"
  | "conflict"
  | "webhook"
  | "busy"
  | "rejected"
  | "unreachable"
  | "unreadable"

/** A failed call. `past` is the newest update that is known to stand in a response that is too long to be read. */
export class BotFault extends Data.TaggedError("BotFault")<{
  readonly kind: FaultKind
  readonly reason: string
  readonly retryAfterSeconds: number
  readonly past?: number | undefined
}> {}

/** A button below a message. `data` comes back when it is pressed: at most 64 bytes. */
export interface Button {
  readonly label: string
  readonly data: string
}

/** What is said in a chat: plain text, with rows of buttons. */
export interface Reply {
  readonly text: string
  readonly buttons?: ReadonlyArray<ReadonlyArray<Button>>
}

/** The calls. */
export interface BotApi {
  /** Waits for updates after one that was seen, at most `limit` of them. */
  readonly updates: (
    after: number | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<unknown>, BotFault>
  readonly send: (chat: number, reply: Reply) => Effect.Effect<void, BotFault>
  /** Replaces a message of the bot's own, and its buttons. */
  readonly edit: (chat: number, message: number, reply: Reply) => Effect.Effect<void, BotFault>
  /** Answers the press of a button, with a text that is shown for a moment. */
  readonly acknowledge: (query: string, text?: string) => Effect.Effect<void, BotFault>
  /** The bot's own name, without the @. */
  readonly name: Effect.Effect<string, BotFault>
  /** Ends the delivery of updates to an address. */
  readonly endWebhook: Effect.Effect<void, BotFault>
}

/** How long Telegram holds back a response that has no updates (s). */
const HOLD_SECONDS = 25
/** Telegram's responses to other calls are short. */
const USUAL = { timeoutMs: 8_000, maxBytes: 2 ** 16 }
const POLLING = { timeoutMs: (HOLD_SECONDS + 10) * 1_000, maxBytes: 2 ** 20 }
/** The longest text of a message, in UTF-16 units. Telegram takes 4,096. */
const MAX_TEXT = 3_500
/** The longest pause that a response may ask for (s). */
const MOST_PAUSE_SECONDS = 3_600

const Envelope = Schema.parseJson(
  Schema.Struct({
    ok: Schema.Boolean,
    result: Schema.optional(Schema.Unknown),
    description: Schema.optional(Schema.String),
    parameters: Schema.optional(Schema.Struct({ retry_after: Schema.optional(Schema.Number) }))
  })
)
const readEnvelope = lazily(() => Schema.decodeUnknownEither(Envelope))
const readUpdates = lazily(() => Schema.decodeUnknownEither(Schema.Array(Schema.Unknown)))
const readBot = lazily(() => Schema.decodeUnknownEither(Schema.Struct({ username: Schema.String })))

/** Makes the calls of a bot. `url` is the operator's base address of Telegram. */
export const make = ({ post }: typeof Outbound.Service, url: string, token: Redacted.Redacted): BotApi => {
  const call = Effect.fn("BotApi.call")(function* (method: string, body: object, patience = USUAL) {
    const posted = yield* Effect.catchTag(
      post({
        url: `${url}/bot${Redacted.value(token)}/${method}`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        trusted: true,
        patience
      }),
      "Undelivered",
      ({ reason }) => fault("unreachable", `Telegram cannot be reached: ${reason}`)
    )
    return yield* resultOf(posted, patience.maxBytes)
  })
  return {
    updates: (after, limit) =>
      Effect.flatMap(
        call(
          "getUpdates",
          {
            ...(after === undefined ? {} : { offset: after + 1 }),
            ...{ limit, timeout: HOLD_SECONDS, allowed_updates: ["message", "callback_query"] }
          },
          POLLING
        ),
        (result) => Either.mapLeft(readUpdates(result), () => unreadable(""))
      ),
    send: (chat, reply) => Effect.asVoid(call("sendMessage", { chat_id: chat, ...bodyOf(reply) })),
    edit: (chat, message, reply) =>
      Effect.asVoid(call("editMessageText", { chat_id: chat, message_id: message, ...bodyOf(reply) })),
    acknowledge: (query, text) =>
      Effect.asVoid(
        call("answerCallbackQuery", { callback_query_id: query, ...(text === undefined ? {} : { text }) })
      ),
    name: Effect.flatMap(call("getMe", {}), (result) =>
      Either.mapBoth(readBot(result), {
        onLeft: () => unreadable(""),
        onRight: ({ username }) => username
      })
    ),
    endWebhook: Effect.asVoid(call("deleteWebhook", { drop_pending_updates: false }))
  }
}

/** Without a parse mode, Telegram shows names and texts as they are. */
const bodyOf = ({ buttons = [], text }: Reply) => ({
  text: text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "")} ...`,
  link_preview_options: { is_disabled: true },
  reply_markup: {
    inline_keyboard: buttons.map((row) =>
      row.map(({ data, label }) => ({ text: label, callback_data: data }))
    )
  }
})

const fault = (kind: FaultKind, reason: string, retryAfterSeconds = 0) =>
  new BotFault({ kind, reason, retryAfterSeconds: Math.min(retryAfterSeconds, MOST_PAUSE_SECONDS) })

/** A response that was cut short says nothing: only one that is as long as is read at all is known to be too long. */
const unreadable = (text: string, maxBytes = Number.POSITIVE_INFINITY) => {
  const isTooLong = new TextEncoder().encode(text).length >= maxBytes - MOST_CHARACTER_BYTES
  const found = isTooLong ? /"update_id"\s*:\s*(\d{1,15})/.exec(text)?.[1] : undefined
  return new BotFault({
    ...{ kind: "unreadable", reason: "Telegram's response cannot be read", retryAfterSeconds: 0 },
    past: found === undefined ? undefined : Number(found)
  })
}

/** A character may have been cut at the end. */
const MOST_CHARACTER_BYTES = 4

const resultOf = (
  { retryAfterSeconds, status, text }: Posted,
  maxBytes: number
): Effect.Effect<unknown, BotFault> => {
  const envelope = Either.getOrUndefined(readEnvelope(text))
  switch (status) {
    case 200:
      return envelope?.ok === true ? Effect.succeed(envelope.result) : unreadable(text, maxBytes)
    case 401:
    case 404:
      return fault("revoked", "Telegram does not know the bot's token any more")
    case 409:
      return envelope?.description?.includes("webhook") === true
        ? fault("webhook", "the bot's messages are sent to an address of another program")
        : fault("conflict", "another program reads this bot's messages")
    case 429:
      return fault(
        "busy",
        "Telegram wants to be asked less often",
        Math.max(retryAfterSeconds, envelope?.parameters?.retry_after ?? 1)
      )
    default:
      return status >= 400 && status < 500
        ? fault("rejected", `Telegram answered ${status}`)
        : fault("unreachable", `Telegram answered ${status}`, retryAfterSeconds)
  }
}
