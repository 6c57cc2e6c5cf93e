// Signatures of webhooks by Standard Webhooks 1.0.0: HMAC-SHA256 over id, time and body, so that a receiver can tell
// that a message is ours and fresh.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"

const PREFIX = "whsec_"
const KEY_BYTES = 32

/** A new secret, in the format of Standard Webhooks. */
export const drawSecret = Effect.sync(
  () => PREFIX + Encoding.encodeBase64(crypto.getRandomValues(new Uint8Array(KEY_BYTES)))
)

const utf8 = new TextEncoder()

/** The signature headers of a body; `seconds` since the epoch. What is signed is id, time and body, joined by dots. */
export const headersOf = (secret: string, id: string, seconds: number, body: string) =>
  Effect.promise(async (): Promise<Record<string, string>> => {
    const bytes = Either.getOrThrow(Encoding.decodeBase64(secret.slice(PREFIX.length)))
    const key = await crypto.subtle.importKey(
      "raw",
      Uint8Array.from(bytes),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"]
    )
    const mac = await crypto.subtle.sign("HMAC", key, utf8.encode(`${id}.${seconds}.${body}`))
    return {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${Encoding.encodeBase64(new Uint8Array(mac))}`
    }
  })
