import { describe, expect } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
import { ask, type ListingClient } from "../../src/ccxt/Listings.ts"
import { it } from "../lib/effect.ts"

/** An exchange that answers as it is told, and remembers whether it was closed. */
const fake = (loadMarkets: () => Promise<unknown>) => {
  const seen = { closed: 0 }
  const ccxt: ListingClient = {
    timeout: 10_000,
    loadMarkets,
    close: () => {
      seen.closed++
      return Promise.resolve()
    }
  }
  return { ccxt, seen }
}

const named = (name: string) => Object.assign(new Error(`<html>${"x".repeat(60_000)}`), { name })
const LATER = "look at the network and at the exchange's own status page, and try again later"

describe("a query for an exchange's markets", () => {
  it.effect("is sent once, and its ccxt is closed", () =>
    Effect.gen(function* () {
      const { ccxt, seen } = fake(() => Promise.resolve({}))
      expect(yield* ask("binance", () => Promise.resolve(ccxt))).toMatchObject({ markets: [] })
      expect(seen.closed).toBe(1)
    })
  )

  const failures = [
    [named("RateLimitExceeded"), "it limits our requests; try again in 5 s"],
    [named("DDoSProtection"), "it limits our requests; try again in 30 s"],
    [named("NetworkError"), `it cannot be reached; ${LATER}`],
    [named("RequestTimeout"), `it does not answer; ${LATER}`],
    [named("ExchangeNotAvailable"), `it is not available; ${LATER}`],
    [named("BadResponse"), `its answer is not understood; ${LATER}`],
    [new TypeError("undefined is not an object"), `its answer is not understood; ${LATER}`],
    ["a text", `its answer is not understood; ${LATER}`]
  ] as const
  for (const [cause, words] of failures) {
    it.effect(`${cause instanceof Error ? cause.name : cause}: ${words}`, () =>
      Effect.gen(function* () {
        const { ccxt, seen } = fake(() => Promise.reject(cause))
        const error = yield* Effect.flip(ask("binance", () => Promise.resolve(ccxt)))
        expect(error.message).toBe(`binance is not refreshed: ${words}`)
        expect(seen.closed).toBe(1)
      })
    )
  }

  it.effect("passes on the pause that the exchange asks for", () =>
    Effect.gen(function* () {
      const { ccxt } = fake(() => Promise.reject(named("RateLimitExceeded")))
      ccxt.last_response_headers = { "retry-after": "77" }
      const error = yield* Effect.flip(ask("binance", () => Promise.resolve(ccxt)))
      expect(error.message).toEndWith("try again in 77 s")
    })
  )

  it.effect("fails on an answer without a list of markets", () =>
    Effect.gen(function* () {
      const { ccxt } = fake(() => Promise.resolve("<html>"))
      const { message } = yield* Effect.flip(ask("binance", () => Promise.resolve(ccxt)))
      expect(message).toBe(`binance is not refreshed: its answer is no list of markets; ${LATER}`)
    })
  )

  it.effect("that is never answered is given up after 30 s, and its ccxt is closed", () =>
    Effect.gen(function* () {
      const { ccxt, seen } = fake(() => new Promise(() => {}))
      const asking = yield* Effect.fork(Effect.flip(ask("binance", () => Promise.resolve(ccxt))))
      yield* Effect.promise(() => Bun.sleep(0))
      yield* TestClock.adjust("29 seconds")
      expect(seen.closed).toBe(0)
      yield* TestClock.adjust("1 seconds")
      expect((yield* Fiber.join(asking)).message).toContain("it does not answer within 30 s")
      expect(seen.closed).toBe(1)
    })
  )
})
