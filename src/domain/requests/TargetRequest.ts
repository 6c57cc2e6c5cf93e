// The request to create a notification target. URLs must be https and public unless the operator allows others;
// violations quote nothing of the request.
import * as Either from "effect/Either"
import { EventKind, USUAL_KINDS } from "../Event.ts"
import { isPublic } from "../internal/PublicAddress.ts"
import { type Channel, ChannelKind, type TargetDraft } from "../Target.ts"
import type { Fields } from "./Form.ts"
import { type Violation, Violations, violation } from "./Violations.ts"

/** Context of a request: the operator's rule on addresses, and a fresh secret. */
export interface Rules {
  /** Whether private addresses and http are allowed. */
  readonly allowPrivate: boolean
  /** The secret of the target if it is a webhook. */
  readonly secret: string
}

const MAX_NAME = 64
const MAX_URL = 2_000

/** The requested target, or all violations. */
export const parse = (fields: Fields, rules: Rules): Either.Either<TargetDraft, Violations> => {
  const violations: Array<Violation> = []
  const refuse = (field: string, text: string) => {
    violations.push(violation(field, text))
    return undefined
  }
  const text = (field: string, pattern: RegExp, must: string): string | undefined => {
    const value = fields[field]
    if (value === undefined || value === null) return refuse(field, "is required")
    return typeof value === "string" && pattern.test(value) ? value : refuse(field, must)
  }
  const url = (): string | undefined => {
    const value = text("url", /^[\x21-\x7e]+$/, "must be an address")
    const problem = value === undefined ? undefined : urlError(value, rules)
    return problem === undefined ? value : refuse("url", problem)
  }

  const channel = (): Channel | undefined => {
    switch (ChannelKind.literals.find((kind) => kind === fields["kind"])) {
      case "webhook": {
        const to = url()
        return to === undefined ? undefined : { kind: "webhook", url: to, secret: rules.secret }
      }
      case "discord": {
        const to = url()
        return to === undefined ? undefined : { kind: "discord", url: to }
      }
      case "ntfy": {
        const to = url()
        const token =
          fields["token"] === undefined || fields["token"] === null
            ? ""
            : text("token", /^[\x21-\x7e]{1,256}$/, "must be a token of ntfy")
        if (to === undefined || token === undefined) return undefined
        return token === "" ? { kind: "ntfy", url: to } : { kind: "ntfy", url: to, token }
      }
      case "telegram": {
        const token = text(
          "token",
          /^\d{1,20}:[A-Za-z0-9_-]{10,100}$/,
          "must be the token of a bot, as BotFather gives it"
        )
        const chat =
          chatOf(fields["chat_id"]) ?? refuse("chat_id", "must be the number of a chat, or @its_name")
        return token === undefined || chat === undefined ? undefined : { kind: "telegram", token, chat }
      }
      case undefined:
        return refuse("kind", `must be one of ${ChannelKind.literals.join(", ")}`)
    }
  }

  const made = channel()
  const name = fields["name"] ?? made?.kind ?? "notification"
  if (typeof name !== "string" || !isName(name))
    refuse("name", `must be a text of 1 to ${MAX_NAME} characters, none of them a control character`)
  const kinds = kindsOf(fields["events"])
  if (kinds === undefined) refuse("events", "must be a list of kinds of events, as GET /v1/events names them")
  if (made === undefined || kinds === undefined || typeof name !== "string" || violations.length > 0)
    return Either.left(Violations.of(violations))
  return Either.right({ name, channel: made, kinds })
}

const isName = (name: string): boolean =>
  [...name].length >= 1 && [...name].length <= MAX_NAME && !/\p{C}/u.test(name)

const chatOf = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && /^(?:-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/.test(text) ? text : undefined
}

const CHOICES: ReadonlySet<unknown> = new Set(EventKind.literals)
const isKind = (value: unknown): value is EventKind => value !== "test" && CHOICES.has(value)

const kindsOf = (value: unknown): ReadonlyArray<EventKind> | undefined => {
  if (value === undefined || value === null) return USUAL_KINDS
  if (!Array.isArray(value) || value.length === 0 || !value.every(isKind)) return undefined
  return EventKind.literals.filter((kind) => value.includes(kind))
}

/** The violation text for a URL to post to, as far as its text shows. */
export const urlError = (text: string, { allowPrivate }: Pick<Rules, "allowPrivate">): string | undefined => {
  if (text.length > MAX_URL || !URL.canParse(text)) return "must be an address"
  const { hostname, password, protocol, username } = new URL(text)
  if (username !== "" || password !== "") return "must not hold a name or a password"
  if (protocol !== "https:" && !(allowPrivate && protocol === "http:"))
    return allowPrivate ? "must begin with https:// or http://" : "must begin with https://"
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname)
  if (!allowPrivate && isAddress && !isPublic(literal))
    return "must be a public address: the operator allows others with --allow-private-targets"
  return undefined
}
