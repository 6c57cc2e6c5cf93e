// The form of a notification as data: kinds, fields, and the request made from them. Pure.
import type { Answer, Request } from "../wire.ts"

export type Notification = Answer<"records", "notifications">["data"][number]
export type NewNotification = Answer<"notifications", "create">
type Payload = Request<"notifications", "create">["payload"]
export type Kind = Notification["kind"]

/** The kinds of notifications. */
export const KINDS: ReadonlyArray<{
  readonly value: Kind
  readonly label: string
  readonly explain: string
}> = [
  {
    value: "webhook",
    label: "Webhook",
    explain: "Posts each event as signed JSON to an address of yours (Standard Webhooks)."
  },
  { value: "telegram", label: "Telegram", explain: "A bot of yours writes into a chat." },
  { value: "discord", label: "Discord", explain: "Writes into a channel, by the address of its webhook." },
  { value: "ntfy", label: "ntfy", explain: "Pushes to a phone or desktop that follows a topic of ntfy." }
]

export const titleOf = (kind: Kind): string => KINDS.find(({ value }) => value === kind)?.label ?? kind

/** The form's fields; each kind uses some of them. */
export interface Draft {
  readonly kind: Kind
  readonly name: string
  readonly url: string
  readonly token: string
  readonly chat: string
  readonly events: ReadonlyArray<Notification["events"][number]>
}

/** The request of a draft. Empty fields are left out, so that the server says what is required. */
export const payloadOf = ({ chat, events, kind, name, token, url }: Draft): Payload => {
  const common = { ...(name.trim() === "" ? {} : { name: name.trim() }), events }
  switch (kind) {
    case "telegram":
      return { kind, ...common, token: token.trim(), chat_id: chat.trim() }
    case "ntfy":
      return { kind, ...common, url: url.trim(), ...(token.trim() === "" ? {} : { token: token.trim() }) }
    default:
      return { kind, ...common, url: url.trim() }
  }
}

/** The errors that have a field in this kind's form; others are shown above it. */
export const besideFields = (
  kind: Kind,
  errors: Readonly<Record<string, ReadonlyArray<string>>>
): ReadonlyArray<string> => {
  const fields = {
    webhook: ["url"],
    discord: ["url"],
    ntfy: ["url", "token"],
    telegram: ["token", "chat_id"]
  }[kind]
  return Object.keys(errors).filter((it) => ["kind", "name", "events", ...fields].includes(it))
}

interface Words {
  readonly label: string
  readonly explain: string
}

/** The labels of each kind's fields. */
export const WORDS: Readonly<
  Record<
    Kind,
    {
      readonly address?: Words & { readonly placeholder: string }
      readonly token?: Words & { readonly required: boolean }
    }
  >
> = {
  webhook: {
    address: {
      label: "Address",
      placeholder: "https://hooks.example/signalbox",
      explain: "Where events are posted to."
    }
  },
  telegram: {
    token: { label: "Token of the bot", required: true, explain: "As BotFather gives it." }
  },
  discord: {
    address: {
      label: "Address of the channel’s webhook",
      placeholder: "https://discord.com/api/webhooks/…",
      explain: "In Discord: the channel’s settings, Integrations, Webhooks."
    }
  },
  ntfy: {
    address: {
      label: "Address of the topic",
      placeholder: "https://ntfy.sh/your-topic",
      explain: "Anybody who knows a public topic can read it: choose a name that cannot be guessed."
    },
    token: { label: "Access token", required: false, explain: "If the topic requires one." }
  }
}
