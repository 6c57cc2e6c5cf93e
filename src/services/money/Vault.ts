// The port that seals secrets under a master key, with its in-memory layer. What is sealed at one place opens at no
// other, and the key never comes near the database.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** There is no master key, or another one than the secret was sealed with; `reason` says which, and what to do. */
export class VaultLocked extends Schema.TaggedError<VaultLocked>()("VaultLocked", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** A sealed secret as stored: useless without the master key, or at another place. */
export interface Sealed {
  /** The id of the master key: the first bytes of its hash, in hex. */
  readonly key: string
  readonly nonce: Uint8Array
  readonly text: Uint8Array
}

/** The master key in use. `id` and `where`, in words, may be shown. */
export interface Ready {
  readonly id: string
  readonly where: string
  /** The key was created just now: it is in no backup yet, and the operator should learn of it. */
  readonly isNew: boolean
}

/** The database is sealed with other master keys than the one here: no further key may be added. */
export const otherKeys = (used: ReadonlyArray<string>, found: string | undefined) =>
  new VaultLocked({
    reason: `this database is sealed with master key ${used.join(", ")}, and ${found === undefined ? "there is none here" : `the one here is ${found}`}: use that one, as the server does`
  })

/** Bytes of a nonce, drawn afresh for each secret. */
export const NONCE_BYTES = 12

/** The secret was sealed with another master key than the one here. */
export const otherKey = (needed: string, found: string) =>
  new VaultLocked({
    reason: `it was sealed with master key ${needed}, and the one here is ${found}: restore that key, or enter the value again`
  })

/** The sealed secret was altered, or moved to another place. */
export const altered = new VaultLocked({
  reason: "the sealed value does not open here: it was altered, or belongs to another account; enter it again"
})

/**
 * Seals secrets for storage: AES-256-GCM, each under a nonce of its own, bound to the place where it is stored. A port:
 * the master key never comes near the database.
 *
 * **An implementation keeps**
 *
 * - Place: what was sealed at one place opens nowhere else.
 * - Wholeness: a nonce or text with a single bit changed does not open.
 * - Keys: what another master key sealed is refused, with the name of the key that it needs; `ready` creates no key
 *   beside others that are in use.
 * - Secrets: no error holds anything of a secret, nor of a key.
 *
 * **Proved by** `VaultContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Vault extends Context.Tag("signalbox/services/money/Vault")<
  Vault,
  {
    /** Seals a secret. `place` names its owner and row: moved elsewhere, it does not open. */
    readonly seal: (place: string, secret: Redacted.Redacted) => Effect.Effect<Sealed, VaultLocked>
    readonly open: (place: string, sealed: Sealed) => Effect.Effect<Redacted.Redacted, VaultLocked>
    /**
     * Returns the master key, and creates it where there is none. `used` are the keys that something is sealed with
     * already: `VaultLocked` where there are some and the key here is none of them.
     */
    readonly ready: (used: ReadonlyArray<string>) => Effect.Effect<Ready, VaultLocked>
  }
>() {
  /** For tests: secrets open for as long as the layer lives. */
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
      ),
      ready: Effect.fn("Vault.ready")((used) =>
        used.length > 0 && !used.includes(key)
          ? otherKeys(used, key)
          : Effect.succeed({ id: key, where: "memory", isNew: false })
      )
    })
  })
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
const hex = (bytes: number) => Encoding.encodeHex(random(bytes))
const ticketOf = (nonce: Uint8Array, text: Uint8Array) =>
  `${Encoding.encodeHex(nonce)} ${Encoding.encodeHex(text)}`
