// Writes a backup: copied under a partial name, flushed, verified, and only then renamed.
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as LongWork from "../../sql/client/LongWork.ts"
import { codeOf, reasonOf } from "../../sql/client/SqlErrors.ts"
import type { Verdict } from "../../sql/verify/Verify.ts"
import * as ReadOnly from "../client/ReadOnly.ts"
import * as Verify from "../Verify.ts"
import { copy } from "./Copy.ts"
import { partOf, place } from "./Durable.ts"

export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `cannot write ${this.file}: ${this.reason}`
  }
}

/** A copy failed: the code of SQLite or of the file system, and its text. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>()("CopyFailed", {
  code: Schema.String,
  text: Schema.String
}) {
  static readonly of = (cause: unknown) => new CopyFailed({ code: codeOf(cause), text: reasonOf(cause) })
}

/** Copies a file: in this thread or in another. */
export type Copy = (from: string, to: string) => Effect.Effect<void, CopyFailed>

export const here: Copy = (from, to) => Effect.try({ try: () => copy(from, to), catch: CopyFailed.of })

export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly verdict: Verdict
}

/**
 * Writes a copy of one moment. A copy with an intact file but unsound books is kept too, unless it would replace
 * another backup.
 */
export const write = Effect.fn("Backup.write")(function* (
  from: string,
  file: string,
  options: { readonly force: boolean; readonly copy: Copy }
) {
  const failed = (reason: string) => new BackupFailed({ file, reason })
  yield* Effect.scoped(ReadOnly.open(from))
  yield* Effect.mapError(check(from, file, options.force), failed)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const part = yield* partOf(file)
      yield* Effect.mapError(copied(options.copy, from, part), (error) => failed(wordsOf(error, file)))
      const verdict = yield* Verify.verify(part)
      const { bytes } = yield* attempt(file, () => ({ bytes: statSync(part).size }))
      if (mayStand(verdict, file)) yield* attempt(file, () => place(part, file))
      else return yield* failed(`its books do not hold; signalbox verify tells where`)
      return { file, bytes, verdict } satisfies Backup
    })
  )
})

/** A copy that tells how far it is. */
export const copied = (copy: Copy, from: string, part: string): Effect.Effect<void, CopyFailed> =>
  Effect.suspend(() =>
    copy(from, part).pipe(LongWork.watched("copying the database", sizeOf(from), () => sizeOf(part)))
  )

/** In bytes, at least 1. */
const sizeOf = (file: string): number => Math.max(1, statSync(file, { throwIfNoEntry: false })?.size ?? 0)

const mayStand = ({ faults }: Verdict, file: string): boolean =>
  faults.length === 0 || (!existsSync(file) && !faults.some(({ table }) => table === Verify.FILE))

export const attempt = <A>(file: string, act: () => A): Effect.Effect<A, BackupFailed> =>
  Effect.try({
    try: act,
    catch: (cause) => new BackupFailed({ file, reason: wordsOf(CopyFailed.of(cause), file) })
  })

const check = (from: string, file: string, force: boolean): Effect.Effect<void, string> =>
  Effect.suspend(() => {
    const folder = dirname(resolve(file))
    if (!existsSync(folder)) return Effect.fail(`there is no folder ${folder}`)
    if (!existsSync(file)) return Effect.void
    if (!statSync(file).isFile()) return Effect.fail("it is there already, and is no file")
    if (realpathSync(file) === realpathSync(from)) return Effect.fail("it is the database itself")
    if (existsSync(`${file}-wal`)) return Effect.fail("it is a database in use")
    if (!mayReplace(file)) return Effect.fail("it is there already, and is no database of Signalbox")
    return force ? Effect.void : Effect.fail("it is there already; --force replaces it")
  })

/** A file that cannot be read may be anything. */
const mayReplace = (file: string): boolean => {
  try {
    return ReadOnly.isOurs(file)
  } catch {
    return false
  }
}

const WORDS: Readonly<Record<string, string>> = {
  SQLITE_FULL: "the disk is full",
  ENOSPC: "the disk is full",
  SQLITE_CORRUPT: "the database is damaged; signalbox verify tells where"
}
const REFUSED = new Set(["EACCES", "EPERM", "EROFS", "SQLITE_CANTOPEN", "SQLITE_READONLY"])

export const wordsOf = ({ code, text }: CopyFailed, file: string): string =>
  WORDS[code] ?? (REFUSED.has(code) ? `${dirname(resolve(file))} may not be written to` : text)
