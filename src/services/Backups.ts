import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A copy that is complete, on disk and verified. */
export interface Backup {
  /** Its name in the folder of backups. */
  readonly file: string
  readonly bytes: number
  readonly seconds: number
}

/** There is none: one is being written already, there is nothing on disk, or it went wrong, in words. */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{
  readonly reason: "busy" | "nothing" | "failed"
  readonly message: string
}> {}

/**
 * Copies of all that the server keeps. A port.
 *
 * **Whoever implements it keeps**
 *
 * - Whole: a copy is complete, on disk and verified before `make` ends; a run that fails leaves none behind.
 * - Alongside: the server takes alerts and trades meanwhile, and nothing waits for the copy.
 * - One at a time: whoever asks meanwhile is refused as `busy`; `oneAtATime` does that.
 * - Errors: `BackupRefused` in words for the operator, with no path outside the folder of backups.
 *
 * **Proved by** no suite: one file and one disk is all there is to see of it.
 *
 * @category Ports
 */
export class Backups extends Context.Tag("signalbox/services/Backups")<
  Backups,
  {
    /** Writes one now, under the time of its beginning. One at a time. */
    readonly make: Effect.Effect<Backup, BackupRefused>
  }
>() {
  /** What ends with the process is not worth a copy. */
  static readonly layerMemory = Layer.succeed(Backups, {
    make: new BackupRefused({
      reason: "nothing",
      message: "this server keeps nothing on disk: there is nothing to back up"
    })
  })
}

/** Refuses whoever comes while one is being written. */
export const oneAtATime = (make: Effect.Effect<Backup, BackupRefused>) =>
  Effect.map(Effect.makeSemaphore(1), (turn): typeof Backups.Service => ({
    make: Effect.flatten(
      Effect.flatMap(turn.withPermitsIfAvailable(1)(make), (made) =>
        Effect.succeed(
          made._tag === "Some"
            ? Effect.succeed(made.value)
            : Effect.fail(
                new BackupRefused({
                  reason: "busy",
                  message: "a backup is being written already: wait for it"
                })
              )
        )
      )
    )
  }))
