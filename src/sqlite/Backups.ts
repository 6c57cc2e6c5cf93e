// The backups of a served database. The copy is written and verified in a worker thread, so that the server never waits
// for it.
import { existsSync, mkdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Backup, BackupRefused, Backups, oneAtATime } from "../services/Backups.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import { partOf, stamp } from "./backups/Durable.ts"
import * as Thread from "./backups/Thread.ts"
import * as Client from "./client/Client.ts"

/** The folder of a database's backups, beside it. */
export const folderOf = (filename: string): string => join(dirname(resolve(filename)), "backups")

const failed = (message: string) => new BackupRefused({ reason: "failed", message })

/** Writes `signalbox-20261121T235200Z.db`, in a folder that only its owner may enter. */
const write = Effect.fn("Backups.make")(function* (filename: string) {
  const folder = folderOf(filename)
  const name = `signalbox-${yield* stamp}.db`
  yield* Effect.try({
    try: () => mkdirSync(folder, { recursive: true, mode: 0o700 }),
    catch: (cause) => failed(`the folder backups cannot be made: ${reasonOf(cause)}`)
  })
  const file = join(folder, name)
  if (existsSync(file))
    return yield* new BackupRefused({
      reason: "busy",
      message: "one was written this very second: it is as new as can be"
    })
  // Removes the partial file where the thread is interrupted.
  yield* partOf(file)
  const [took, answer] = yield* inRealTime(Effect.timed(Thread.write({ from: filename, file })))
  if (answer._tag === "Failed") {
    yield* Effect.logError(`a backup failed: ${answer.message}`)
    return yield* failed("the backup could not be written: the server's log tells why")
  }
  if (answer.faults > 0)
    return yield* failed(
      `backups/${name} is written, and its books do not hold: signalbox verify tells where`
    )
  return {
    file: name,
    bytes: answer.bytes,
    seconds: Math.round(Duration.toMillis(took)) / 1000
  } satisfies Backup
}, Effect.scoped)

/** Writes backups beside the database. */
export const layer = (filename: string) =>
  filename === Client.MEMORY ? Backups.layerMemory : Layer.effect(Backups, oneAtATime(write(filename)))
