// How nodes prove to each other that they have the same master key, without sending any secret: the caller signs a nonce and
// the path, and the answer signs the nonce.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"

/** The headers of the caller's proof, and of the answer's. */
export const PROOF_HEADER = "x-signalbox-node"
export const ANSWER_HEADER = "x-signalbox-node-answer"

const NONCE_BYTES = 16
/** The most nonces that are remembered, so that nobody can send a request a second time. */
const MAX_NONCES = 100_000

/** Derives the nodes' secret from the master key (HKDF-SHA256). The one does not tell the other. */
export const secretOf = (masterKey: Redacted.Redacted<Uint8Array>): Redacted.Redacted<Uint8Array> =>
  Redacted.make(new Uint8Array(hkdfSync("sha256", Redacted.value(masterKey), "", "signalbox nodes 1", 32)))

/** A request's proof: its nonce, and the header. */
export interface Proof {
  readonly nonce: string
  readonly header: string
}

/** Proofs under a secret. */
export const make = (secret: Redacted.Redacted<Uint8Array>) => {
  const seen = new Set<string>()
  const sign = (...parts: ReadonlyArray<string>): string =>
    createHmac("sha256", Redacted.value(secret)).update(JSON.stringify(parts)).digest("hex")

  return {
    /** A new proof for a request to a path. */
    prove: (path: string): Proof => {
      const nonce = randomBytes(NONCE_BYTES).toString("hex")
      return { nonce, header: `${nonce}.${sign("request", nonce, path)}` }
    },
    /** The nonce of a proof that holds and was not used before; undefined of any other. */
    accept: (header: string | undefined, path: string): string | undefined => {
      const [nonce = "", signature = ""] = (header ?? "").split(".")
      if (!isSame(signature, sign("request", nonce, path)) || seen.has(nonce)) return undefined
      seen.add(nonce)
      const [oldest] = seen
      if (seen.size > MAX_NONCES && oldest !== undefined) seen.delete(oldest)
      return nonce
    },
    /** The header of an answer to the request with this nonce. */
    answer: (nonce: string): string => sign("answer", nonce),
    /** Whether the answer to the request with this nonce is a node's. */
    isAnswer: (header: string | undefined, nonce: string): boolean =>
      isSame(header ?? "", sign("answer", nonce))
  }
}

/** Proofs of one secret. */
export type Proofs = ReturnType<typeof make>

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
