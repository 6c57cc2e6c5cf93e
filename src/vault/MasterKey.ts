// Finds and reads the master key: a systemd credential first, then the environment, then a file. It is read for each
// use and never kept in memory.
import type { Stats } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { VaultLocked } from "../services/money/Vault.ts"
import { type Sources, VARIABLE } from "./Sources.ts"

/** The length of a master key. */
export const KEY_BYTES = 32
/** The name of the systemd credential. */
export const CREDENTIAL = "signalbox-master-key"
const FILE_NAME = "master.key"
/** A written key takes less than a tenth of this. */
const MAX_FILE_BYTES = 1024

/** The place of a master key. */
export type Origin =
  | { readonly _tag: "Credential"; readonly path: string }
  | { readonly _tag: "Environment"; readonly text: Redacted.Redacted }
  | { readonly _tag: "File"; readonly path: string }

/** A master key, read for one use. `id` is the start of its hash in hex, and may be shown. */
export interface MasterKey {
  readonly id: string
  readonly bytes: Redacted.Redacted<Uint8Array>
}

/** Finds the place of the master key, if there is one. */
export const find = Effect.fn("MasterKey.find")(function* ({ credentials, environment, folders }: Sources) {
  const { existsSync } = yield* files
  const credential = Option.map(credentials, (folder) => join(folder, CREDENTIAL))
  if (Option.exists(credential, existsSync))
    return Option.map(credential, (path): Origin => ({ _tag: "Credential", path }))
  if (Option.isSome(environment)) return Option.some<Origin>({ _tag: "Environment", text: environment.value })
  const path = folders.map((folder) => join(folder, FILE_NAME)).find((path) => existsSync(path))
  return Option.map(Option.fromNullable(path), (path): Origin => ({ _tag: "File", path }))
})

/** Describes the place of the key, without any part of the key. */
export const describe = (origin: Origin): string => {
  switch (origin._tag) {
    case "Credential":
      return `systemd credential ${CREDENTIAL}`
    case "Environment":
      return `environment, ${VARIABLE}`
    case "File":
      return `file ${origin.path}`
  }
}

/** Reads the master key. */
export const read = Effect.fn("MasterKey.read")(function* (sources: Sources) {
  const origin = yield* find(sources)
  if (Option.isNone(origin)) return yield* new VaultLocked({ reason: nowhere(sources) })
  return yield* readFrom(origin.value)
})

const nowhere = ({ folders: [folder] }: Sources): string =>
  `there is no master key here${folder === undefined ? "" : ` (${join(folder, FILE_NAME)})`}: bring the one that was sealed with, or set ${VARIABLE}; the first exchange account or notification makes one`

export const readFrom = Effect.fn("MasterKey.readFrom")(function* (origin: Origin) {
  const bytes = yield* bytesOf(origin)
  if (bytes === undefined) {
    const reason = `the master key (${describe(origin)}) is not ${KEY_BYTES} bytes in hex or base64: bring the right one back`
    return yield* new VaultLocked({ reason })
  }
  return yield* made(bytes)
})

const bytesOf = (origin: Origin): Effect.Effect<Uint8Array | undefined, VaultLocked> => {
  switch (origin._tag) {
    case "Environment":
      return Effect.succeed(parse(new TextEncoder().encode(Redacted.value(origin.text))))
    case "Credential":
      // systemd controls access to its credentials: the file's mode is not checked.
      return Effect.map(
        contents(origin.path, () => undefined),
        parse
      )
    case "File":
      return Effect.map(contents(origin.path, errorOf), parse)
  }
}

/** Draws a new key. It must be written before anything is sealed with it. */
export const draw = Effect.suspend(() => made(crypto.getRandomValues(new Uint8Array(KEY_BYTES))))

const made = (bytes: Uint8Array) =>
  Effect.map(
    Effect.promise(() => import("node:crypto")),
    ({ createHash }): MasterKey => ({
      id: createHash("sha256").update("signalbox master key").update(bytes).digest("hex").slice(0, 8),
      bytes: Redacted.make(bytes)
    })
  )

/** Reads a key as hex, as base64 or as raw bytes. */
const parse = (contents: Uint8Array): Uint8Array | undefined => {
  const text = new TextDecoder().decode(contents).trim()
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Option.getOrUndefined(Option.getRight(Encoding.decodeHex(text)))
  const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  if (/^[A-Za-z0-9+/]{43}$/.test(plain))
    return Option.getOrUndefined(Option.getRight(Encoding.decodeBase64(`${plain}=`)))
  return contents.length === KEY_BYTES ? contents : undefined
}

/** Explains why a file cannot be trusted with a key, and what to do about it. */
type KeyFileCheck = (path: string, file: Stats, folder: Stats) => string | undefined

const errorOf: KeyFileCheck = (path, file, folder) => {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  if (file.uid !== own) return `belongs to another user: run as the user that the server runs as`
  if ((file.mode & 0o077) !== 0) return `may be read by others (${octal(file)}): chmod 600 ${path}`
  if ((folder.mode & 0o022) !== 0)
    return `lies in a folder that others may write to (${octal(folder)}): chmod 700 ${dirname(path)}`
  return undefined
}

const octal = ({ mode }: Stats) => (mode & 0o777).toString(8).padStart(4, "0")

const contents = Effect.fnUntraced(function* (path: string, errorOf: KeyFileCheck) {
  const { closeSync, constants, fstatSync, openSync, readFileSync, statSync } = yield* files
  return yield* Effect.try({
    try: () => {
      const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      try {
        const found = fstatSync(file)
        const isPlain = found.isFile() && found.size <= MAX_FILE_BYTES
        const error = isPlain
          ? errorOf(path, found, statSync(dirname(path)))
          : "is not a file that holds a key"
        if (error !== undefined) throw new VaultLocked({ reason: `the master key ${path} ${error}` })
        return new Uint8Array(readFileSync(file))
      } finally {
        closeSync(file)
      }
    },
    catch: (cause) => (cause instanceof VaultLocked ? cause : unreadable(path, cause))
  })
})

const unreadable = (path: string, cause: unknown) =>
  new VaultLocked({ reason: `the master key ${path} cannot be read (${codeOf(cause)})` })

export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "for a reason unknown"

/** Loads `node:fs` only when a key is read. */
export const files = Effect.promise(() => import("node:fs"))

/** The paths at which a key may be made; the first that can be written is used. */
export const filesOf = ({ folders }: Sources): ReadonlyArray<string> =>
  folders.map((folder) => join(folder, FILE_NAME))
