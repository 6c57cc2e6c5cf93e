// The adversary: servers that take tokens of the same callers in one moment, that come and go, and one that stands still
// for a while and then goes on with what it knew.
import { describe, expect } from "bun:test"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as RateLimits from "../../src/postgres/RateLimits.ts"
import * as LimitShares from "../../src/services/internal/LimitShares.ts"
import { RateLimits as Limits } from "../../src/services/RateLimits.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const LIMIT = { limit: 30, windowSeconds: 1 }
const together = { concurrency: "unbounded" } as const
const LOOK_MS = 20

/** Servers with pools on one database. */
const pools = (count: number) =>
  Effect.gen(function* () {
    const { url } = yield* database()
    const all = yield* Effect.forEach(Array.from({ length: count }), (_, index) =>
      Effect.flatMap(process(url), ({ context }) => Effect.provide(RateLimits.pool(`node ${index}`), context))
    )
    return { all }
  })

describe.skipIf(!isInstalled)("rate limits of several servers on Postgres", () => {
  it.live("give each token once, whoever asks in one moment, and give it back in time", () =>
    Effect.gen(function* () {
      const { all } = yield* pools(3)
      const keys = ["alert:1", "alert:2", "alert:3"]
      const size = { capacity: 20, perSecond: 10 }
      const began = performance.now()
      const asked = Array.from({ length: 90 }, (_, index) => {
        const sequence = index % 2 === 0 ? keys : [...keys].reverse()
        return sequence.map((key) => ({ key, tokens: 1 + (index % 3), ...size }))
      })
      const given = yield* Effect.forEach(
        asked,
        (wanted, index) => all[index % 3]?.take(wanted) ?? Effect.succeed([]),
        together
      )
      const seconds = (performance.now() - began) / 1000
      for (const [place, key] of keys.entries()) {
        let tokens = 0
        for (const [index, answer] of given.entries()) {
          const own = asked[index]?.findIndex((one) => one.key === key) ?? place
          const one = answer[own]
          expect(one?.left ?? -1).toBeGreaterThanOrEqual(0)
          expect(one?.tokens ?? 9).toBeLessThanOrEqual(asked[index]?.[own]?.tokens ?? 0)
          tokens += one?.tokens ?? 0
        }
        expect(tokens).toBeGreaterThanOrEqual(size.capacity)
        expect(tokens).toBeLessThanOrEqual(size.capacity + size.perSecond * seconds)
      }
      yield* Effect.sleep("500 millis")
      const [later] =
        (yield* all[1]?.take([{ key: "alert:1", tokens: 20, ...size }]) ?? Effect.succeed([])) ?? []
      expect(later?.tokens).toBeGreaterThanOrEqual(5)
    })
  )

  it.live(
    "give servers that come and go no more own tokens than there are, at any moment",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const most = LIMIT.limit - LimitShares.common(LIMIT).capacity
        const start = (name: string) =>
          Effect.gen(function* () {
            const scope = yield* Scope.make()
            const { context } = yield* process(url)
            let isStill = false
            /** Its clock goes on while it stands still; what it knew is then old. */
            const monotonic = () => (isStill ? performance.now() + 60_000 : performance.now())
            const pool = yield* RateLimits.pool(name, monotonic).pipe(
              Effect.provide(context),
              Effect.provideService(Scope.Scope, scope)
            )
            return {
              pool,
              end: Scope.close(scope, Exit.void),
              still: (is: boolean) => {
                isStill = is
              }
            }
          })
        const running = new Set<Effect.Effect.Success<ReturnType<typeof start>>>()
        const seen: Array<number> = []
        const looking = Effect.gen(function* () {
          let own = 0
          let sharing = 0
          for (const { pool } of running) {
            const share = pool.share()
            if (share === undefined) continue
            sharing++
            own += LimitShares.own(LIMIT, share.servers).capacity
          }
          expect(own).toBeLessThanOrEqual(most)
          seen.push(sharing)
          yield* Effect.sleep(LOOK_MS)
        })
        yield* Effect.forkScoped(Effect.forever(looking))
        const first = yield* start("first")
        running.add(first)
        yield* Effect.sleep("4 seconds")
        expect(first.pool.share()?.servers).toBe(1)
        const second = yield* start("second")
        running.add(second)
        yield* Effect.sleep("1 second")
        expect([first.pool.share()?.servers, second.pool.share()]).toEqual([2, undefined])
        yield* Effect.sleep("3 seconds")
        expect(second.pool.share()?.servers).toBe(2)
        first.still(true)
        expect(first.pool.share()).toBeUndefined()
        first.still(false)
        yield* second.end
        running.delete(second)
        expect(second.pool.share()).toBeUndefined()
        yield* Effect.sleep("1 second")
        expect(first.pool.share()?.servers).toBe(1)
        expect(Math.max(...seen)).toBe(2)
      }),
    30_000
  )

  it.live("count failed authentications of a peer at all servers", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const servers = yield* Effect.forEach(["one", "other"], (node) =>
        Effect.flatMap(process(url), ({ context }) =>
          Effect.map(
            Layer.build(
              Layer.provide(
                Layer.fresh(RateLimits.layer({ crud: 2, alert: 30 }, node)),
                Layer.succeedContext(context)
              )
            ),
            Context.get(Limits)
          )
        )
      )
      const failures = yield* Effect.forEach(
        Array.from({ length: 16 }),
        (_, index) => Effect.either(servers[index % 2]?.failedAuthentication("203.0.113.7") ?? Effect.void),
        together
      )
      expect(failures.filter(({ _tag }) => _tag === "Right").length).toBe(10)
    })
  )
})
