// SHA-256 for keys and bodies, so that stores hold neither. Web Crypto by default; `serve` replaces it with the
// runtime's synchronous hash.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"

const utf8 = new TextEncoder()

/** SHA-256 of a text, base64url. `sha256Now` is synchronous, where the runtime can do that. */
export interface Hashing {
  readonly sha256: (text: string) => Effect.Effect<string>
  readonly sha256Now: ((text: string) => string) | undefined
}

/** The hash in use. */
export class Digest extends Context.Reference<Digest>()("signalbox/http/request/Digest", {
  defaultValue: (): Hashing => ({
    sha256Now: undefined,
    sha256: (text) =>
      Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", utf8.encode(text))),
        (hash) => Encoding.encodeBase64Url(new Uint8Array(hash))
      )
  })
}) {}

/** Joins texts unambiguously: no two lists of parts make the same text. */
export const joined = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)
