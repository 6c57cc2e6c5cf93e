// What a listener hears of long work on a database: verifying, copying, and bringing an old one up to date.
import { describe, expect } from "bun:test"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LongWork from "../../src/sql/client/LongWork.ts"
import * as Backup from "../../src/sqlite/backups/Backup.ts"
import * as Restore from "../../src/sqlite/backups/Restore.ts"
import { upTo, VERSION } from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Verify from "../../src/sqlite/Verify.ts"
import { bought } from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const heard = <A, E, R>(work: Effect.Effect<A, E, R>) => {
  const steps: Array<LongWork.Step> = []
  return Effect.as(
    Effect.locally(work, LongWork.listener, (step) => void steps.push(step)),
    steps
  )
}
const wordsOf = (steps: ReadonlyArray<LongWork.Step>) => [...new Set(steps.map(({ words }) => words))]
const isOver = ({ done, total }: LongWork.Step) => done >= total

describe("a listener", () => {
  it.live("hears what is verified, in sequence and never backwards, and at last that it has ended", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "x.db")
      yield* bought(filename)
      const steps = yield* heard(Verify.verify(filename))
      const words = wordsOf(steps)
      expect(words[0]).toBe("verifying the file")
      expect(words).toContain("verifying alerts")
      expect(words).toContain("verifying the books of strategy 1")
      expect(words.at(-1)).toBe("verified")
      const shares = steps.map(({ done, total }) => done / total)
      expect(shares).toEqual([...shares].sort((one, other) => one - other))
      expect(steps.filter(isOver).length).toBe(1)
    })
  )

  it.live("hears of backups and restores, and that a failed one has ended too", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const filename = join(here, "x.db")
      yield* bought(filename)
      const file = join(here, "copy")
      const writing = yield* heard(Backup.write(filename, file, { force: false, copy: Backup.here }))
      expect(wordsOf(writing).slice(0, 2)).toEqual(["copying the database", "verifying the file"])
      const restoring = yield* heard(
        Effect.scoped(Restore.restore(file, join(here, "y.db"), { force: false }))
      )
      expect(wordsOf(restoring).slice(0, 2)).toEqual(["copying the database", "verifying the file"])
      const failing = yield* heard(
        Effect.either(LongWork.watched("copying", 10, () => 20)(Effect.fail("the disk is full")))
      )
      expect([...new Set(failing.map(({ done }) => done))]).toEqual([9.9, 10])
    })
  )

  it.live("hears of each version that an old database is brought to, and nothing of a new one", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "x.db")
      const opened = (layer: ReturnType<typeof Sqlite.layer>) => heard(Effect.scoped(Layer.build(layer)))
      expect(
        (yield* opened(Sqlite.layer({ filename, migrations: upTo(8) }))).filter((it) => !isOver(it))
      ).toEqual([])
      const steps = yield* opened(Sqlite.layer({ filename }))
      expect(wordsOf(steps)).toEqual([
        "copying the database",
        ...Array.from({ length: VERSION - 8 }, (_, index) => `bringing the database to version ${index + 9}`),
        "up to date"
      ])
      expect(steps.at(-1)).toMatchObject({ done: 1, total: 1 })
    })
  )

  it.live("is not missed where nobody listens", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "x.db")
      yield* bought(filename)
      expect((yield* Verify.verify(filename)).faults).toEqual([])
    })
  )
})
