// Accounts and their tokens. A token is `sbx_`, its kind (`api` or `hook`), `_`, 36 random Base62 characters and 6
// checksum characters, so a typo is refused without a look-up; the secret is shown once and stored only as a hash.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The owner of things: an integer from 1, ascending. Every store method takes it first. */
export const AccountId = Schema.Int.pipe(Schema.positive(), Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The id of an account's token: an integer from 1, never reused. */
export const TokenId = Schema.Int.pipe(Schema.positive(), Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

/** The id of a dashboard session: an integer from 1, never reused. */
export const SessionId = Schema.Int.pipe(Schema.positive(), Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/**
 * `full` may do everything; `alerts` only reaches the two alert operations and is the scope of tokens in webhook URLs.
 */
export const Scope = Schema.Literal("full", "alerts")
export type Scope = typeof Scope.Type

/** The caller behind a valid token or session. */
export interface Identity {
  readonly account: AccountId
  readonly token: TokenId
  readonly scope: Scope
  /** The dashboard session, if the caller sent a session cookie instead of the token. */
  readonly session?: SessionId
}

/** A token as its owner sees it, without the secret. Times in seconds since the Unix epoch. */
export const Token = Schema.Struct({
  id: TokenId,
  account: Schema.String,
  scope: Scope,
  createdAt: Schema.Int,
  expiresAt: Schema.OptionFromNullOr(Schema.Int),
  lastUsedAt: Schema.OptionFromNullOr(Schema.Int),
  revokedAt: Schema.OptionFromNullOr(Schema.Int),
  /** The token that was used to create this one; none if the command line created it. */
  madeBy: Schema.OptionFromNullOr(TokenId)
})
export type Token = typeof Token.Type

/** Whether a token is neither revoked nor expired at `now` (seconds since the epoch). */
export const isValid = (
  { expiresAt, revokedAt }: Pick<Token, "expiresAt" | "revokedAt">,
  now: number
): boolean => Option.isNone(revokedAt) && !Option.exists(expiresAt, (at) => at <= now)

/** The valid tokens among `all` that were created with token `id`, directly or through others. */
export const madeWith = (all: ReadonlyArray<Token>, id: number, now: number): ReadonlyArray<Token> => {
  // A token is older than those created with it, so one pass by age finds them all.
  const makers = new Set([id])
  return all.filter((token) => {
    if (!Option.exists(token.madeBy, (maker) => makers.has(maker))) return false
    makers.add(token.id)
    return isValid(token, now)
  })
}

/** The name of an account, as the operator types it on the command line. */
export const AccountName = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/))

/** The name is not a valid account name; the message says what is. */
export class AccountNameRefused extends Schema.TaggedError<AccountNameRefused>()("AccountNameRefused", {}) {
  override get message() {
    return "an account name has 1 to 64 letters, digits, dots, dashes, underscores or @, and begins with a letter or digit"
  }
}

/** No token has this id, or it belongs to another account. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", { id: Schema.Int }) {
  override get message() {
    return `there is no token ${this.id}`
  }
}

/** The most valid tokens that an account may create through the API. */
export const MAX_TOKENS = 200

/** The account already has `MAX_TOKENS` valid tokens. */
export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()("TooManyTokens", {}) {
  override get message() {
    return `an account may hold ${MAX_TOKENS} valid tokens: revoke one that is not used`
  }
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const SECRET_LENGTH = 36
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^sbx_(api|hook)_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

/** The number of random bytes for `makeSecret`; more than it uses, because biased bytes are skipped. */
export const SECRET_BYTES = 96

/** A new token from random bytes; none if too many bytes were skipped. */
export const makeSecret = (scope: Scope, random: Uint8Array): Option.Option<string> => {
  const letters = Array.from(random)
    .filter((byte) => byte < 248)
    .slice(0, SECRET_LENGTH)
    .map((byte) => BASE62.charAt(byte % 62))
  if (letters.length < SECRET_LENGTH) return Option.none()
  const head = `sbx_${scope === "full" ? "api" : "hook"}_${letters.join("")}`
  return Option.some(head + checksum(head))
}

/** Whether a text has the shape and checksum of a token, so that a typo is refused without a look-up. */
export const isSecret = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))

/** CRC-32 (IEEE 802.3) of the text, as six Base62 digits. */
const checksum = (text: string): string => {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let rest = (crc ^ 0xffffffff) >>> 0
  let digits = ""
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
