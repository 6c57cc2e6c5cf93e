// An account at each exchange: what is asked of it, by whose clock, and how often.
import { describe, expect, test } from "bun:test"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { descriptors } from "../../src/ccxt/descriptors.ts"
import { fieldOf } from "../../src/ccxt/Field.ts"
import * as Pauses from "../../src/ccxt/Pauses.ts"
import { EXCHANGE_NAMES, type KnownExchange } from "../../src/domain/Market.ts"
import type { Connection } from "../../src/exchange/Connection.ts"
import { Connections } from "../../src/exchange/Connections.ts"
import type { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, accountsOf, credentialsOf, stubOf } from "./lib.ts"

const on = async (
  name: KnownExchange,
  run: (connection: Connection, stub: Stub) => Promise<void>,
  pauses = Pauses.make()
) => {
  const stub = await stubOf(name)
  const layer = Connections.layer({ urls: new Map([[name, stub.url]]), pauses }).pipe(
    Layer.provide(accountsOf(name, stub))
  )
  const program = Effect.gen(function* () {
    const connection = yield* (yield* Connections).of(ACCOUNT)
    yield* Effect.promise(() => run(connection, stub))
  })
  try {
    await Effect.runPromise(Effect.provide(program, layer))
  } finally {
    await stub.stop()
  }
}

const balance = ({ ask }: Connection) => Effect.runPromise(ask("balance", (ccxt) => ccxt.fetchBalance()))

for (const name of EXCHANGE_NAMES)
  describe(name, () => {
    test("sends no private request but the one asked for, and returns texts", () =>
      on(name, async (connection, stub) => {
        expect(fieldOf(fieldOf(await balance(connection), "BTC"), "free")).toBe("10")
        await balance(connection)
        // Kraken's numbers are of this machine's time.
        const kinds = stub.desk.calls.map(({ kind }) => kind).join()
        expect(kinds).toBe(descriptors[name].isNumbered ? "balance,balance" : "time,balance,balance")
      }))

    test("signs with the exchange's time", () =>
      on(name, async (connection, stub) => {
        // Two tell whole seconds.
        stub.desk.skewMs = -300_000
        expect(fieldOf(fieldOf(await balance(connection), "BTC"), "free")).toBe("10")
        expect(Math.abs((await Effect.runPromise(connection.skewMs)) + 300_000)).toBeLessThan(1100)
      }))

    test("recognizes a malformed answer", () =>
      on(name, async (connection, stub) => {
        await balance(connection)
        for (const how of ["truncated", "nonsense", "empty"] as const) {
          stub.desk.troubles.plan("balance", { how, when: "after" })
          const failed = await Effect.runPromise(
            Effect.flip(connection.ask("balance", (ccxt) => ccxt.fetchBalance()))
          )
          expect(fieldOf(fieldOf(failed, "cause"), "name")).toBe("Unreadable")
        }
      }))

    test("a ban is reported to all threads", () => {
      const pauses = Pauses.make()
      return on(
        name,
        async (connection, stub) => {
          await balance(connection)
          stub.desk.ban(60_000)
          await balance(connection).catch(() => undefined)
          const asked = stub.requests.length
          const waiting = Effect.runFork(connection.ask("cancel", (ccxt) => ccxt.fetchBalance()))
          await Bun.sleep(50)
          expect(stub.requests.length).toBe(asked)
          expect(Pauses.make(pauses.memory).until(name)).toBeGreaterThan(Date.now() + 50_000)
          await Effect.runPromise(Fiber.interrupt(waiting))
        },
        pauses
      )
    })
  })

test("markets that failed to load are not requested again by each caller", () =>
  on("kraken", async (connection, stub) => {
    stub.faults.rest = { status: 500 }
    await balance(connection).catch(() => undefined)
    // Some ask for them in parts, of which one has failed.
    await Bun.sleep(50)
    const asked = stub.requests.length
    expect(asked).toBeGreaterThan(0)
    for (let time = 0; time < 5; time++) await balance(connection).catch(() => undefined)
    expect(stub.requests.length).toBe(asked)
  }))

test("markets are reloaded after half a day, and nobody waits for it", () =>
  on("kraken", async (connection) => {
    const later = Clock.make()
    const ahead = () => Date.now() + 13 * 3_600_000
    const clock: Clock.Clock = {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      sleep: (duration) => later.sleep(duration),
      unsafeCurrentTimeMillis: ahead,
      unsafeCurrentTimeNanos: () => later.unsafeCurrentTimeNanos(),
      currentTimeMillis: Effect.sync(ahead),
      currentTimeNanos: later.currentTimeNanos
    }
    const known = connection.market("BTC/USDT")
    const before = await Effect.runPromise(known)
    expect(await Effect.runPromise(known)).toBe(before)
    expect(await Effect.runPromise(Effect.withClock(known, clock))).toBe(before)
    for (let wait = 0; wait < 100 && (await Effect.runPromise(known)) === before; wait++) await Bun.sleep(20)
    const after = await Effect.runPromise(known)
    expect([after === before, fieldOf(after, "symbol")]).toEqual([false, "BTC/USDT"])
    expect(await balance(connection)).toBeDefined()
  }))

test("three exchanges have a test network", async () => {
  expect(EXCHANGE_NAMES.filter((name) => descriptors[name].hasSandbox)).toEqual(["binance", "bybit", "okx"])
  const stub = await stubOf("kraken")
  const layer = Connections.layer().pipe(Layer.provide(accountsOf("kraken", stub)))
  const refused = Effect.gen(function* () {
    const { open } = yield* Connections
    const { ask } = yield* open("kraken", true, credentialsOf(stub))
    return yield* Effect.flip(ask("balance", (ccxt) => ccxt.fetchBalance()))
  }).pipe(Effect.scoped, Effect.provide(layer))
  expect(fieldOf(await Effect.runPromise(refused), "reason")).toBe(
    "this exchange offers no test network to programs"
  )
  await stub.stop()
})
