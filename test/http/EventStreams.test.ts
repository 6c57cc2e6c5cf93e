import { expect } from "bun:test"
import { Context, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { EventStreams, MOST_AGE_MS } from "../../src/http/EventStreams.ts"
import { layer } from "../lib/effect.ts"
import { memory, sender } from "../services/ports.ts"

/** Lets promises of the stream go on, which no clock moves. */
const hop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

layer(memory).effect("a stream ends when it is old, so that a revoked token is asked for again", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const streams = Context.get(yield* Layer.build(EventStreams.layer), EventStreams)
    const stream = yield* streams.open(account, { entry: 0, alert: 0 })
    const reader = stream.getReader()
    const read = Effect.promise(() => reader.read())
    expect(new TextDecoder().decode((yield* read).value)).toBe("retry: 2000\nid: 0-0\n\n")
    yield* TestClock.adjust(MOST_AGE_MS - 20_000)
    const quiet = yield* Effect.fork(read)
    while (Option.isNone(yield* Fiber.poll(quiet))) {
      yield* hop
      yield* TestClock.adjust("1 second")
    }
    expect(new TextDecoder().decode((yield* Fiber.join(quiet)).value)).toBe(": still here\n\n")
    yield* TestClock.adjust("20 seconds")
    expect((yield* read).done).toBe(true)
  })
)

layer(memory).effect(
  "a stream that can tell whether its reader is still signed in ends with that, however old",
  () =>
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const streams = Context.get(yield* Layer.build(EventStreams.layer), EventStreams)
      const session = { open: true }
      const stream = yield* streams.open(
        account,
        { entry: 0, alert: 0 },
        Effect.sync(() => session.open)
      )
      const reader = stream.getReader()
      const read = Effect.promise(() => reader.read())
      yield* read
      yield* TestClock.adjust(3 * MOST_AGE_MS)
      const quiet = yield* Effect.fork(read)
      while (Option.isNone(yield* Fiber.poll(quiet))) {
        yield* hop
        yield* TestClock.adjust("1 second")
      }
      expect(new TextDecoder().decode((yield* Fiber.join(quiet)).value)).toBe(": still here\n\n")
      session.open = false
      expect((yield* read).done).toBe(true)
    })
)
