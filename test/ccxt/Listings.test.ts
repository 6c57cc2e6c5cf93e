import { describe, expect } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
import type { Ccxt } from "../../src/ccxt/Ccxt.ts"
import { ask } from "../../src/ccxt/Listings.ts"
import { it } from "../lib/effect.ts"

/** An exchange that answers as it is told, and remembers whether it was closed. */
const fake = (loadMarkets: () => Promise<unknown>) => {
  const nothing = () => Promise.reject(new Error("was not to be asked"))
  const seen = { closed: 0 }
  const ccxt: Ccxt = {
    ...{ id: "binance", clients: {}, urls: {}, timeout: 10_000, loadMarkets },
    options: { fetchMarkets: { types: ["spot", "linear", "inverse"], loadAllOptions: false }, other: 1 },
    ...{ fetchMarkets: nothing, fetchTickers: nothing, fetchTicker: nothing, fetchBidsAsks: nothing },
    ...{
      watchTickers: nothing,
      watchTicker: nothing,
      watchBidsAsks: nothing,
      watchTradesForSymbols: nothing
    },
    close: () => {
      seen.closed++
      return Promise.resolve()
    }
  }
  return { ccxt, seen }
}

class Named extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

describe("an exchange is asked for its markets", () => {
  it.effect("those of the kinds that are traded here, and no others", () =>
    Effect.gen(function* () {
      const { ccxt, seen } = fake(() => Promise.resolve({}))
      expect(yield* ask("binance", () => Promise.resolve(ccxt))).toMatchObject({ markets: [] })
      expect(ccxt.options).toEqual({
        fetchMarkets: { types: ["spot", "linear"], loadAllOptions: false },
        other: 1
      })
      expect(seen.closed).toBe(1)
    })
  )

  const failures = [
    [new Named("RateLimitExceeded", "429"), "binance was asked too often from this address: try again in"],
    [new Named("DDoSProtection", "418"), "binance was asked too often from this address: try again in"],
    [new Named("NetworkError", "refused"), "binance cannot be reached: look at the network"],
    [new Named("RequestTimeout", "10 s"), "binance cannot be reached: look at the network"],
    [new Named("ExchangeNotAvailable", "503"), "binance is out of service: try again later (503)"],
    [new Named("BadResponse", "<html>"), "binance answered with what is not understood: try again later"],
    [new TypeError("undefined is not an object"), "binance answered with what is not understood"],
    ["a text", "binance answered with what is not understood"]
  ] as const
  for (const [cause, words] of failures) {
    it.effect(`${String(cause)}: ${words}`, () =>
      Effect.gen(function* () {
        const { ccxt, seen } = fake(() => Promise.reject(cause))
        const error = yield* Effect.flip(ask("binance", () => Promise.resolve(ccxt)))
        expect(error.message).toStartWith(words)
        expect(seen.closed).toBe(1)
      })
    )
  }

  it.effect("a page in an error is told as the beginning of a line", () =>
    Effect.gen(function* () {
      const { ccxt } = fake(() => Promise.reject(new Error(`<html>\n${"x".repeat(60_000)}`)))
      const { message } = yield* Effect.flip(ask("binance", () => Promise.resolve(ccxt)))
      expect(message).toContain("(<html> xxx")
      expect(message).not.toContain("\n")
      expect(message.length).toBeLessThan(300)
    })
  )

  it.effect("an answer that is no list of markets is told as such", () =>
    Effect.gen(function* () {
      const { ccxt } = fake(() => Promise.resolve("<html>"))
      const { message } = yield* Effect.flip(ask("binance", () => Promise.resolve(ccxt)))
      expect(message).toContain("answered with what is not understood")
      expect(message).toContain("no list of markets")
    })
  )

  it.effect("one that never answers is given up after 30 s, and closed", () =>
    Effect.gen(function* () {
      const { ccxt, seen } = fake(() => new Promise(() => {}))
      const asking = yield* Effect.fork(Effect.flip(ask("binance", () => Promise.resolve(ccxt))))
      yield* Effect.promise(() => Bun.sleep(0))
      yield* TestClock.adjust("29 seconds")
      expect(seen.closed).toBe(0)
      yield* TestClock.adjust("1 seconds")
      expect((yield* Fiber.join(asking)).message).toContain("did not answer within 30 s")
      expect(seen.closed).toBe(1)
    })
  )
})
