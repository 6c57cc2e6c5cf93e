// Sealing and opening secrets.
import { describe, expect, test } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { Vault } from "../../src/services/money/Vault.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/money/Vault.ts"
import * as MasterKey from "../../src/vault/MasterKey.ts"
import * as Keyed from "../../src/vault/Vault.ts"
import { it } from "../lib/effect.ts"

const drawn = Layer.effect(
  Vault,
  Effect.map(MasterKey.draw, (key) => Keyed.make(Effect.succeed(key)))
)

describe("memory", () => Contract.tests(suite, Vault.layerMemory, test))
describe("AES-256-GCM", () => Contract.tests(suite, drawn, test))

const HERE = "exchange_account:1:1:okx"

describe("a master key", () => {
  it.effect("opens what it sealed, and another key does not, even if the row names that key", () =>
    Effect.gen(function* () {
      const [mine, other] = yield* Effect.all([MasterKey.draw, MasterKey.draw])
      expect(mine.id).not.toBe(other.id)
      const vault = Keyed.make(Effect.succeed(mine))
      const sealed = yield* vault.seal(HERE, Redacted.make("s3cret"))
      const elsewhere = Keyed.make(Effect.succeed(other))
      const refused = yield* Effect.flip(elsewhere.open(HERE, sealed))
      expect(refused.message).toContain(mine.id)
      expect(refused.message).toContain(other.id)
      const forged = yield* Effect.flip(elsewhere.open(HERE, { ...sealed, key: other.id }))
      expect(forged.message).toContain("does not open")
      expect(Redacted.value(yield* vault.open(HERE, sealed))).toBe("s3cret")
    })
  )

  it.effect("seals as AES-256-GCM does: the place is authenticated, and the tag stands last", () =>
    Effect.gen(function* () {
      const key = yield* MasterKey.draw
      const sealed = yield* Keyed.make(Effect.succeed(key)).seal(HERE, Redacted.make("s3cret"))
      const bytes = new Uint8Array(Redacted.value(key.bytes))
      const opened = yield* Effect.promise(async () => {
        const own = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"])
        const additionalData = new TextEncoder().encode(HERE)
        const iv = new Uint8Array(sealed.nonce)
        return crypto.subtle.decrypt(
          { name: "AES-GCM", iv, additionalData },
          own,
          new Uint8Array(sealed.text)
        )
      })
      expect(new TextDecoder().decode(opened)).toBe("s3cret")
    })
  )
})
