// Events as a message of each channel. Names come from outside, so nothing in them may start a line, format text or
// mention anybody.
import { dataOf, type Event } from "../../../domain/Event.ts"
import type { Channel } from "../../../domain/Target.ts"
import type { Posting } from "../Outbound.ts"

/** A posting before it is signed. */
export type Message = Omit<Posting, "headers"> & { readonly headers: Record<string, string> }

/** The most characters and events of one message to people: chats take few messages a second. */
const MAX_TEXT = 1_900
const MAX_EVENTS = 10

/** How many of these events, oldest first, fit into the next message. */
export const together = (kind: Channel["kind"], events: ReadonlyArray<Event>): number => {
  if (kind === "webhook") return Math.min(events.length, 1)
  let length = 0
  let count = 0
  for (const event of events.slice(0, MAX_EVENTS)) {
    // Measured as sent: Discord's text is longer by its backslashes.
    const sentence = sentenceOf(event)
    length += (kind === "discord" ? escaped(sentence) : sentence).length + 1
    if (count > 0 && length > MAX_TEXT) break
    count++
  }
  return count
}

/** Events as one message of a channel; a webhook's message holds only the first. */
export const of = (channel: Channel, events: ReadonlyArray<Event>, telegramUrl: string): Message => {
  const text = clipped(events.map(sentenceOf).join("\n"))
  switch (channel.kind) {
    case "webhook":
      return json(channel.url, events.slice(0, 1).map(bodyOf)[0] ?? {})
    case "telegram":
      // Without a parse mode, Telegram shows names and texts as they are.
      return {
        ...json(`${telegramUrl}/bot${channel.token}/sendMessage`, {
          chat_id: channel.chat,
          text,
          link_preview_options: { is_disabled: true }
        }),
        trusted: true
      }
    case "discord":
      // No mention in a name alerts anybody, and no link is unfolded.
      return json(channel.url, {
        content: clipped(escaped(text)),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS
      })
    case "ntfy": {
      const token = channel.token === undefined ? {} : { authorization: `Bearer ${channel.token}` }
      const headers = { "content-type": "text/plain; charset=utf-8", title: "Signalbox", ...token }
      return { url: channel.url, headers, body: text, trusted: false }
    }
  }
}

const SUPPRESS_EMBEDS = 4

const json = (url: string, body: object): Message => ({
  url,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  trusted: false
})

const bodyOf = (event: Event) => ({
  type: event.kind,
  timestamp: new Date(event.at).toISOString(),
  data: dataOf(event)
})

/** An event as a sentence, without control, format or line separator characters: names come from outside. */
const sentenceOf = (event: Event): string => {
  const whose = event.strategyName ?? (event.strategy === undefined ? "" : `Strategy ${event.strategy}`)
  return `${whose === "" ? "" : `${whose}: `}${event.text}`.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
}

/** Discord always renders Markdown. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, "\\$&")

const clipped = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 3).replace(/[\ud800-\udbff]$/, "")}...`
