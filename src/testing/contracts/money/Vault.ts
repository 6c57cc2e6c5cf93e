// The contract of `Vault`: a sealed secret opens only at its place, with its key, and unchanged; it is never shown
// otherwise.
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Sealed, Vault } from "../../../services/money/Vault.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"

const HERE = "exchange_account:1:1:binance"
const WORDS = "a secret with ünlaut, 🔑 and a\nline"
const secret = Redacted.make(WORDS)

/** An implementer draws a new nonce for each secret. */
export const suite = Contract.suite<Vault>("Vault", (it) => {
  it("a sealed secret opens at its place", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      for (const text of [WORDS, "", "x".repeat(10_000)]) {
        const sealed = yield* vault.seal(HERE, Redacted.make(text))
        expect(Redacted.value(yield* vault.open(HERE, sealed))).toBe(text)
      }
    }))

  it("a secret that is sealed twice looks different each time, and never like itself", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const [one, two] = yield* Effect.all([vault.seal(HERE, secret), vault.seal(HERE, secret)])
      expect(one.key).toBe(two.key)
      expect(one.key).toMatch(/^[0-9a-f]{8}$/)
      expect([one.nonce.length, two.nonce.length]).toEqual([12, 12])
      expect(`${one.nonce}`).not.toBe(`${two.nonce}`)
      expect(`${one.text}`).not.toBe(`${two.text}`)
      expect(new TextDecoder().decode(one.text)).not.toContain("secret")
    }))

  it("a sealed secret opens at no other place", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const sealed = yield* vault.seal(HERE, secret)
      for (const place of ["", "exchange_account:2:1:binance", "exchange_account:1:2:binance", `${HERE} `])
        expect(yield* refusal(vault.open(place, sealed))).toContain("does not open")
    }))

  it("a sealed secret with a changed, missing or additional byte does not open", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const sealed = yield* vault.seal(HERE, secret)
      const { nonce, text } = sealed
      const spoilt: ReadonlyArray<Partial<Sealed>> = [
        ...[0, text.length >> 1, text.length - 1].map((at) => ({ text: flipped(text, at) })),
        ...[0, nonce.length - 1].map((at) => ({ nonce: flipped(nonce, at) })),
        { text: text.slice(1) },
        { text: text.slice(0, -1) },
        { text: new Uint8Array([...text, 0]) },
        { text: new Uint8Array() },
        { nonce: new Uint8Array() },
        { nonce: nonce.slice(1) }
      ]
      for (const part of spoilt)
        expect(yield* refusal(vault.open(HERE, { ...sealed, ...part }))).toContain("does not open")
      expect(Redacted.value(yield* vault.open(HERE, sealed))).toBe(WORDS)
    }))

  it("the vault is ready for secrets sealed with its key, and locked for those of other keys", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const { id } = yield* vault.ready([])
      expect((yield* vault.seal(HERE, secret)).key).toBe(id)
      expect(yield* vault.ready(["0badc0de", id])).toMatchObject({ id, isNew: false })
      const other = id === "0badc0de" ? "0badc0df" : "0badc0de"
      const error = yield* Effect.flip(vault.ready([other]))
      expect(error._tag).toBe("VaultLocked")
      expect(error.message).toContain(other)
      expect(error.message).toContain(id)
    }))

  it("a secret sealed with another key is refused, and the error names the key that it needs", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const sealed = yield* vault.seal(HERE, secret)
      const other = sealed.key === "0badc0de" ? "0badc0df" : "0badc0de"
      const words = yield* refusal(vault.open(HERE, { ...sealed, key: other }))
      expect(words).toContain(other)
      expect(words).toContain(sealed.key)
    }))
})

const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))

/** The words of a refusal, which hold nothing of the secret. */
const refusal = (opening: ReturnType<typeof Vault.Service.open>) =>
  Effect.map(Effect.flip(opening), (error) => {
    expect(error._tag).toBe("VaultLocked")
    expect(JSON.stringify(error) + error.message).not.toContain("secret")
    return error.message
  })
