import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { EventKind, Position } from "./Event.ts"

/** Somebody who is told of events: a whole number from 1, never given twice. */
export const TargetId = Schema.Int.pipe(Schema.positive(), Schema.brand("TargetId"))
export type TargetId = typeof TargetId.Type

/** The ways in which somebody can be told. */
export const ChannelKind = Schema.Literal("webhook", "telegram", "discord", "ntfy")
export type ChannelKind = typeof ChannelKind.Type

/**
 * How somebody is told, with what it takes: addresses, tokens and secrets, none of which is ever shown again. Stored
 * sealed, and opened only to send.
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
 * How far a target has come. `failures` counts the tries in a row that came to nothing, `nextAt` is when the next one
 * may be (0: at once). A target that is `disabled` (with the reason, in words) is sent nothing. Times in ms since the
 * epoch; 0 is never.
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
 * Somebody to be told of what happens in an account, and of what: nothing in it is secret. `to` is where it goes, as
 * much of it as may be shown; `revision` counts how often it was revived.
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

/** What its owner sets of a target. */
export interface TargetDraft extends Pick<Target, "name" | "kinds"> {
  readonly channel: Channel
}

/** One that begins here: what happened before is not sent. */
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

/** The most that one account may have. */
export const MAX_TARGETS = 20

/** No target of this id, or it is another account's. */
export class TargetNotFound extends Schema.TaggedError<TargetNotFound>()("TargetNotFound", {}) {
  override get message() {
    return "there is no such notification"
  }
}

/** The account has `MAX_TARGETS` targets already. */
export class TooManyTargets extends Schema.TaggedError<TooManyTargets>()("TooManyTargets", {}) {
  override get message() {
    return `an account may have ${MAX_TARGETS} notifications`
  }
}

/** Where it goes, as much of it as is no secret. */
export const shownTo = (channel: Channel): string => {
  switch (channel.kind) {
    case "telegram":
      return `chat ${channel.chat}`
    default:
      return `${URL.canParse(channel.url) ? new URL(channel.url).origin : ""}/...`
  }
}
