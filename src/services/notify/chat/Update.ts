// Reads an update of Telegram: a message that a person typed, or the press of a button. Whatever else an update may be,
// or pretend to be, is passed over.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { lazily } from "../../../domain/internal/Lazily.ts"
import { MAX_PAIRING_NAME, type Person } from "../../../domain/notify/Chat.ts"

/** A message as a person typed it. `at` in ms since the epoch, by Telegram's clock. */
export interface Message {
  readonly _tag: "Message"
  readonly id: number
  readonly person: Person
  readonly isPrivate: boolean
  readonly at: number
  readonly text: string
}

/** The press of a button below the bot's message `message`. When it was pressed is not known. */
export interface Press {
  readonly _tag: "Press"
  readonly id: number
  readonly person: Person
  readonly query: string
  readonly message: number
  readonly data: string
}

/** An update; `Other` concerns nobody. Ids grow. */
export type Update = Message | Press | { readonly _tag: "Other"; readonly id: number }

/** The longest text and data that are read, in UTF-16 units. */
const MAX_TEXT = 256

const User = Schema.Struct({
  id: Schema.Int,
  is_bot: Schema.Boolean,
  first_name: Schema.optional(Schema.String)
})
const ChatOf = Schema.Struct({
  id: Schema.Int,
  type: Schema.Literal("private", "group", "supergroup"),
  title: Schema.optional(Schema.String)
})
/** Fields of messages that somebody else wrote: forwarded, sent through another bot, or in the name of a group. */
const BORROWED = [
  "forward_origin",
  "forward_date",
  "forward_from",
  "forward_from_chat",
  "via_bot",
  "sender_chat",
  "sender_business_bot",
  "edit_date"
] as const

const readId = lazily(() => Schema.decodeUnknownEither(Schema.Struct({ update_id: Schema.Int })))
const readMessage = Schema.decodeUnknownEither(
  Schema.Struct({
    message: Schema.Struct({ date: Schema.Int, from: User, chat: ChatOf, text: Schema.String })
  })
)
const readPress = Schema.decodeUnknownEither(
  Schema.Struct({
    callback_query: Schema.Struct({
      id: Schema.String,
      from: User,
      message: Schema.Struct({ message_id: Schema.Int, chat: ChatOf }),
      data: Schema.String
    })
  })
)
const readBorrowed = Schema.decodeUnknownEither(
  Schema.Struct({ message: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })
)

/** Reads an update; undefined where it has not even an id. */
export const read = (raw: unknown): Update | undefined => {
  const found = Either.getOrUndefined(readId(raw))
  if (found === undefined) return undefined
  return (
    messageOf(found.update_id, raw) ?? pressOf(found.update_id, raw) ?? { _tag: "Other", id: found.update_id }
  )
}

const messageOf = (id: number, raw: unknown): Message | undefined => {
  const read = Either.getOrUndefined(readMessage(raw))
  const fields = Either.getOrUndefined(readBorrowed(raw))
  if (read === undefined || fields === undefined) return undefined
  const { chat, date, from, text } = read.message
  if (from.is_bot || BORROWED.some((field) => fields.message[field] !== undefined)) return undefined
  const person = personOf(chat, from)
  if (person === undefined) return undefined
  return {
    _tag: "Message",
    id,
    person,
    isPrivate: chat.type === "private",
    at: date * 1_000,
    text: clipped(text)
  }
}

const pressOf = (id: number, raw: unknown): Press | undefined => {
  const read = Either.getOrUndefined(readPress(raw))
  if (read === undefined) return undefined
  const { data, from, id: query, message } = read.callback_query
  const person = from.is_bot ? undefined : personOf(message.chat, from)
  return person === undefined
    ? undefined
    : { _tag: "Press", id, person, query, message: message.message_id, data: clipped(data) }
}

/** The person; none where somebody speaks in the private chat of somebody else. */
const personOf = (chat: typeof ChatOf.Type, user: typeof User.Type): Person | undefined => {
  if (chat.type === "private" && chat.id !== user.id) return undefined
  const first = user.first_name ?? ""
  const name = chat.type === "private" ? first : `${first} in ${chat.title ?? "a group"}`
  return { chat: chat.id, user: user.id, name: nameOf(name) }
}

/** Names come from outside: without control characters, bounded, and never empty. */
const nameOf = (text: string): string =>
  [
    ...text
      .slice(0, 2 * MAX_PAIRING_NAME)
      .toWellFormed()
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
  ]
    .slice(0, MAX_PAIRING_NAME)
    .join("")
    .trim() || "somebody"

const clipped = (text: string): string => text.slice(0, MAX_TEXT)

/** A command as it was typed: `/close@my_bot BTC` is `close` for `my_bot`, with the words `BTC`. */
export interface Command {
  readonly name: string
  readonly bot: string | undefined
  readonly words: ReadonlyArray<string>
}

/** Reads a message as a command; undefined where it is none. */
export const commandOf = (text: string): Command | undefined => {
  const [first = "", ...words] = text.trim().split(/\s+/)
  if (!first.startsWith("/")) return undefined
  const [name = "", bot] = first.slice(1).toLowerCase().split("@")
  return { name, bot, words }
}
