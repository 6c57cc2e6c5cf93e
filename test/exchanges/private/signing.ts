import { createHash, createHmac } from "node:crypto"

type Digest = "hex" | "base64"

export const sha256 = (text: string, secret: string, digest: Digest): string =>
  createHmac("sha256", secret).update(text).digest(digest)

/** Kraken's: over the path and the hash of nonce and body, with a secret that is base64. */
export const kraken = (path: string, nonce: string, body: string, secret: string): string =>
  createHmac("sha512", Buffer.from(secret, "base64"))
    .update(path)
    .update(
      createHash("sha256")
        .update(nonce + body)
        .digest()
    )
    .digest("base64")

/** Whether a time is further from the exchange's than it allows. */
export const isStale = (stamp: number, now: number, windowMs: number, aheadMs = 1000): boolean =>
  !Number.isFinite(stamp) || stamp < now - windowMs || stamp >= now + aheadMs
