// Explains why an exchange rejected API keys, by its documented error codes, as advice in our own words. Nothing that
// the exchange wrote is repeated.
import { descriptors } from "../../ccxt/descriptors.ts"
import { failureOf } from "../../ccxt/Failure.ts"
import { fieldOf } from "../../ccxt/Field.ts"
import type { KeyFault } from "../../ccxt/Keys.ts"
import type { ExchangeName } from "../../domain/Market.ts"

const WORDS: Readonly<Record<KeyFault, string>> = {
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
}

/** ccxt's error classes, if no code matches. */
const NAMES: ReadonlyMap<string, KeyFault> = new Map([
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
  const [fault] = descriptors[exchange].keyFaults.find(([, pattern]) => pattern.test(message)) ?? [
    NAMES.get(name)
  ]
  if (fault !== undefined) return WORDS[fault]
  if (UNREADABLE.has(name)) return "its answer cannot be read: try again in a moment"
  return failureOf(exchange, cause, undefined).reason
}
