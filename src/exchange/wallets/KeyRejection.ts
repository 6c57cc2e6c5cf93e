// Why an exchange refused API keys, from its documented error codes, as advice in our own words. Nothing that the
// exchange wrote is repeated.
import { failureOf, fieldOf } from "../../ccxt/Failure.ts"
import type { ExchangeName } from "../../domain/Market.ts"

const WORDS = {
  key: "it does not know the key, or not for this: the key was mistyped, was revoked, or belongs to another network",
  secret: "the secret does not belong to the key: it was mistyped",
  passphrase:
    "the passphrase does not belong to the key: it is the one that was chosen when the key was made",
  signed: "the passphrase or the secret does not belong to the key: one was mistyped",
  either: "it refuses the keys: the key or the secret was mistyped, or the key was revoked",
  place: "the key may not be used from here: this machine's address is not on its list",
  right: "the key may not do that: it has to be allowed to read and to trade",
  clock: "it does not take the time of the request: set the clock of this machine (timedatectl set-ntp true)",
  nonce: "it wants each request's number above the last: let no other program use the same key",
  suspended: "the account is suspended there"
} as const
type Word = keyof typeof WORDS

/** The codes of each exchange for a fault of the key; the first match holds. */
const CODES: Readonly<Record<ExchangeName, ReadonlyArray<readonly [Word, RegExp]>>> = {
  binance: [
    ["key", /-201[45]\b/],
    ["secret", /-1022\b/],
    ["clock", /-1021\b/]
  ],
  bybit: [
    ["key", /\b(10003|33004)\b/],
    ["secret", /\b10004\b/],
    ["right", /\b10005\b/],
    ["place", /\b10010\b/],
    ["clock", /\b10002\b/]
  ],
  okx: [
    ["passphrase", /\b50105\b/],
    ["key", /\b(50101|50103|50111|50119)\b/],
    ["secret", /\b50113\b/],
    ["place", /\b50110\b/],
    ["right", /\b50120\b/],
    ["clock", /\b(50102|50112)\b/]
  ],
  kraken: [
    ["key", /EAPI:Invalid key/],
    ["secret", /EAPI:Invalid signature/],
    ["nonce", /EAPI:Invalid nonce/],
    ["right", /EGeneral:Permission denied/]
  ],
  coinbase: [
    ["right", /PERMISSION_DENIED|Missing required scopes/],
    ["either", /Unauthorized/i]
  ],
  kucoin: [
    // KuCoin signs the passphrase with the secret.
    ["signed", /\b400004\b/],
    ["key", /\b(400001|400003)\b/],
    ["secret", /\b400005\b/],
    ["place", /\b400006\b/],
    ["right", /\b400007\b/],
    ["clock", /\b400002\b/]
  ],
  bitget: [
    ["passphrase", /\b(40012|40011)\b/],
    ["key", /\b(40006|40037)\b/],
    ["secret", /\b40009\b/],
    ["place", /\b40018\b/],
    ["right", /\b40014\b/],
    ["clock", /\b(40004|40005|40008)\b/]
  ]
}

/** ccxt's error classes, if no code matches. */
const NAMES: ReadonlyMap<string, Word> = new Map([
  ["AuthenticationError", "either"],
  ["PermissionDenied", "right"],
  ["AccountNotEnabled", "right"],
  ["AccountSuspended", "suspended"],
  ["InvalidNonce", "clock"]
])

/** ccxt could not read the answer, or there was none. */
const UNREADABLE: ReadonlySet<string> = new Set(["Unreadable", "SyntaxError", "TypeError"])

/** The reason in our own words. */
export const reasonOf = (exchange: ExchangeName, cause: unknown): string => {
  const name = String(fieldOf(cause, "name"))
  const message = String(fieldOf(cause, "message")).slice(0, 4096)
  const [word] = CODES[exchange].find(([, pattern]) => pattern.test(message)) ?? [NAMES.get(name)]
  if (word !== undefined) return WORDS[word]
  if (UNREADABLE.has(name)) return "its answer cannot be read: try again in a moment"
  return failureOf(cause, undefined).reason
}
