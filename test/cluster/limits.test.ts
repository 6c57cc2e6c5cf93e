// The adversary: a caller who sends the same to two servers at once, to get twice of what one may have.
import { describe, expect } from "bun:test"
import { Context, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { Http } from "../../src/http/Mount.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { SharedConfirmations } from "../../src/services/arming/Confirmations.ts"
import { BacktestClaims } from "../../src/services/backtest/BacktestClaims.ts"
import * as Slots from "../../src/services/backtest/Slots.ts"
import { it } from "../lib/effect.ts"
import { isInstalled } from "../lib/postgres/Database.ts"
import { type Node, twoServers } from "./lib/TwoServers.ts"

const RATES = { crud: 2, alert: 30 }
const together = { concurrency: "unbounded" } as const

/** A server's interface. */
const doorOf = (node: Node) =>
  Effect.map(
    Layer.build(Layer.provide(Layer.fresh(Http.layer()), Layer.succeedContext(node.context))),
    (context) => Context.get(context, Http).handle
  )

/** How many of these responses have each status. */
const countsOf = (statuses: ReadonlyArray<number>): Readonly<Record<number, number>> =>
  statuses.reduce<Record<number, number>>((counts, status) => {
    counts[status] = (counts[status] ?? 0) + 1
    return counts
  }, {})

describe.skipIf(!isInstalled)("a caller of two servers", () => {
  it.live(
    "has one limit of requests, and one of failed authentications",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoServers({ limits: (node) => Postgres.layerRateLimits(RATES, node) })
        const doors = yield* Effect.forEach([a, b], doorOf)
        const { secret } = yield* a.on(
          Effect.flatMap(Accounts, ({ issue }) => issue("ann", "full", Option.none()))
        )
        const send = (path: string, index: number, token: string) =>
          Effect.promise(async () => {
            const request = new Request(`http://localhost${path}`, {
              headers: { authorization: `Bearer ${token}` }
            })
            return (await doors[index % 2]?.(request, "203.0.113.9"))?.status ?? 0
          })
        // Whoever has no share yet queries the common bucket for each.
        for (const wait of ["0 seconds", "4 seconds"] as const) {
          yield* Effect.sleep(wait)
          const began = performance.now()
          const statuses = yield* Effect.forEach(
            Array.from({ length: 120 }),
            (_, index) => send("/v1/alerts", index, Redacted.value(secret)),
            together
          )
          const seconds = (performance.now() - began) / 1000
          const counts = countsOf(statuses)
          expect(Object.keys(counts)).toEqual(["200", "429"])
          expect(counts[200]).toBeLessThanOrEqual(RATES.alert * (1 + seconds))
          expect(counts[200]).toBeGreaterThanOrEqual(20)
        }
        const guesses = yield* Effect.forEach(
          Array.from({ length: 24 }),
          (_, index) => send("/v1/alerts", index, "sbx_api_wrong"),
          together
        )
        expect(countsOf(guesses)).toEqual({ 401: 10, 429: 14 })
      }),
    60_000
  )

  it.live("has one back-test at a time, and the next one once it has ended", () =>
    Effect.gen(function* () {
      const { a, b } = yield* twoServers()
      const [one, other] = yield* Effect.forEach([a, b], ({ context }) =>
        Effect.map(Effect.provide(BacktestClaims, context), (claims) => Slots.make(undefined, claims))
      )
      if (one === undefined || other === undefined) return
      const ann = AccountId.make(1)
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.fork(one(ann, Effect.void, () => Deferred.await(end)))
      yield* Effect.sleep("100 millis")
      const run = (account: number) =>
        Effect.either(other(AccountId.make(account), Effect.void, () => Effect.void))
      expect((yield* run(1))._tag).toBe("Left")
      expect((yield* run(2))._tag).toBe("Right")
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      expect((yield* run(1))._tag).toBe("Right")
    })
  )

  it.live("may confirm at one server what the other one proposed, once and within its time", () =>
    Effect.gen(function* () {
      const { a, b } = yield* twoServers()
      const [one, other] = yield* Effect.forEach([a, b], ({ context }) =>
        Effect.flatten(Effect.provide(SharedConfirmations, context))
      )
      if (one === undefined || other === undefined) return
      const { confirmation, expiresAt } = yield* one.give("these terms", 1_000)
      expect(yield* other.take("other terms", confirmation, 1_000)).toBe(false)
      expect(yield* other.take("these terms", confirmation, expiresAt)).toBe(false)
      const taken = yield* Effect.all(
        [one, other, one, other].map(({ take }) => take("these terms", confirmation, 2_000)),
        together
      )
      expect(taken.filter((isTaken) => isTaken).length).toBe(1)
    })
  )
})
