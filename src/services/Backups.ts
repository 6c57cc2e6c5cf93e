// The port of backups, with its in-memory layer: a backup is complete, on disk and verified before it is reported.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A complete and verified copy on disk. */
export interface Backup {
  /** Its name in the folder of backups. */
  readonly file: string
  readonly bytes: number
  readonly seconds: number
}

/**
 * Why there is no backup: `busy` (one is being written), `nothing` (nothing is on disk) or `failed`; `message` says it
 * in words.
 */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{
  readonly reason: "busy" | "nothing" | "failed"
  readonly message: string
}> {}

/**
 * Copies of everything that the server stores. A port.
 *
 * **An implementation keeps**
 *
 * - Whole: a copy is complete, on disk and verified before `make` ends; a run that fails leaves none behind.
 * - Alongside: the server takes alerts and trades meanwhile, and nothing waits for the copy.
 * - One at a time: a second request meanwhile fails as `busy`; `oneAtATime` does that.
 * - Errors: `BackupRefused` in words for the operator, with no path outside the folder of backups.
 *
 * **Proved by** no suite: a copy is one file on one disk, and has no behaviour besides.
 *
 * @category Ports
 */
export class Backups extends Context.Tag("signalbox/services/Backups")<
  Backups,
  {
    /** Writes a backup now, named after the time of its start. One at a time. */
    readonly make: Effect.Effect<Backup, BackupRefused>
  }
>() {
  /** Refuses: what ends with the process needs no backup. */
  static readonly layerMemory = Layer.succeed(Backups, {
    make: new BackupRefused({
      reason: "nothing",
      message: "this server keeps nothing on disk: there is nothing to back up"
    })
  })
}

/** Refuses a backup while another is being written. */
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
