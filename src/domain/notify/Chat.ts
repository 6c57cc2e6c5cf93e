// A chat that may read an account's records and stop its bots: one person in one chat with one bot. Anybody else in the
// same chat is a stranger.
import * as Schema from "effect/Schema"
import { AccountId } from "../Account.ts"
import { TargetId } from "../Target.ts"

/** The id of a pairing: an integer from 1, never reused. */
export const PairingId = Schema.Int.pipe(Schema.positive(), Schema.brand("PairingId"))
export type PairingId = typeof PairingId.Type

/** A person in a chat, by the messenger's own ids, with a name for lists. */
export const Person = Schema.Struct({ chat: Schema.Int, user: Schema.Int, name: Schema.String })
export type Person = typeof Person.Type

/** A paired chat. `target` is the notification whose bot it talks to; `pairedAt` in seconds since the epoch. */
export const Pairing = Schema.Struct({
  id: PairingId,
  account: AccountId,
  target: TargetId,
  ...Person.fields,
  pairedAt: Schema.Int
})
export type Pairing = typeof Pairing.Type

/** The newest update of a bot that was carried out, and when (ms since the epoch). */
export const Cursor = Schema.Struct({ update: Schema.Int, at: Schema.Int })
export type Cursor = typeof Cursor.Type

/** The most paired chats of an account. */
export const MAX_PAIRINGS = 20
/** The longest name of a pairing, in code points. */
export const MAX_PAIRING_NAME = 64

/** No pairing has this id, or it belongs to another account. */
export class PairingNotFound extends Schema.TaggedError<PairingNotFound>()("PairingNotFound", {}) {
  override get message() {
    return "there is no such paired chat"
  }
}

/** Why a valid code does not pair: `full` has `MAX_PAIRINGS`, and the chat of `taken` is another account's. */
export class PairingRefused extends Schema.TaggedError<PairingRefused>()("PairingRefused", {
  reason: Schema.Literal("full", "taken")
}) {
  override get message() {
    return this.reason === "full"
      ? `an account may have ${MAX_PAIRINGS} paired chats: remove one first`
      : "this chat is paired with another account: remove it there first, or use another chat"
  }
}
