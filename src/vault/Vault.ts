// Seals secrets with AES-256-GCM under the master key. Each secret is bound to its place, so that a sealed text
// copied to another row does not open.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import {
  altered,
  NONCE_BYTES,
  otherKey,
  otherKeys,
  type Ready,
  type Sealed,
  Vault,
  type VaultLocked
} from "../services/money/Vault.ts"
import * as KeyFile from "./KeyFile.ts"
import * as MasterKey from "./MasterKey.ts"
import * as Rotation from "./Rotation.ts"
import { type Sources, sources } from "./Sources.ts"

const CIPHER = "aes-256-gcm"
const TAG_BYTES = 16

type Key = MasterKey.MasterKey

/**
 * A vault on one master key. The authentication tag is stored after the text. `others` are tried for a secret that
 * another key sealed, which happens while the master key is being replaced. `ensure` makes the key where there is
 * none, and says where it is.
 */
export const make = (
  key: Effect.Effect<Key, VaultLocked>,
  others: Effect.Effect<ReadonlyArray<Key>> = Effect.succeed([]),
  ensure: Effect.Effect<Ready, VaultLocked> = Effect.map(key, ({ id }) => ({
    id,
    where: "given",
    isNew: false
  }))
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
    }),
    ready: Effect.fn("Vault.ready")(function* (used: ReadonlyArray<string>) {
      if (used.length > 0) {
        const here = yield* Effect.option(key)
        if (!Option.exists(here, ({ id }) => used.includes(id)))
          return yield* otherKeys(used, Option.getOrUndefined(here)?.id)
      }
      return yield* ensure
    })
  })
}

/** Loads `node:crypto` only when a secret is sealed or opened, to keep the start short. */
const ciphers = Effect.promise(() => import("node:crypto"))

/** A vault on the master key found in `sources`. */
export const of = (sources: Sources) =>
  make(MasterKey.read(sources), Rotation.besides(sources), ensured(sources))

const ensured = Effect.fnUntraced(function* (sources: Sources) {
  const { isNew, origin } = yield* KeyFile.ensure(sources)
  const { id } = yield* MasterKey.readFrom(origin)
  return { id, where: MasterKey.describe(origin), isNew }
})

/** A vault on the master key that the environment names. */
export const layer = Layer.effect(
  Vault,
  Effect.map(Effect.orDie(sources), (sources) => of(sources))
)
