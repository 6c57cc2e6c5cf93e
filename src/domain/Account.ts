import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Whose something is: a whole number from 1, given in the order of making. Every store takes it first. */
export const AccountId = Schema.Int.pipe(Schema.positive(), Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** A token of an account: a whole number from 1, never given twice. */
export const TokenId = Schema.Int.pipe(Schema.positive(), Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

/** A session of the dashboard: a whole number from 1, never given twice. */
export const SessionId = Schema.Int.pipe(Schema.positive(), Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** `full` does everything; `alerts` reaches only the two alert doors, and is what stands in a webhook URL. */
export const Scope = Schema.Literal("full", "alerts")
export type Scope = typeof Scope.Type

/** What a valid token says about its bearer. */
export interface Identity {
  readonly account: AccountId
  readonly token: TokenId
  readonly scope: Scope
  /** Where its bearer is signed in to the dashboard, and showed the session instead of the token. */
  readonly session?: SessionId
}

/** A token as its owner may see it: never the secret. Times in seconds since the Unix epoch. */
export const Token = Schema.Struct({
  id: TokenId,
  account: Schema.String,
  scope: Scope,
  createdAt: Schema.Int,
  expiresAt: Schema.OptionFromNullOr(Schema.Int),
  lastUsedAt: Schema.OptionFromNullOr(Schema.Int),
  revokedAt: Schema.OptionFromNullOr(Schema.Int),
  /** The token that its maker called with; none where the command line made it. */
  madeBy: Schema.OptionFromNullOr(TokenId)
})
export type Token = typeof Token.Type

/** Whether a token is accepted at a time (seconds since the epoch): it is neither revoked nor expired. */
export const isValid = (
  { expiresAt, revokedAt }: Pick<Token, "expiresAt" | "revokedAt">,
  now: number
): boolean => Option.isNone(revokedAt) && !Option.exists(expiresAt, (at) => at <= now)

/** The valid tokens among `all` that were made with a token, and those that were made with them in turn. */
export const madeWith = (all: ReadonlyArray<Token>, id: number, now: number): ReadonlyArray<Token> => {
  // A maker is older than what it made, so that one pass in the order of making finds them all.
  const makers = new Set([id])
  return all.filter((token) => {
    if (!Option.exists(token.madeBy, (maker) => makers.has(maker))) return false
    makers.add(token.id)
    return isValid(token, now)
  })
}

/** Account names are the operator's handles on the command line. */
export const AccountName = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/))

/** The name cannot be an account's; its message says what can. */
export class AccountNameRefused extends Schema.TaggedError<AccountNameRefused>()("AccountNameRefused", {}) {
  override get message() {
    return "an account name has 1 to 64 letters, digits, dots, dashes, underscores or @, and begins with a letter or digit"
  }
}

/** No token of this id, or none of the caller's. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", { id: Schema.Int }) {
  override get message() {
    return `there is no token ${this.id}`
  }
}

/** Valid tokens that an account may hold by way of the API. */
export const MAX_TOKENS = 200

/** The account holds `MAX_TOKENS` valid tokens already. */
export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()("TooManyTokens", {}) {
  override get message() {
    return `an account may hold ${MAX_TOKENS} valid tokens: revoke one that is not used`
  }
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const SECRET_LENGTH = 36
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^sbx_(api|hook)_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

/** Random bytes that `makeSecret` wants: more than it uses, since bytes that would bias the draw are skipped. */
export const SECRET_BYTES = 96

/** The text of a new token from random bytes; none where the draw was too unlucky to fill it. */
export const makeSecret = (scope: Scope, random: Uint8Array): Option.Option<string> => {
  const letters = Array.from(random)
    .filter((byte) => byte < 248)
    .slice(0, SECRET_LENGTH)
    .map((byte) => BASE62.charAt(byte % 62))
  if (letters.length < SECRET_LENGTH) return Option.none()
  const head = `sbx_${scope === "full" ? "api" : "hook"}_${letters.join("")}`
  return Option.some(head + checksum(head))
}

/** Whether a text has the shape and the checksum of one of our tokens: a typo is refused without a look-up. */
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
