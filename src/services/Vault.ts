import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
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

/** Bytes of a nonce: drawn anew for each secret. */
export const NONCE_BYTES = 12

/** It was sealed with another master key than the one that there is. */
export const otherKey = (needed: string, found: string) =>
  new VaultLocked({
    reason: `it was sealed with master key ${needed}, and the one here is ${found}: bring that one back, or connect the account anew`
  })

/** Something has altered it, or moved it to another place. */
export const altered = new VaultLocked({
  reason: "what was sealed does not open here: it was altered, or belongs to another account; connect it anew"
})

/**
 * Seals secrets for storage: AES-256-GCM, each under a nonce of its own, bound to the place where it is kept. A port:
 * the master key never comes near the database.
 *
 * **Whoever implements it keeps**
 *
 * - Place: what was sealed at one place opens nowhere else.
 * - Wholeness: nonce or text of which a bit was changed does not open.
 * - Keys: what another master key sealed is refused with words that name the key which it needs.
 * - Secrets: no failure holds anything of a secret, nor of a key.
 *
 * **Proved by** `VaultContract` of `signalbox/testing`.
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
>() {
  /** For tests: what it gives out is random, and opens for as long as the layer lives. */
  static readonly layerMemory = Layer.sync(Vault, () => {
    const key = hex(4)
    const kept = new Map<string, { readonly place: string; readonly secret: Redacted.Redacted }>()
    return Vault.of({
      seal: Effect.fn("Vault.seal")((place, secret) =>
        Effect.sync(() => {
          const [nonce, text] = [random(NONCE_BYTES), random(32)]
          kept.set(ticketOf(nonce, text), { place, secret })
          return { key, nonce, text }
        })
      ),
      open: Effect.fn("Vault.open")((place, sealed) =>
        Effect.suspend(() => {
          if (sealed.key !== key) return otherKey(sealed.key, key)
          const found = kept.get(ticketOf(sealed.nonce, sealed.text))
          return found?.place === place ? Effect.succeed(found.secret) : altered
        })
      )
    })
  })
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
const hex = (bytes: number) => Encoding.encodeHex(random(bytes))
const ticketOf = (nonce: Uint8Array, text: Uint8Array) =>
  `${Encoding.encodeHex(nonce)} ${Encoding.encodeHex(text)}`
