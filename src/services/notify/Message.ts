import { dataOf, type Event } from "../../domain/Event.ts"
import type { Channel } from "../../domain/Target.ts"
import type { Posting } from "../people/Outbound.ts"

/** A posting before it is signed. */
export type Message = Omit<Posting, "headers"> & { readonly headers: Record<string, string> }

/** The most characters of one message for people, and events in it: chats take few messages a second. */
const MAX_TEXT = 1_900
const MAX_EVENTS = 10

/** How many of these events, the oldest first, go into the next message. */
export const together = (kind: Channel["kind"], events: ReadonlyArray<Event>): number => {
  if (kind === "webhook") return Math.min(events.length, 1)
  let length = 0
  let count = 0
  for (const event of events.slice(0, MAX_EVENTS)) {
    // As it is written there: Discord's text is longer for its backslashes.
    const sentence = sentenceOf(event)
    length += (kind === "discord" ? escaped(sentence) : sentence).length + 1
    if (count > 0 && length > MAX_TEXT) break
    count++
  }
  return count
}

/** Events as one message to a target; a webhook's holds the first of them. */
export const of = (channel: Channel, events: ReadonlyArray<Event>, telegramUrl: string): Message => {
  const text = clipped(events.map(sentenceOf).join("\n"))
  switch (channel.kind) {
    case "webhook":
      return json(channel.url, events.slice(0, 1).map(bodyOf)[0] ?? {})
    case "telegram":
      // No parse mode: what names and texts hold is shown, never obeyed.
      return {
        ...json(`${telegramUrl}/bot${channel.token}/sendMessage`, {
          chat_id: channel.chat,
          text,
          link_preview_options: { is_disabled: true }
        }),
        trusted: true
      }
    case "discord":
      // Nobody is called by what a name holds, and no link of it is unfolded.
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

/** Names come from outside: nothing in them may begin a line of its own, or turn the text around. */
const sentenceOf = (event: Event): string => {
  const whose = event.strategyName ?? (event.strategy === undefined ? "" : `Strategy ${event.strategy}`)
  return `${whose === "" ? "" : `${whose}: `}${event.text}`.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
}

/** Discord reads Markdown always. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, "\\$&")

const clipped = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 3).replace(/[\ud800-\udbff]$/, "")}...`
