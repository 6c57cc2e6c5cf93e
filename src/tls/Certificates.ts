import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { SettingRefused } from "../domain/requests/SettingRefused.ts"
import { CertificateRefused, type Certificates, type Pair } from "../http/edge/Certificate.ts"
import { isConnecting } from "./Connecting.ts"
import * as KeyFile from "./KeyFile.ts"

/** The two PEM files of a server's certificate: with its chain, and the key. */
export interface Files {
  readonly certificate: string
  readonly key: string
}

/** How often the files are looked at. */
const LOOK = "2 seconds"

const DAY_MS = 86_400_000
/** From when on a start warns of a certificate that ends. */
const SOON_MS = 14 * DAY_MS

/**
 * The pair in two files, read anew whenever one of them changes. A pair that is broken, for whatever reason and be it
 * half written, is told once in the log, and the one before stays in use until the files change again.
 */
export const watch = Effect.fn("Certificates.watch")(function* (files: Files) {
  let seen = stamp(files)
  let current = yield* read(files)
  yield* warn(current)

  const next = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep(LOOK)
      const now = stamp(files)
      if (now === seen) continue
      // Noted before they are read: what is written meanwhile is read at the next look.
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

/** The two files as they stand, if they belong together. */
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

/** Never with the reason that is given: it might quote the key. */
const attempt = <A>(act: () => A, message: string) =>
  Effect.try({ try: act, catch: () => new CertificateRefused({ message }) })

/** Changes when one of the files is written or replaced, or others may read it. */
const stamp = ({ certificate, key }: Files): string =>
  [certificate, key]
    .map((file) => {
      try {
        const { gid, ino, mode, mtimeMs, size, uid } = statSync(file)
        return `${mtimeMs}:${size}:${ino}:${mode}:${uid}:${gid}`
      } catch {
        // Gone, or not to be seen, for now: the reading says so, and later looks are to come all the same.
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
