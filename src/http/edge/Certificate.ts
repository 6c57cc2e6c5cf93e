// The TLS certificate that listeners present, and the source of its renewals.
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** A certificate chain and its private key, as matching PEM texts. */
export interface Pair {
  readonly certificate: string
  readonly key: Redacted.Redacted
  /** When the certificate expires (ms since the epoch). */
  readonly expiresAt: number
}

/** A source of certificates. */
export interface Certificates {
  /** The newest valid pair. */
  readonly current: () => Pair
  /** Waits for the next pair. A broken one is logged and skipped. */
  readonly next: Effect.Effect<Pair>
  /** Whether a TLS handshake with a port is under way, where the machine can tell: a renewal must not cut it off. */
  readonly isConnecting?: (port: number) => boolean
}

/** The server's first pair cannot be used. */
export class CertificateRefused extends Data.TaggedError("CertificateRefused")<{
  readonly message: string
}> {}
