// Finding, reading and making the master key.
import { describe, expect } from "bun:test"
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import * as KeyFile from "../../src/vault/KeyFile.ts"
import * as MasterKey from "../../src/vault/MasterKey.ts"
import type { Sources } from "../../src/vault/Sources.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const HEX = "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
const BASE64 = Buffer.from(HEX, "hex").toString("base64")

const from = (place: string, more: Partial<Sources> = {}): Sources => ({
  credentials: Option.none(),
  environment: Option.none(),
  folders: [place],
  ...more
})
const text = (key: MasterKey.MasterKey) => Buffer.from(Redacted.value(key.bytes)).toString("hex")
const modeOf = (path: string) => statSync(path).mode & 0o777
const refusal = (sources: Sources) =>
  Effect.map(Effect.flip(MasterKey.read(sources)), (error) => {
    expect(error._tag).toBe("VaultLocked")
    expect(JSON.stringify(error) + error.message).not.toContain("00112233")
    return error.message
  })

describe("a key file", () => {
  it.live("is made once, for its owner alone, in a folder for its owner alone", () =>
    Effect.gen(function* () {
      const place = join(yield* folder, "new", "signalbox")
      const sources = from(place)
      expect(yield* refusal(sources)).toContain(
        `there is no master key here (${place}/master.key): bring the one`
      )
      const made = yield* KeyFile.ensure(sources)
      const path = join(place, "master.key")
      expect([made.isNew, MasterKey.describe(made.origin)]).toEqual([true, `file ${path}`])
      expect([modeOf(place), modeOf(path)]).toEqual([0o700, 0o600])
      const written = readFileSync(path, "utf8")
      expect(written).toMatch(/^[0-9a-f]{64}\n$/)
      expect(text(yield* MasterKey.read(sources))).toBe(written.trim())
      expect((yield* KeyFile.ensure(sources)).isNew).toBe(false)
      expect(readFileSync(path, "utf8")).toBe(written)
    })
  )

  it.live("is the same for two processes that make one at once", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "master.key")
      const [one, two] = yield* Effect.all([MasterKey.draw, MasterKey.draw])
      expect([yield* KeyFile.write(path, one), yield* KeyFile.write(path, two)]).toEqual([true, false])
      expect(readFileSync(path, "utf8").trim()).toBe(text(one))
    })
  )

  it.live("that others may read or replace is refused", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const path = join(place, "master.key")
      writeFileSync(path, HEX, { mode: 0o600 })
      expect(text(yield* MasterKey.read(from(place)))).toBe(HEX)
      for (const mode of [0o644, 0o640, 0o660, 0o604]) {
        chmodSync(path, mode)
        expect(yield* refusal(from(place))).toContain(
          `may be read by others (0${mode.toString(8)}): chmod 600`
        )
      }
      chmodSync(path, 0o400)
      expect(text(yield* MasterKey.read(from(place)))).toBe(HEX)
      chmodSync(place, 0o770)
      expect(yield* refusal(from(place))).toContain(`others may write to (0770): chmod 700 ${place}`)
      chmodSync(place, 0o755)
      expect(text(yield* MasterKey.read(from(place)))).toBe(HEX)
    })
  )

  it.live("with anything but a key in it is refused, and none of it is repeated", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const path = join(place, "master.key")
      for (const wrong of [
        "",
        "\n",
        HEX.slice(1),
        `${HEX}0`,
        `${HEX}${HEX}`,
        "0011223z".repeat(8),
        "x".repeat(31)
      ]) {
        writeFileSync(path, wrong, { mode: 0o600 })
        expect(yield* refusal(from(place))).toContain("is not 32 bytes in hex or base64")
      }
      writeFileSync(path, HEX.repeat(100))
      expect(yield* refusal(from(place))).toContain("is not a file that holds a key")
    })
  )

  it.live("that is a folder or cannot be opened is refused in one line", () =>
    Effect.gen(function* () {
      const place = yield* folder
      mkdirSync(join(place, "master.key"))
      expect(yield* refusal(from(place))).toContain("is not a file that holds a key")
      const other = yield* folder
      writeFileSync(join(other, "a"), HEX, { mode: 0o644 })
      symlinkSync(join(other, "a"), join(other, "master.key"))
      expect(yield* refusal(from(other))).toContain("may be read by others")
    })
  )
})

describe("a master key with several sources", () => {
  it.live("comes from the credential first, then from the environment, then from the files", () =>
    Effect.gen(function* () {
      const [near, far, credentials] = yield* Effect.all([folder, folder, folder])
      const key = (digit: string) => digit.repeat(64)
      writeFileSync(join(far, "master.key"), key("3"), { mode: 0o600 })
      const read = (more: Partial<Sources>) =>
        Effect.map(MasterKey.read(from(near, { folders: [near, far], ...more })), text)
      expect(yield* read({})).toBe(key("3"))
      writeFileSync(join(near, "master.key"), key("4"), { mode: 0o600 })
      expect(yield* read({})).toBe(key("4"))
      const environment = Option.some(Redacted.make(BASE64))
      expect(yield* read({ environment })).toBe(HEX)
      const both = { environment, credentials: Option.some(credentials) }
      expect(yield* read(both)).toBe(HEX)
      // systemd guards it otherwise.
      writeFileSync(join(credentials, "signalbox-master-key"), Buffer.from(key("5"), "hex"), { mode: 0o644 })
      expect(yield* read(both)).toBe(key("5"))
      expect(Option.map(yield* MasterKey.find(from(near, both)), MasterKey.describe)).toEqual(
        Option.some("systemd credential signalbox-master-key")
      )
    })
  )

  it.live("may be hex or base64 in the environment, and anything else is refused", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const read = (words: string) => from(place, { environment: Option.some(Redacted.make(words)) })
      for (const words of [HEX, HEX.toUpperCase(), BASE64, BASE64.replace("=", ""), ` ${HEX}\n`])
        expect(text(yield* MasterKey.read(read(words)))).toBe(HEX)
      const wrong = yield* refusal(read(HEX.slice(2)))
      expect(wrong).toContain("SIGNALBOX_MASTER_KEY) is not 32 bytes")
    })
  )
})
