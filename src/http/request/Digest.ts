import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"

const utf8 = new TextEncoder()

/** SHA-256 of a text, base64url; `sha256Now` is the same without a promise, where the runtime can. */
export interface Hashing {
  readonly sha256: (text: string) => Effect.Effect<string>
  readonly sha256Now: ((text: string) => string) | undefined
}

/**
 * SHA-256 of a text, base64url: what a store keeps of a key or a body, so that it keeps neither. Everywhere by Web
 * Crypto, which hops to another thread and back; `serve` puts the runtime's own in its place.
 */
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

/** One text of several, so that no two lists of parts make the same one. */
export const joined = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)
