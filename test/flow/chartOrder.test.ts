// Messages of one bar overtake each other on their way: whatever their order of arrival, they end in one position.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { TestServer } from "../../src/testing.ts"

const RUNS = 40
const SEED = 20_261_123
const STRATEGY = { buy_percentage: 10, max_entries: 50, taker_fee: 0.1, maker_fee: 0.1 }
type Kind = "spot" | "swap"

const holdingOf = (size: number) => (size > 0 ? "long" : size < 0 ? "short" : "flat")
const messageOf = (from: number, to: number, kind: Kind, pair = "BTCUSDT") => ({
  symbol: kind === "swap" ? `${pair}.P` : pair,
  action: to > from ? "buy" : "sell",
  market_position: holdingOf(to),
  market_position_size: String(Math.abs(to)),
  prev_market_position: holdingOf(from),
  prev_market_position_size: String(Math.abs(from))
})

const heldIn = (state: BotState | undefined): number => {
  const [slot] = Object.values(state?.slots ?? {})
  const position = slot?.position
  return position === undefined
    ? 0
    : Decimal.toNumber(position.quantity) * (position.side === "long" ? 1 : -1)
}

const send = (server: TestServer.TestServer, message: object) =>
  Effect.gen(function* () {
    const path = `/v1/signals/charting?key=${server.alertToken}&signal_id=${server.signal.id}`
    const answer = yield* Effect.promise(() =>
      server.fetch(path, { method: "POST", body: JSON.stringify(message) })
    )
    expect(answer.status).toBe(200)
    yield* server.caughtUp
  })

/** How many alerts have an outcome. */
const answered = (server: TestServer.TestServer) =>
  Effect.map(server.strategy.timeline, (entries) => entries.filter(({ rule }) => rule === "alert").length)

type Move = readonly [from: number, to: number]

const ending = (kind: Kind, moves: ReadonlyArray<Move>) =>
  TestServer.run({ strategies: [STRATEGY] }, (server) =>
    Effect.gen(function* () {
      yield* server.price(10_000, { kind })
      for (const [from, to] of moves) yield* send(server, messageOf(from, to, kind))
      yield* server.pass("1 second")
      yield* server.caughtUp
      return heldIn(yield* server.strategy.bot)
    })
  )

const size = FastCheck.integer({ min: -3, max: 3 })
const overtaken = FastCheck.tuple(size, size, size).filter(
  ([first, second, third]) => first !== second && second !== third && first !== 0
)

for (const kind of ["swap", "spot"] as const) {
  test(`two messages of a bar on ${kind} end in the same position in either sequence of arrival`, () =>
    FastCheck.assert(
      FastCheck.asyncProperty(overtaken, async ([first, second, third]) => {
        const [opening, one, other]: ReadonlyArray<Move> = [
          [0, first],
          [first, second],
          [second, third]
        ]
        if (opening === undefined || one === undefined || other === undefined) return
        const inSequence = await ending(kind, [opening, one, other])
        expect(await ending(kind, [opening, other, one])).toBe(inSequence)
      }),
      { numRuns: RUNS, seed: SEED }
    ))
}

test("messages that wait for a price are acted on in the chart's sequence", async () => {
  for (const moves of [
    [
      [2, 0],
      [0, -1]
    ],
    [
      [0, -1],
      [2, 0]
    ]
  ] as const)
    await TestServer.run({ strategies: [STRATEGY] }, (server) =>
      Effect.gen(function* () {
        yield* server.price(10_000, { kind: "swap" })
        yield* send(server, messageOf(0, 2, "swap"))
        yield* server.pass("20 seconds")
        for (const [from, to] of moves) yield* send(server, messageOf(from, to, "swap"))
        yield* server.pass("4 seconds")
        expect(heldIn(yield* server.strategy.bot)).toBeGreaterThan(0)
        yield* server.price(10_000, { kind: "swap" })
        yield* server.caughtUp
        yield* server.price(10_000, { kind: "swap" })
        yield* server.caughtUp
        expect(heldIn(yield* server.strategy.bot)).toBeLessThan(0)
        expect(yield* answered(server)).toBe(3)
      })
    )
})

test("a message whose predecessor never comes is acted on as it stands after 2 seconds", async () => {
  await TestServer.run({ strategies: [STRATEGY] }, (server) =>
    Effect.gen(function* () {
      yield* server.price(10_000, { kind: "swap" })
      yield* send(server, messageOf(0, 2, "swap"))
      yield* send(server, messageOf(-1, 0, "swap"))
      yield* send(server, messageOf(1, -1, "swap"))
      yield* server.pass("1900 millis")
      yield* server.caughtUp
      expect(heldIn(yield* server.strategy.bot)).toBeGreaterThan(0)
      yield* server.pass("200 millis")
      yield* server.caughtUp
      expect(heldIn(yield* server.strategy.bot)).toBeLessThanOrEqual(0)
      expect(yield* answered(server)).toBe(3)
    })
  )
})

test("a message a minute after the last one is acted on at once, and so is one for another market", async () => {
  await TestServer.run({ strategies: [STRATEGY] }, (server) =>
    Effect.gen(function* () {
      yield* server.price(10_000, { kind: "swap" })
      yield* server.price(10_000, { kind: "spot" })
      yield* send(server, messageOf(0, 2, "swap"))
      yield* send(server, messageOf(1, 0, "swap"))
      yield* send(server, messageOf(0, 1, "spot"))
      expect(
        Object.values((yield* server.strategy.bot)?.slots ?? {})
          .map(({ kind }) => kind)
          .sort()
      ).toEqual(["spot", "swap"])
      yield* server.pass("3 seconds")
      yield* server.caughtUp
      yield* server.pass("61 seconds")
      yield* server.price(10_000, { kind: "swap" })
      yield* send(server, messageOf(3, 5, "swap"))
      expect(yield* answered(server)).toBe(4)
    })
  )
})

test("an exit without a position in its message is not held up by a message that waits", async () => {
  await TestServer.run({ strategies: [STRATEGY] }, (server) =>
    Effect.gen(function* () {
      yield* server.price(10_000, { kind: "swap" })
      yield* send(server, messageOf(0, 2, "swap"))
      yield* send(server, messageOf(3, 5, "swap"))
      yield* send(server, { type: "close_long", symbol: "BTCUSDT.P" })
      expect(heldIn(yield* server.strategy.bot)).toBe(0)
    })
  )
})
