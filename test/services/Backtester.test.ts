import { afterAll, beforeAll, expect, test } from "bun:test"
import { Deferred, Effect, Fiber, ManagedRuntime } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import * as Slots from "../../src/services/backtest/Slots.ts"
import { wave } from "../backtests/prices.ts"
import { ann, caughtUp, send } from "../lib/flow.ts"
import { STRATEGY } from "../lib/strategy.ts"

const runtime = ManagedRuntime.make(Memory.layer())
let world: Effect.Effect.Success<ReturnType<typeof ann>>
beforeAll(async () => {
  world = await runtime.runPromise(ann())
  const alerts = Effect.all([
    send(world.identity, world.signal, "buy"),
    send(world.identity, world.signal, "sell")
  ])
  await runtime.runPromise(Effect.zipRight(alerts, caughtUp))
})
afterAll(() => runtime.dispose())

const run = (body: object) =>
  runtime.runPromise(
    Effect.either(
      Effect.flatMap(Backtester, (backtester) =>
        backtester.run(world.account, Effect.succeed(new TextEncoder().encode(JSON.stringify(body))))
      )
    )
  )
const candles = (count: number) => [{ pair: "BTC/USDT", csv: wave(Date.UTC(2026, 10, 1), count) }]

test("in memory a back-test runs over a few candles and the recorded alerts", async () => {
  const told = await run({
    strategy: STRATEGY,
    candles: candles(100),
    alerts: { recorded: "strategy", id: 1 }
  })
  expect(told._tag).toBe("Right")
  expect(told._tag === "Right" ? JSON.parse(told.right) : {}).toMatchObject({ candles: 100, alerts: 2 })
})

test("in memory a back-test of many or of recorded candles is refused with a reason", async () => {
  const many = await run({ strategy: STRATEGY, candles: candles(50_001) })
  expect(many).toMatchObject({
    left: { errors: { "candles[0]": ["makes more than 50000 candles in all: choose a shorter time"] } }
  })
  const recorded = await run({ strategy: STRATEGY, candles: [{ pair: "BTC/USDT", exchange: "binance" }] })
  expect(recorded).toMatchObject({
    left: { errors: { "candles[0]": ["there are no recorded prices on this server: upload a file"] } }
  })
})

const accounts = [
  ...[AccountId.make(1), AccountId.make(2), AccountId.make(3)],
  ...[AccountId.make(4), AccountId.make(5)]
] as const
const triesOf = (slot: ReturnType<typeof Slots.make>) => {
  const ran = () => Effect.succeed("ran")
  const tries = (id: AccountId) =>
    Effect.map(Effect.either(slot(id, Effect.void, ran)), (it) =>
      it._tag === "Left" && it.left._tag === "BacktestBusy" ? it.left.whose : "ran"
    )
  return { ran, tries }
}

test("two back-tests run at a time, one for each account, and a failed or abandoned one frees its slot", async () => {
  const slot = Slots.make()
  const [one, two, three] = accounts
  const { ran, tries } = triesOf(slot)
  const both = slot(one, Effect.void, () =>
    slot(two, Effect.void, () => Effect.all([tries(one), tries(two), tries(three)]))
  )
  expect(await Effect.runPromise(both)).toEqual(["account", "account", "server"])
  await Effect.runPromise(Effect.ignore(slot(one, Effect.fail("no"), ran)))
  await Effect.runPromise(Effect.ignore(slot(one, Effect.void, () => Effect.fail("no"))))
  await Effect.runPromise(Effect.timeoutOption(slot(one, Effect.never, ran), "1 millis"))
  await Effect.runPromise(
    Effect.timeoutOption(
      slot(one, Effect.void, () => Effect.never),
      "1 millis"
    )
  )
  expect(await Effect.runPromise(tries(one))).toBe("ran")
})

test("slow senders take no room to run: four at a time, and a body that came too late is refused", async () => {
  const slot = Slots.make()
  const { ran, tries } = triesOf(slot)
  const [one, two, three, four, five] = accounts
  const sending = (
    ids: ReadonlyArray<AccountId>,
    inside: Effect.Effect<string, unknown>
  ): Effect.Effect<string, unknown> => {
    const [first, ...others] = ids
    if (first === undefined) return inside
    return slot(first, sending(others, inside), Effect.succeed)
  }
  expect(await Effect.runPromise(sending([one, two, three], tries(four)))).toBe("ran")
  expect(await Effect.runPromise(sending([one, two, three], tries(three)))).toBe("account")
  expect(await Effect.runPromise(sending([one, two, three, four], tries(five)))).toBe("server")
  const late = await Effect.runPromise(
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      const sender = yield* Effect.fork(Effect.flip(slot(three, Deferred.await(sent), ran)))
      yield* Effect.yieldNow()
      return yield* slot(one, Effect.void, () =>
        slot(two, Effect.void, () => Effect.zipRight(Deferred.succeed(sent, undefined), Fiber.join(sender)))
      )
    })
  )
  expect(late).toMatchObject({ _tag: "BacktestBusy", whose: "server" })
  expect(await Effect.runPromise(tries(three))).toBe("ran")
})

test("a back-test that takes too long in real time is ended, whatever the test clock says", async () => {
  const ended = await Effect.runPromise(Effect.flip(Slots.limited(Effect.never, 0.01)))
  expect(ended.message).toMatch(/^it took longer than a minute/)
})
