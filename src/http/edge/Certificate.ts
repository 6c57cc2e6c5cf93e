import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** A certificate with its chain, and its private key: PEM texts that belong together. */
export interface Pair {
  readonly certificate: string
  readonly key: Redacted.Redacted
  /** After which the certificate is no longer good (ms since the epoch). */
  readonly expiresAt: number
}

/** Where the pair comes from that listeners show. */
export interface Certificates {
  /** The newest pair that is whole. */
  readonly current: () => Pair
  /** Waits for another one. What is broken is told in the log, and passed over. */
  readonly next: Effect.Effect<Pair>
  /** Whether somebody is just connecting to a port, where the machine tells: they must not be cut off by a change. */
  readonly isConnecting?: (port: number) => boolean
}

/** The pair that a server is to start with cannot be used. */
export class CertificateRefused extends Data.TaggedError("CertificateRefused")<{
  readonly message: string
}> {}
