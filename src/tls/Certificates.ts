// Watches the two PEM files of the server's certificate. A new pair is used once it is complete and matches; a broken
// one is logged once, and the old pair stays in use.
import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { SettingRefused } from "../domain/requests/SettingRefused.ts"
import { CertificateRefused, type Certificates, type Pair } from "../http/edge/Certificate.ts"
import { isConnecting } from "./Connecting.ts"
import * as KeyFile from "./KeyFile.ts"

/** Paths of the PEM files: the certificate with its chain, and its private key. */
export interface Files {
  readonly certificate: string
  readonly key: string
}

/** How often the files are checked for a change. */
const LOOK = "2 seconds"

const DAY_MS = 86_400_000
/** A certificate that ends within this time is warned about at the start. */
const SOON_MS = 14 * DAY_MS

/** Reads both files now, and again whenever one of them changes. Fails only if the first pair cannot be used. */
export const watch = Effect.fn("Certificates.watch")(function* (files: Files) {
  let seen = stamp(files)
  let current = yield* read(files)
  yield* warn(current)

  const next = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep(LOOK)
      const now = stamp(files)
      if (now === seen) continue
      // Take the stamp before reading: a change during the read is then found at the next check.
      seen = now
      const found = yield* Effect.either(read(files))
      if (found._tag === "Left") {
        yield* Effect.logError(`${found.left.message}; the certificate from before stays in use`)
      } else if (!isSame(found.right, current)) {
        current = found.right
        yield* Effect.logInfo(`a new certificate is in use, good until ${dayOf(current)}`)
        yield* warn(current)
        return current
      }
    }
  })
  return { current: () => current, next, isConnecting } satisfies Certificates
})

/** Reads both files and checks that the key belongs to the certificate. */
const read = (files: Files): Effect.Effect<Pair, CertificateRefused | SettingRefused> =>
  Effect.gen(function* () {
    const certificate = yield* attempt(
      () => readFileSync(files.certificate, "utf8"),
      `${files.certificate} cannot be read`
    )
    const key = yield* KeyFile.read(files.key)
    const found = yield* attempt(
      () => new X509Certificate(certificate),
      `${files.certificate} holds no certificate in PEM`
    )
    const secret = yield* attempt(() => createPrivateKey(key), `${files.key} holds no private key in PEM`)
    if (!found.checkPrivateKey(secret)) {
      return yield* new CertificateRefused({
        message: `the key in ${files.key} is not the one of the certificate in ${files.certificate}`
      })
    }
    return { certificate, key: Redacted.make(key), expiresAt: Date.parse(found.validTo) }
  })

/** Drops the cause of an error: its message might quote the key. */
const attempt = <A>(act: () => A, message: string) =>
  Effect.try({ try: act, catch: () => new CertificateRefused({ message }) })

/** Changes when a file is written or replaced, or when its owner or mode changes. */
const stamp = ({ certificate, key }: Files): string =>
  [certificate, key]
    .map((file) => {
      try {
        const { gid, ino, mode, mtimeMs, size, uid } = statSync(file)
        return `${mtimeMs}:${size}:${ino}:${mode}:${uid}:${gid}`
      } catch {
        // The file is missing for now. The read reports this, and the next checks continue.
        return "none"
      }
    })
    .join(" ")

const isSame = (one: Pair, other: Pair): boolean =>
  one.certificate === other.certificate && Redacted.value(one.key) === Redacted.value(other.key)

const dayOf = ({ expiresAt }: Pair): string => new Date(expiresAt).toISOString().slice(0, 10)

const warn = (pair: Pair): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (pair.expiresAt <= now)
      return Effect.logWarning(`the certificate ended on ${dayOf(pair)}: callers refuse it`)
    return pair.expiresAt - now < SOON_MS
      ? Effect.logWarning(`the certificate ends on ${dayOf(pair)}: renew it`)
      : Effect.void
  })
