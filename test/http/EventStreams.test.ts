// Event streams end with their token or session, and share one check a second.
import { expect } from "bun:test"
import { Context, Effect, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { EventStreams, MOST_AGE_MS } from "../../src/http/edge/EventStreams.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Sessions } from "../../src/services/Sessions.ts"
import { layer } from "../lib/effect.ts"
import { memory } from "../services/ports.ts"

const it = layer(memory)

/** Lets the stream's promises run, because no clock moves them. */
const hop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** A caller with a token of scope `full`, and the effect that revokes it. */
const bearerOf = (name: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { secret } = yield* accounts.issue(name, "full", Option.none())
    return yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
  })

const START = { entry: 0, alert: 0 }

/** A stream's reader, after the first line, which every stream has. */
const readerOf = (stream: ReadableStream<Uint8Array>) =>
  Effect.gen(function* () {
    const reader = stream.getReader()
    const read = Effect.promise(() => reader.read())
    expect(new TextDecoder().decode((yield* read).value)).toBe("retry: 2000\nid: 0-0\n\n")
    return read
  })

/** Moves the clock until the read ends, for a limited number of seconds; returns the seconds that it took. */
const passing = <A>(reading: Fiber.Fiber<A>, seconds: number) =>
  Effect.gen(function* () {
    for (let passed = 0; passed < seconds; passed++) {
      for (let turn = 0; turn < 5; turn++) yield* hop
      if (Option.isSome(yield* Fiber.poll(reading))) return passed
      yield* TestClock.adjust("1 second")
    }
    return seconds
  })

const LONG = 40

it.effect("a token's stream sends a comment while nothing happens, and ends at its age limit", () =>
  Effect.gen(function* () {
    const streams = Context.get(yield* Layer.build(EventStreams.layer), EventStreams)
    const read = yield* readerOf(yield* streams.open(yield* bearerOf("ann"), START))
    yield* TestClock.adjust(MOST_AGE_MS - 20_000)
    const quiet = yield* Effect.fork(read)
    yield* passing(quiet, LONG)
    expect(new TextDecoder().decode((yield* Fiber.join(quiet)).value)).toBe(": still here\n\n")
    yield* TestClock.adjust("20 seconds")
    expect((yield* read).done).toBe(true)
  })
)

it.effect("a session's stream has no age limit, and ends with the session", () =>
  Effect.gen(function* () {
    const bearer = yield* bearerOf("ann")
    const sessions = yield* Sessions
    const { session } = yield* sessions.begin(bearer)
    const streams = Context.get(yield* Layer.build(EventStreams.layer), EventStreams)
    const read = yield* readerOf(yield* streams.open({ ...bearer, session: session.id }, START))
    yield* TestClock.adjust(3 * MOST_AGE_MS)
    const quiet = yield* Effect.fork(read)
    yield* passing(quiet, LONG)
    expect(new TextDecoder().decode((yield* Fiber.join(quiet)).value)).toBe(": still here\n\n")
    yield* sessions.end(session.id)
    const last = yield* Effect.fork(read)
    expect(yield* passing(last, LONG)).toBeLessThanOrEqual(5)
    expect((yield* Fiber.join(last)).done).toBe(true)
  })
)

it.effect(
  "a session's stream ends when its token is revoked, and a token's stream ends when the token expires",
  () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bearer = yield* bearerOf("ann")
      const { session } = yield* (yield* Sessions).begin(bearer)
      const streams = Context.get(yield* Layer.build(EventStreams.layer), EventStreams)
      const bySession = yield* readerOf(yield* streams.open({ ...bearer, session: session.id }, START))
      yield* accounts.revoke(bearer.token)
      const ended = yield* Effect.fork(bySession)
      expect(yield* passing(ended, LONG)).toBeLessThanOrEqual(5)
      expect((yield* Fiber.join(ended)).done).toBe(true)
      const { secret } = yield* accounts.issue("ann", "full", Option.some(100))
      const expiring = yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
      const read = yield* readerOf(yield* streams.open(expiring, START))
      yield* TestClock.adjust("94 seconds")
      const last = yield* Effect.fork(read)
      expect(yield* passing(last, LONG)).toBeLessThanOrEqual(11)
      expect((yield* Fiber.join(last)).done).toBe(true)
    })
)

it.effect("all streams of a token share one check of its validity per second", () =>
  Effect.gen(function* () {
    const bearer = yield* bearerOf("ann")
    const accounts = yield* Accounts
    let looks = 0
    const counted = Accounts.of({
      ...accounts,
      valid: (id) =>
        Effect.suspend(() => {
          looks++
          return accounts.valid(id)
        })
    })
    const built = Layer.build(Layer.provide(EventStreams.layer, Layer.succeed(Accounts, counted)))
    const streams = Context.get(yield* built, EventStreams)
    const reads = yield* Effect.forEach([1, 2, 3, 4, 5], () =>
      Effect.flatMap(streams.open(bearer, START), readerOf)
    )
    for (const read of reads) yield* Effect.fork(read)
    for (let second = 0; second < 10; second++) {
      yield* hop
      yield* TestClock.adjust("1 second")
    }
    expect(looks).toBeGreaterThanOrEqual(9)
    expect(looks).toBeLessThanOrEqual(11)
    // Nobody listens any more, so no token is checked.
    yield* streams.end
    yield* TestClock.adjust("2 seconds")
    const before = looks
    yield* TestClock.adjust("1 minute")
    expect(looks).toBe(before)
  })
)
