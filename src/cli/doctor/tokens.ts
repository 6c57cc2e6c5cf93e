// Checks the tokens: expired, about to expire, or powerful and never used.
import * as Option from "effect/Option"
import type { Token } from "../../domain/Account.ts"
import { moment } from "../program/table.ts"
import { type Check, GUIDE, ok, type Say, warn } from "./Check.ts"

const DAY = 86_400
/** When a token's end is reported, and after how long an unused full token is (in seconds). */
const SOON = 14 * DAY
const UNUSED = 7 * DAY

/** Checks all tokens that are not revoked. `now` is in seconds. */
export const tokens = (all: ReadonlyArray<Token>, now: number, say: Say): ReadonlyArray<Check> => {
  if (all.length === 0)
    return [
      warn(
        "tokens",
        "there are no tokens: nobody can sign in",
        say("token create --account NAME"),
        GUIDE.tokens
      )
    ]
  const faults = all.flatMap((token) => judged(token, now, say))
  return faults.length > 0 ? faults : [ok("tokens", `${all.length} valid, none about to expire`)]
}

const judged = (token: Token, now: number, say: Say): ReadonlyArray<Check> => {
  const { account, id, scope } = token
  const name = `token ${id} of ${account} (${scope})`
  const another = `${say(`token create --account ${account} --scope ${scope}`)}, and then: ${say(`token revoke ${id}`)}`
  const expiresAt = Option.getOrElse(token.expiresAt, () => Number.POSITIVE_INFINITY)
  if (expiresAt <= now)
    return [warn("tokens", `${name} expired on ${moment(expiresAt)}`, another, GUIDE.tokens)]
  if (expiresAt <= now + SOON)
    return [warn("tokens", `${name} expires on ${moment(expiresAt)}`, another, GUIDE.tokens)]
  if (scope === "full" && Option.isNone(token.lastUsedAt) && token.createdAt + UNUSED < now) {
    const text = `${name} may do everything, and was not used since ${moment(token.createdAt)}`
    return [warn("tokens", text, `if nobody needs it: ${say(`token revoke ${id}`)}`, GUIDE.tokens)]
  }
  return []
}
