// How nodes prove to each other that they have the same master key, without sending any secret: the caller signs the time,
// a nonce, and the node and path that it asks, and the answer signs the nonce.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Redacted from "effect/Redacted"

/** The headers of the caller's proof, and of the answer's. */
export const PROOF_HEADER = "x-signalbox-node"
export const ANSWER_HEADER = "x-signalbox-node-answer"

const NONCE_BYTES = 16
/** How far the caller's time may be from this machine's (ms): a proof ends with that. */
const AGE_MS = 60_000
/** The most proofs that are remembered, so that nobody can send a request a second time. */
const MAX_NONCES = 100_000

/** Derives the nodes' secret from the master key (HKDF-SHA256). The one does not tell the other. */
export const secretOf = (masterKey: Redacted.Redacted<Uint8Array>): Redacted.Redacted<Uint8Array> =>
  Redacted.make(new Uint8Array(hkdfSync("sha256", Redacted.value(masterKey), "", "signalbox nodes 1", 32)))

/** Where a request goes: a path of the node at an address, `host:port`. */
export interface Destination {
  readonly node: string
  readonly path: string
}

/** A request's proof: its nonce, and the header. */
export interface Proof {
  readonly nonce: string
  readonly header: string
}

const machine = Clock.make()

/** Proofs under a secret, by the machine's time (ms), of which so many are remembered. */
export const make = (
  secret: Redacted.Redacted<Uint8Array>,
  now: () => number = () => machine.unsafeCurrentTimeMillis(),
  most = MAX_NONCES
) => {
  /** The nonces of proofs that were used, with their times. */
  const used = new Map<string, number>()
  /** Proofs of before are refused: another process may have taken them, or they were forgotten. */
  let floor = now()
  const sign = (...parts: ReadonlyArray<string>): string =>
    createHmac("sha256", Redacted.value(secret)).update(JSON.stringify(parts)).digest("hex")
  const remember = (nonce: string, at: number): void => {
    used.set(nonce, at)
    for (const [oldest, time] of used) {
      const isOver = time < now() - AGE_MS
      if (!isOver && used.size <= most) return
      used.delete(oldest)
      if (!isOver) floor = Math.max(floor, time + 1)
    }
  }

  return {
    /** A new proof for a request. */
    prove: ({ node, path }: Destination): Proof => {
      const [at, nonce] = [String(now()), randomBytes(NONCE_BYTES).toString("hex")]
      return { nonce, header: `${at}.${nonce}.${sign("request", at, nonce, node, path)}` }
    },
    /** The nonce of a proof that holds now and was not used before; undefined of any other. */
    accept: (header: string | undefined, { node, path }: Destination): string | undefined => {
      const [at = "", nonce = "", signature = ""] = (header ?? "").split(".")
      if (!isSame(signature, sign("request", at, nonce, node, path))) return undefined
      const time = Number(at)
      const isOfNow = Math.abs(now() - time) <= AGE_MS && time >= floor
      if (!isOfNow || used.has(nonce)) return undefined
      remember(nonce, time)
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
