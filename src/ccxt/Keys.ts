// The API keys of an exchange: their form, the query for their rights, and the faults that a key may have. A right that
// the exchange does not report clearly counts as missing.

/** The form of a key, as its owner sees it. */
export interface KeyForm {
  /** The exchange's names for the key and its secret. */
  readonly apiKey: string
  readonly secret: string
  /** The form of the secret. `pem`: a private key in PEM, or a plain text. */
  readonly form: "text" | "base64" | "pem"
}

/** The usual form: two plain texts. */
export const PLAIN_KEYS: KeyForm = { apiKey: "API key", secret: "API secret", form: "text" }

/** The query for a key's rights. */
export interface RightsQuery {
  /** ccxt's generated method for the request. */
  readonly request: string
  /** Reads the answer. A right that it does not state in the known form is undefined. */
  readonly read: (answer: unknown) => KeyRights
}

/** The rights of a key as an exchange reports them. */
export interface KeyRights {
  readonly trade?: boolean | undefined
  readonly withdraw?: boolean | undefined
  /** The id of the account that the key belongs to. */
  readonly identity?: unknown
}

/** A fault of a key or of its use: the part that the exchange rejected. */
export type KeyFault =
  | "key"
  | "secret"
  | "passphrase"
  /** The passphrase or the secret. */
  | "signed"
  /** The key or the secret. */
  | "either"
  /** The address of this machine. */
  | "place"
  | "right"
  | "clock"
  | "nonce"
  | "suspended"

/** A yes or no, which may be a text. */
export const flag = (value: unknown): boolean | undefined =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : undefined

/** A list written as `a,b` or `["a", "b"]`. */
export const list = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value === "string") return value.split(",").map((word) => word.trim())
  return Array.isArray(value) ? value.map(String) : undefined
}

/** Whether a word of the list matches; undefined without a list. */
export const some = (words: ReadonlyArray<string> | undefined, pattern: RegExp): boolean | undefined =>
  words?.some((word) => pattern.test(word))
