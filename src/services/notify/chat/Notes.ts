// What is noted of chats: on a strategy's timeline beside what a chat ordered, and among the account's events where a
// chat was paired or forgotten.
import * as Option from "effect/Option"
import type { Pairing } from "../../../domain/notify/Chat.ts"
import type { TimelineNote } from "../../../domain/Timeline.ts"
import { plain } from "./Figures.ts"

/** A chat by its number and name. */
export const titleOf = ({ id, name }: Pairing): string => `chat ${id}, ${plain(name)}`

const noteOf = ({ id }: Pairing, at: number, rule: string, text: string): TimelineNote => ({
  at,
  rule,
  alertId: Option.none(),
  reason: Option.none(),
  text,
  facts: { door: "chat", chat: id }
})

/** What stands beside this note was ordered by a chat. `at` in ms. */
export const ordered = (pairing: Pairing, at: number): TimelineNote =>
  noteOf(pairing, at, "by_chat", `Ordered by ${titleOf(pairing)}.`)

/** A chat was paired. */
export const paired = (pairing: Pairing, at: number): TimelineNote =>
  noteOf(
    pairing,
    at,
    "chat_paired",
    `Paired with ${titleOf(pairing)}: it may read this account's records and stop its bots.`
  )

/** A pairing ended. */
export const unpaired = (pairing: Pairing, at: number): TimelineNote =>
  noteOf(pairing, at, "chat_unpaired", `Paired no more with ${titleOf(pairing)}.`)
