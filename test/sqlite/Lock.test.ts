import { expect } from "bun:test"
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Duration, Effect, Layer } from "effect"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const serve = (filename: string) => Layer.build(Sqlite.layerLock({ filename }))

/** Another process that serves the database, if it may. */
const spawn = (filename: string) =>
  Bun.spawn([process.execPath, join(import.meta.dir, "serve.child.ts"), filename], {
    stdout: "pipe",
    stderr: "ignore"
  })

it.live("a second server on a database is refused, a command is not", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* serve(filename)
        const error = yield* Effect.flip(Effect.scoped(serve(filename)))
        expect(error._tag).toBe("DatabaseServed")
        expect(error.message).toContain(filename)
        // Having asked in vain must not have freed what we hold.
        const child = spawn(filename)
        expect(yield* Effect.promise(() => new Response(child.stdout).text())).not.toContain("ready")
        yield* Layer.build(Sqlite.layer({ filename }))
      })
    )
    yield* serve(filename)
  })
)

it.live("a database is served once, whatever links lead to it", () =>
  Effect.gen(function* () {
    const home = yield* folder
    const [real, link] = [join(home, "signalbox.db"), join(home, "link.db")]
    symlinkSync(real, link)
    for (const [first, second] of [
      [link, real],
      [real, link]
    ] as const) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* serve(first)
          const error = yield* Effect.flip(Effect.scoped(serve(second)))
          expect(error._tag).toBe("DatabaseServed")
        })
      )
    }
  })
)

it.live("the lock of a killed server is free at once", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const child = spawn(filename)
    const reader = child.stdout.getReader()
    expect(new TextDecoder().decode((yield* Effect.promise(() => reader.read())).value)).toContain("ready")
    const [spent, error] = yield* Effect.timed(Effect.flip(Effect.scoped(serve(filename))))
    expect(error._tag).toBe("DatabaseServed")
    expect(Duration.toMillis(spent)).toBeLessThan(1_000)
    child.kill("SIGKILL")
    yield* Effect.promise(() => child.exited)
    yield* serve(filename)
  })
)

it.live("a lock file that cannot be used is not reported as another server", () =>
  Effect.gen(function* () {
    const home = yield* folder
    const [garbage, directory] = [join(home, "garbage.db"), join(home, "directory.db")]
    writeFileSync(`${garbage}.lock`, "no database".repeat(1000))
    mkdirSync(`${directory}.lock`)
    for (const filename of [garbage, directory]) {
      const error = yield* Effect.flip(Effect.scoped(serve(filename)))
      expect(error._tag).toBe("DatabaseUnavailable")
      expect(error.message).toContain(`${filename}.lock: `)
    }
  })
)

it.live("the lock takes no room on the disk", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* serve(filename)
    expect(statSync(`${filename}.lock`).size).toBe(0)
    expect(() => statSync(`${filename}.lock-journal`)).toThrow("ENOENT")
  })
)
