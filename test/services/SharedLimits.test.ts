// The adversary: callers who spread their requests over three servers as they please, in bursts and trickles, while the
// servers hear of one another late, and lose and regain their shares.
import { describe, expect, test } from "bun:test"
import { Clock, Context, Effect, Either, Exit, Layer, type Scope } from "effect"
import * as LimitShares from "../../src/services/internal/LimitShares.ts"
import type * as SharedBuckets from "../../src/services/internal/SharedBuckets.ts"
import { RateLimits } from "../../src/services/RateLimits.ts"
import { isAway as isStorageAway, StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"

const SERVERS = 3
const SECONDS = 25
const SEEDS = 12

/** The common buckets in memory, as the database has them. Questions arrive late. */
const commonBuckets = (delay: () => number) => {
  const levels = new Map<string, { level: number; at: number }>()
  let questions = 0
  const take: SharedBuckets.TokenPool["take"] = (wanted) =>
    Effect.gen(function* () {
      questions++
      yield* Effect.sleep(delay())
      const now = yield* Clock.currentTimeMillis
      return wanted.map(({ capacity, key, perSecond, tokens }) => {
        const { at, level } = levels.get(key) ?? { at: now, level: capacity }
        const filled = Math.min(capacity, level + (perSecond * (now - at)) / 1000)
        const given = Math.min(tokens, Math.floor(filled))
        levels.set(key, { at: now, level: filled - given })
        return { tokens: given, left: filled - given }
      })
    })
  return { take, questions: () => questions }
}

type Limits = typeof RateLimits.Service
type World = (seed: number) => Effect.Effect<ReadonlyArray<Limits>, never, Scope.Scope>

const RATES = { crud: 2, alert: 30 }

/** Servers that share. Each is without its share now and then, as one that could not ask how many there are. */
const sharing: World = (seed) =>
  Effect.gen(function* () {
    const dice = new SeededRandom(seed)
    const { take } = commonBuckets(() => dice.below(300))
    return yield* Effect.forEach(Array.from({ length: SERVERS }), () =>
      Effect.gen(function* () {
        let since: number | undefined = 0
        const flicker = Effect.gen(function* () {
          yield* Effect.sleep(500 + dice.below(6_000))
          since = undefined
          yield* Effect.sleep(dice.below(2_000))
          since = yield* Clock.currentTimeMillis
        })
        yield* Effect.forkScoped(Effect.forever(flicker))
        const share = () => (since === undefined ? undefined : { servers: SERVERS, since })
        return yield* limitsOf({ take, share })
      })
    )
  })

const limitsOf = (pool: SharedBuckets.TokenPool) =>
  Effect.map(Layer.build(RateLimits.layerShared(RATES, Effect.succeed(pool))), Context.get(RateLimits))

/** Servers that each keep the limit alone. */
const alone: World = () =>
  Effect.forEach(Array.from({ length: SERVERS }), () =>
    Effect.map(Layer.build(Layer.fresh(RateLimits.layerMemory(RATES))), Context.get(RateLimits))
  )

/** Sends a request to a server; whether it passed. */
const request = (limits: Limits, group: "alert" | "signals") =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const fetched = limits.fetch?.(group, "ann", now)
    const taken = fetched === undefined ? limits.take(group, "ann", now) : yield* Effect.either(fetched)
    return Either.isRight(taken)
  })

/** When requests of one caller passed (ms): bursts and trickles at random, at any server. */
const passes = (world: World, seed: number, group: "alert" | "signals") =>
  Effect.gen(function* () {
    const dice = new SeededRandom(seed + 1)
    const servers = yield* world(seed)
    const passed: Array<number> = []
    const send = (to: Limits) =>
      Effect.flatMap(request(to, group), (isPassed) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (isPassed) passed.push(now)
        })
      )
    const caller = Effect.gen(function* () {
      const end = SECONDS * 1000
      while ((yield* Clock.currentTimeMillis) < end) {
        const isBurst = dice.below(4) === 0
        const count = isBurst ? 1 + dice.below(40) : 1
        for (let index = 0; index < count; index++) yield* Effect.forkScoped(send(dice.pick(servers)))
        yield* Effect.sleep(1 + dice.below(isBurst ? 400 : 60))
      }
    })
    yield* Effect.forkScoped(caller)
    yield* VirtualClock.pass(`${SECONDS + 2} seconds`, { leap: 0 })
    return passed.sort((one, other) => one - other)
  })

/** The most that passed within a time (ms). */
const mostWithin = (times: ReadonlyArray<number>, span: number): number => {
  let most = 0
  for (let first = 0, next = 0; first < times.length; first++) {
    while (next < times.length && (times[next] ?? 0) < (times[first] ?? 0) + span) next++
    most = Math.max(most, next - first)
  }
  return most
}

const mostOf = async (world: World, group: "alert" | "signals") => {
  let most = { second: 0, tenSeconds: 0, inAll: 0 }
  for (let seed = 1; seed <= SEEDS; seed++)
    await VirtualClock.run(
      Effect.map(passes(world, seed, group), (times) => {
        most = {
          second: Math.max(most.second, mostWithin(times, 1_000)),
          tenSeconds: Math.max(most.tenSeconds, mostWithin(times, 10_000)),
          inAll: Math.max(most.inAll, times.length)
        }
      })
    )
  return most
}

describe("a limit that three servers share", () => {
  for (const [group, limit] of [
    ["alert", RATES.alert],
    ["signals", RATES.crud]
  ] as const)
    test(`lets at most twice ${limit} pass in any second, and 110 % in any ten`, async () => {
      const most = await mostOf(sharing, group)
      expect(most.second).toBeLessThanOrEqual(2 * limit)
      expect(most.tenSeconds).toBeLessThanOrEqual(11 * limit)
      // And it is a limit that can be used.
      expect(most.inAll).toBeGreaterThan(0.8 * limit * SECONDS)
    })

  test("is none where each server keeps it alone", async () => {
    const most = await mostOf(alone, "alert")
    expect(most.second).toBeGreaterThan(2 * RATES.alert)
    expect(most.tenSeconds).toBeGreaterThan(11 * RATES.alert)
  })

  for (const [how, count] of [
    ["one of them", 1],
    ["all in turn", SERVERS]
  ] as const)
    test(`refuses nobody who sends four fifths of it to ${how}`, () =>
      VirtualClock.run(
        Effect.gen(function* () {
          const { take } = commonBuckets(() => 2)
          const share = () => ({ servers: SERVERS, since: 0 })
          const servers = yield* Effect.forEach(Array.from({ length: SERVERS }), () =>
            limitsOf({ take, share })
          )
          let refused = 0
          const sent = Effect.gen(function* () {
            for (let index = 0; index < 24 * SECONDS; index++) {
              const server = servers[index % count]
              if (server !== undefined && !(yield* request(server, "alert"))) refused++
              yield* Effect.sleep(1000 / 24 - 2)
            }
          })
          yield* Effect.forkScoped(sent)
          yield* VirtualClock.pass(`${SECONDS + 5} seconds`, { leap: 0 })
          expect(refused).toBe(0)
        })
      ))

  test("asks the others for nobody who sends an alert now and then", () =>
    VirtualClock.run(
      Effect.gen(function* () {
        const { questions, take } = commonBuckets(() => 2)
        const limits = yield* limitsOf({ take, share: () => ({ servers: SERVERS, since: 0 }) })
        yield* VirtualClock.pass("1 minute")
        for (let index = 0; index < 20; index++) {
          expect(yield* request(limits, "alert")).toBe(true)
          yield* VirtualClock.pass("2 seconds")
        }
        expect(questions()).toBe(0)
      })
    ))

  test("asks once for many who wait, and not at all for a flood that is over the limit", () =>
    VirtualClock.run(
      Effect.gen(function* () {
        const { questions, take } = commonBuckets(() => 2)
        const limits = yield* limitsOf({ take, share: () => undefined })
        const flood = Effect.forEach(Array.from({ length: 200 }), () => request(limits, "alert"), {
          concurrency: "unbounded"
        })
        const first = yield* Effect.fork(flood)
        yield* VirtualClock.pass("20 millis", { leap: 0 })
        const passed = (yield* first).filter((isPassed) => isPassed).length
        expect(passed).toBe(LimitShares.common({ limit: RATES.alert, windowSeconds: 1 }).capacity)
        for (let index = 0; index < 50; index++) {
          yield* Effect.fork(flood)
          yield* VirtualClock.pass("20 millis", { leap: 0 })
        }
        // One for each token that came back, at most.
        expect(questions()).toBeLessThanOrEqual(2 + 1.1 * RATES.alert)
      })
    ))

  test("lets those wait for the next answer who came while a question was on its way", () =>
    VirtualClock.run(
      Effect.gen(function* () {
        const { take } = commonBuckets(() => 20)
        const limits = yield* limitsOf({ take, share: () => undefined })
        const all = Effect.forEach(
          Array.from({ length: 15 }, (_, index) => index),
          (index) => Effect.zipRight(Effect.sleep(index), request(limits, "alert")),
          { concurrency: "unbounded" }
        )
        const passing = yield* Effect.fork(all)
        yield* VirtualClock.pass("100 millis", { leap: 0 })
        expect(yield* passing).toEqual(Array.from({ length: 15 }, () => true))
      })
    ))

  test("answers at once that storage is away, and goes on once it is back", () =>
    VirtualClock.run(
      Effect.gen(function* () {
        const { take } = commonBuckets(() => 2)
        let isAway = true
        const away = Effect.die(new StorageUnavailable({ reason: "away" }))
        const limits = yield* limitsOf({
          take: (wanted) => (isAway ? away : take(wanted)),
          share: () => undefined
        })
        const all = Effect.forEach([1, 2, 3], () => Effect.exit(request(limits, "signals")), {
          concurrency: "unbounded"
        })
        for (const exit of yield* all) expect(Exit.isFailure(exit) && isStorageAway(exit.cause)).toBe(true)
        isAway = false
        const passing = yield* Effect.fork(all)
        yield* VirtualClock.pass("10 millis", { leap: 0 })
        expect((yield* passing).map((exit) => Exit.isSuccess(exit) && exit.value)).toEqual([
          true,
          true,
          false
        ])
      })
    ))

  test("has sizes that add up to the limit, however many servers there are", () => {
    for (const limit of [1, 2, 10, 19, 20, 30, 50, 1_000])
      for (let servers = 1; servers <= 64; servers++) {
        const of = { limit, windowSeconds: 1 }
        const own = LimitShares.own(of, servers)
        const common = LimitShares.common(of)
        expect(servers * own.capacity + common.capacity).toBeLessThanOrEqual(limit)
        expect(servers * own.perSecond + common.perSecond).toBeLessThanOrEqual(limit + 1e-9)
      }
  })
})
