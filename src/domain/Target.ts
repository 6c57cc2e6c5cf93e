// Notification targets: where an account's events are sent, which kinds, and how far each target has
// been served.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { EventKind, Position } from "./Event.ts"

/** The id of a notification target: an integer from 1, never reused. */
export const TargetId = Schema.Int.pipe(Schema.positive(), Schema.brand("TargetId"))
export type TargetId = typeof TargetId.Type

/** The kinds of channels. */
export const ChannelKind = Schema.Literal("webhook", "telegram", "discord", "ntfy")
export type ChannelKind = typeof ChannelKind.Type

/**
 * A channel and its addresses, tokens and secrets, which are never shown again. Stored encrypted, decrypted only to
 * send.
 */
export const Channel = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("webhook"), url: Schema.String, secret: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("telegram"), token: Schema.String, chat: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("discord"), url: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("ntfy"),
    url: Schema.String,
    token: Schema.optionalWith(Schema.String, { exact: true })
  })
)
export type Channel = typeof Channel.Type

/**
 * The delivery state of a target. `failures` counts failed tries in a row, `nextAt` is the earliest next try (0: at
 * once). A `disabled` target (with the reason) is sent nothing. Times in ms since the epoch; 0 is never.
 */
export const Progress = Schema.Struct({
  position: Position,
  failures: Schema.Int,
  nextAt: Schema.Int,
  delivered: Schema.Int,
  givenUp: Schema.Int,
  lastSuccessAt: Schema.Int,
  lastFailureAt: Schema.Int,
  lastFailure: Schema.String,
  disabled: Schema.String
})
export type Progress = typeof Progress.Type

/**
 * A notification target, without secrets. `to` is the visible part of its address; `revision` counts how often it was
 * enabled again.
 */
export const Target = Schema.Struct({
  id: TargetId,
  account: AccountId,
  name: Schema.String,
  kind: ChannelKind,
  to: Schema.String,
  kinds: Schema.Array(EventKind),
  /** In seconds since the epoch. */
  createdAt: Schema.Int,
  revision: Schema.Int,
  progress: Progress
})
export type Target = typeof Target.Type

/** The fields that the owner sets. */
export interface TargetDraft extends Pick<Target, "name" | "kinds"> {
  readonly channel: Channel
}

/** The state of a new target: earlier events are not sent. */
export const beginning = (position: Position): Progress => ({
  position,
  failures: 0,
  nextAt: 0,
  delivered: 0,
  givenUp: 0,
  lastSuccessAt: 0,
  lastFailureAt: 0,
  lastFailure: "",
  disabled: ""
})

/** The most targets of an account. */
export const MAX_TARGETS = 20

/** No target has this id, or it belongs to another account. */
export class TargetNotFound extends Schema.TaggedError<TargetNotFound>()("TargetNotFound", {}) {
  override get message() {
    return "there is no such notification"
  }
}

/** The account already has `MAX_TARGETS` targets. */
export class TooManyTargets extends Schema.TaggedError<TooManyTargets>()("TooManyTargets", {}) {
  override get message() {
    return `an account may have ${MAX_TARGETS} notifications`
  }
}

/** The part of a channel's address that is no secret. */
export const shownTo = (channel: Channel): string => {
  switch (channel.kind) {
    case "telegram":
      return `chat ${channel.chat}`
    default:
      return `${URL.canParse(channel.url) ? new URL(channel.url).origin : ""}/...`
  }
}
