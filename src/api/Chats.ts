// The contract's views of paired chats: the code that pairs one, shown once, and the list.
import * as Schema from "effect/Schema"
import { type Pairing, PairingId } from "../domain/notify/Chat.ts"
import { TargetId } from "../domain/Target.ts"
import { moment } from "./shared/Moment.ts"

/** A code that pairs a chat with the bot of a notification. */
export const Invitation = Schema.Struct({
  code: Schema.String.annotations({
    description: "for /pair in a chat with the bot; counts once, and is shown only now"
  }),
  expires_at: moment("when the code ends"),
  bot: Schema.NullOr(Schema.String).annotations({
    description: "the bot's name; null if it could not be asked"
  }),
  link: Schema.NullOr(Schema.String).annotations({
    description: "opens the private chat with the bot, and sends the code there; null without a name"
  }),
  problem: Schema.NullOr(Schema.String).annotations({
    description: "why the bot could not be asked for its name, in words; null if it answered"
  })
}).annotations({
  identifier: "ChatInvitation",
  description: "A code that pairs a chat, as it is shown once."
})
export type Invitation = typeof Invitation.Type

/** A paired chat as its account reads it. */
export const ChatView = Schema.Struct({
  id: PairingId.annotations({ description: "identifier" }),
  notification_id: TargetId.annotations({ description: "the notification whose bot it talks to" }),
  name: Schema.String.annotations({ description: "who may give commands, by the names of the messenger" }),
  paired_at: moment("when it was paired")
}).annotations({
  identifier: "Chat",
  description: "A chat that may read the account's records and stop its bots."
})
export type ChatView = typeof ChatView.Type

/** All paired chats of an account. */
export const ChatList = Schema.Struct({ data: Schema.Array(ChatView) }).annotations({
  identifier: "ChatList",
  description: "Paired chats, in order of their pairing."
})

/** A pairing as its account reads it. */
export const chatView = ({ id, name, pairedAt, target }: Pairing): ChatView => ({
  id,
  notification_id: target,
  name,
  paired_at: pairedAt
})

/** The link that opens the private chat with a bot and sends it a code. */
export const linkOf = (bot: string, code: string): string => `https://t.me/${bot}?start=${code}`

/** A new code as it is shown. `expiresAt` in seconds. */
export const invitationView = (
  {
    bot,
    expiresAt,
    problem
  }: { readonly bot: string | undefined; readonly expiresAt: number; readonly problem: string | undefined },
  code: string
): Invitation => ({
  code,
  expires_at: expiresAt,
  bot: bot ?? null,
  link: bot === undefined ? null : linkOf(bot, code),
  problem: problem ?? null
})
