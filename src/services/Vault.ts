import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** There is no master key, or it is not the one that a secret was sealed with; `reason` says which, and what to do. */
export class VaultLocked extends Schema.TaggedError<VaultLocked>()("VaultLocked", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** What was sealed, as it is stored: of no use without the master key, nor at another place. */
export interface Sealed {
  /** Which master key: the first bytes of its hash, in hex. */
  readonly key: string
  readonly nonce: Uint8Array
  readonly text: Uint8Array
}

/**
 * Seals secrets for storage: AES-256-GCM, each under a nonce of its own, bound to the place where it is kept. A port:
 * the master key never comes near the database.
 *
 * @category Ports
 */
export class Vault extends Context.Tag("signalbox/services/Vault")<
  Vault,
  {
    /** `place` says whose and where: what is moved elsewhere does not open. */
    readonly seal: (place: string, secret: Redacted.Redacted) => Effect.Effect<Sealed, VaultLocked>
    readonly open: (place: string, sealed: Sealed) => Effect.Effect<Redacted.Redacted, VaultLocked>
  }
>() {}
