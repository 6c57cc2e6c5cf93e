// A server in memory under a clock that a test sets: an idle one has no timer, and a deadline is met at its time.
import { expect, test } from "bun:test"
import { Clock, Effect, Layer, TestClock } from "effect"
import * as Memory from "../../src/Memory.ts"
import { Events } from "../../src/services/Events.ts"
import * as OutageAnnouncer from "../../src/services/health/OutageAnnouncer.ts"
import { constantOf, until } from "../../src/services/internal/Waiting.ts"
import * as Couriers from "../../src/services/notify/Couriers.ts"
import { Outbound } from "../../src/services/notify/Outbound.ts"
import { Targets } from "../../src/services/notify/Targets.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { it, layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

const DAY = 86_400_000
const MOST_MS = 50

/** The time (ms) that an effect takes: the wall's, or this process's own where others have the machine. */
const took = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const [began, spent] = [performance.now(), process.cpuUsage()]
    yield* self
    const { system, user } = process.cpuUsage(spent)
    return Math.min(performance.now() - began, (system + user) / 1000)
  })

/** The rules and times of a strategy's timeline. */
const timeline = ({ account, strategy }: Flow.User) =>
  Effect.flatMap(Timeline, (timelines) =>
    Effect.map(timelines.list(account, strategy, { limit: 100 }), (rows) =>
      rows.map(({ at, rule }) => `${at} ${rule}`).reverse()
    )
  )

/** Whoever just worked looks once more; then there must be no timer at all. */
const idle = Effect.zipRight(TestClock.adjust("30 seconds"), TestClock.sleeps())
const NONE: ReadonlyArray<number> = []

const memory = layer(Memory.layer())

memory.effect("an idle server has no timer, so a day and a thousand years pass at once", () =>
  Effect.gen(function* () {
    expect([...(yield* idle)]).toEqual([...NONE])
    expect(yield* took(TestClock.adjust("1 day"))).toBeLessThan(MOST_MS)
    expect(yield* took(TestClock.setTime(1_000 * 365 * DAY))).toBeLessThan(MOST_MS)
    expect([...(yield* TestClock.sleeps())]).toEqual([...NONE])
  })
)

memory.effect(
  "a server with strategies and a position has no timer either, and still hears what comes a year later",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({
        stop_loss: true,
        stop_loss_percentage: 5,
        trailing_sell: true,
        trailing_sell_arm: 3,
        trailing_sell_percentage: 1
      })
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.quote(104)
      expect([...(yield* idle)]).toEqual([...NONE])
      expect(yield* took(TestClock.adjust("365 days"))).toBeLessThan(MOST_MS)
      const now = yield* Clock.currentTimeMillis
      yield* Flow.quote(90)
      expect((yield* timeline(ann)).at(-1)).toBe(`${now} trade`)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      expect(yield* Flow.holds(ann.strategy)).toEqual([expect.stringContaining("BTC/USDT spot long")])
    })
)

memory.effect(
  "an alert that waits for a price is given up at its time to the millisecond, however far the clock is set",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      expect([...(yield* idle)]).toEqual([...NONE])
      const now = yield* Clock.currentTimeMillis
      const alert = yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust("9999 millis")
      expect(yield* Flow.became(ann.account, alert)).toEqual([])
      yield* TestClock.setTime(now + DAY)
      expect(yield* Flow.became(ann.account, alert)).toEqual(["no_price"])
      expect((yield* timeline(ann)).at(-1)).toStartWith(`${now + 10_000} `)
    })
)

memory.effect("a sooner deadline wakes the server that sleeps until a later one", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann()
    const first = yield* Flow.say(ann.identity, ann.signal, "buy")
    yield* TestClock.adjust("5 seconds")
    const bob = yield* Flow.user("bob")
    const second = yield* Flow.say(bob.identity, bob.signal, "buy")
    yield* TestClock.adjust("5 seconds")
    expect(yield* Flow.became(ann.account, first)).toEqual(["no_price"])
    expect(yield* Flow.became(bob.account, second)).toEqual([])
    yield* TestClock.adjust("5 seconds")
    expect(yield* Flow.became(bob.account, second)).toEqual(["no_price"])
  })
)

/** A server whose deliveries are counted. */
const posts: Array<number> = []
const counted = Layer.succeed(Outbound, {
  post: () =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      posts.push(now)
      return { status: 200, retryAfterSeconds: 0, text: "" }
    })
})

const announcing = Layer.merge(
  Couriers.layer({ telegramUrl: "https://telegram.example" }),
  OutageAnnouncer.layer
)

layer(Layer.provideMerge(announcing, Memory.layerWith(counted))).effect(
  "a notification target waits for events without a timer, and has each within a quarter of a second",
  () =>
    Effect.gen(function* () {
      posts.length = 0
      const ann = yield* Flow.ann()
      const channel = { kind: "discord", url: "https://discord.example/hook" } as const
      const from = yield* (yield* Events).head
      yield* (yield* Targets).create(ann.account, { name: "x", channel, kinds: ["alert_received"] }, from)
      expect([...(yield* idle)]).toEqual([...NONE])
      const now = yield* Clock.currentTimeMillis
      yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust("250 millis")
      expect(posts).toHaveLength(1)
      expect(posts[0]).toBeLessThanOrEqual(now + 250)
      yield* TestClock.adjust("1 minute")
      expect([...(yield* TestClock.sleeps())]).toEqual([...NONE])
      expect(posts).toHaveLength(1)
    })
)

test("on a virtual clock a year of an idle server passes at once, to the millisecond", () =>
  TestServer.run({}, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      yield* server.pass("1 minute")
      expect(yield* took(server.pass("365 days", { leap: 0 }))).toBeLessThan(MOST_MS)
      expect(yield* Clock.currentTimeMillis).toBe(60_000 + 365 * DAY)
      yield* server.price(110)
      yield* server.alert("sell")
      expect((yield* server.strategy.trades).map(({ pnl }) => pnl.toString())).toHaveLength(1)
    })
  ))

it.effect("a wait ends at its time, at once where that has passed, and never where there is none", () =>
  Effect.gen(function* () {
    const ends: Array<string> = []
    const waits = (name: string, at: number) =>
      Effect.fork(Effect.tap(until(at), () => Effect.sync(() => ends.push(name))))
    yield* TestClock.setTime(1_000)
    yield* waits("past", 999)
    yield* waits("ahead", 5_000)
    yield* waits("never", Number.POSITIVE_INFINITY)
    yield* TestClock.setTime(4_999)
    expect(ends).toEqual(["past"])
    yield* TestClock.setTime(5_000)
    expect(ends).toEqual(["past", "ahead"])
    expect([...(yield* TestClock.sleeps())]).toEqual([...NONE])
  })
)

it.live("on the machine's clock a wait reads the clock again and again, because it may be set", () =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    yield* until(began + 30)
    expect((yield* Clock.currentTimeMillis) - began).toBeGreaterThanOrEqual(30)
    expect((yield* Clock.currentTimeMillis) - began).toBeLessThan(1_000)
  })
)

test("only an effect that is a value already counts as a constant", () => {
  expect(constantOf(Effect.succeed(1))._tag).toBe("Some")
  expect(constantOf(Effect.sync(() => 1))._tag).toBe("None")
  expect(constantOf(Effect.die("no value"))._tag).toBe("None")
})

it.live("a clock that is set back, while a new bot is waited for, delays no later deadline", () => {
  const machine = Clock.make()
  let aheadMs = 0
  const now = () => machine.unsafeCurrentTimeMillis() + aheadMs
  const nanos = () => BigInt(now()) * 1_000_000n
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) => machine.sleep(duration)
  }
  return Effect.gen(function* () {
    const ann = yield* Flow.ann()
    yield* Flow.say(ann.identity, ann.signal, "buy")
    yield* Effect.sleep("50 millis")
    aheadMs = -3_600_000
    const bob = yield* Flow.user("bob")
    const alert = yield* Flow.say(bob.identity, bob.signal, "buy")
    yield* Effect.sleep("3 seconds")
    expect(yield* Flow.became(bob.account, alert)).toEqual(["no_price"])
  }).pipe(
    Effect.provide(Memory.layer({ patience: { entryMs: 300_000, priceMs: 300 } })),
    Effect.withClock(clock)
  )
})
