import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { altered, NONCE_BYTES, otherKey, type Sealed, Vault, type VaultLocked } from "../services/Vault.ts"
import * as MasterKey from "./MasterKey.ts"
import * as Rotation from "./Rotation.ts"
import { type Sources, sources } from "./Sources.ts"

const CIPHER = "aes-256-gcm"
const TAG_BYTES = 16

type Key = MasterKey.MasterKey

/**
 * AES-256-GCM under a master key, which is read anew for each use. The tag stands behind the text. `others` are looked
 * at for what another key sealed: while the master key is changed there are two.
 */
export const make = (
  key: Effect.Effect<Key, VaultLocked>,
  others: Effect.Effect<ReadonlyArray<Key>> = Effect.succeed([])
): typeof Vault.Service => {
  const keyOf = Effect.fnUntraced(function* (needed: string) {
    const current = yield* key
    if (current.id === needed) return current
    return (yield* others).find(({ id }) => id === needed) ?? (yield* otherKey(needed, current.id))
  })
  return Vault.of({
    seal: Effect.fn("Vault.seal")(function* (place: string, secret: Redacted.Redacted) {
      const { bytes, id } = yield* key
      const { createCipheriv } = yield* ciphers
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const cipher = createCipheriv(CIPHER, Redacted.value(bytes), nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(place))
      const parts = [cipher.update(Redacted.value(secret), "utf8"), cipher.final(), cipher.getAuthTag()]
      return { key: id, nonce, text: new Uint8Array(Buffer.concat(parts)) }
    }),
    open: Effect.fn("Vault.open")(function* (place: string, { key: needed, nonce, text }: Sealed) {
      const { bytes } = yield* keyOf(needed)
      if (nonce.length !== NONCE_BYTES || text.length < TAG_BYTES) return yield* altered
      const { createDecipheriv } = yield* ciphers
      return yield* Effect.try({
        try: () => {
          const cipher = createDecipheriv(CIPHER, Redacted.value(bytes), nonce, { authTagLength: TAG_BYTES })
          cipher.setAAD(Buffer.from(place))
          cipher.setAuthTag(text.subarray(-TAG_BYTES))
          const parts = [cipher.update(text.subarray(0, -TAG_BYTES)), cipher.final()]
          return Redacted.make(Buffer.concat(parts).toString("utf8"))
        },
        catch: () => altered
      })
    })
  })
}

/** Loaded where something is sealed or opened: a start has to be short. */
const ciphers = Effect.promise(() => import("node:crypto"))

/** On the master key that is at one of these places. */
export const of = (sources: Sources) => make(MasterKey.read(sources), Rotation.besides(sources))

/** On the master key of this machine, wherever its environment says that it is. */
export const layer = Layer.effect(
  Vault,
  Effect.map(Effect.orDie(sources), (sources) => of(sources))
)
