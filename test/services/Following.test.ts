// The adversary: a database that is away for a minute, which is no fault, and must neither fill the log nor be waited for
// longer than it is away.
import { expect } from "bun:test"
import { Effect, Fiber, Logger, TestClock } from "effect"
import { follow } from "../../src/services/engine/alerts/Following.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { it } from "../lib/effect.ts"

const away = Effect.die(new StorageUnavailable({ reason: "the server is starting up" }))

/** Follows what `once` does, for a time; the lines of the log. */
const logged = (once: Effect.Effect<unknown>, seconds: number) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel.label} ${message}`)
    })
    yield* follow("prices", once).pipe(
      Effect.zipRight(Effect.sleep(`${seconds} seconds`)),
      Effect.scoped,
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.fork,
      Effect.flatMap((fiber) => Effect.zipRight(TestClock.adjust(`${seconds} seconds`), Fiber.join(fiber)))
    )
    return lines
  })

it.effect(
  "a loop tells once that the database is away, looks four times a second, and tells of the next time",
  () =>
    Effect.gen(function* () {
      let looks = 0
      const lines = yield* logged(
        Effect.suspend(() => {
          looks++
          return looks === 41 ? Effect.void : away
        }),
        20
      )
      expect(looks).toBeGreaterThan(75)
      const line = "WARN the engine follows prices again once the database can be read"
      expect(lines).toEqual([line, line])
    })
)

it.effect("any other defect is a fault, told each time, and the loop goes on", () =>
  Effect.gen(function* () {
    let times = 0
    const lines = yield* logged(
      Effect.suspend(() => {
        times++
        return Effect.die(new Error("a fault"))
      }),
      3
    )
    expect(times).toBeGreaterThanOrEqual(3)
    expect(lines).toEqual(
      Array.from(
        { length: times },
        () => "ERROR the engine met a fault while it followed prices, and continues"
      )
    )
  })
)
