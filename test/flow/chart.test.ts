// A chart that adds, takes parts and turns is followed message by message, whatever it does.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import { TestServer } from "../../src/testing.ts"

const RUNS = 40
const SEED = 20_261_123
const STRATEGY = { buy_percentage: 10, max_entries: 50, taker_fee: 0.1, maker_fee: 0.1 }
/** Of binance's BTC/USDT markets in the shipped catalogue. */
const STEP = { spot: 0.00001, swap: 0.001 } as const
type Kind = keyof typeof STEP

interface Change {
  /** The chart's position after it, in contracts; below zero for a short. */
  readonly to: number
  readonly price: number
}

const change = FastCheck.record({
  to: FastCheck.integer({ min: -4, max: 4 }),
  price: FastCheck.integer({ min: 80, max: 120 })
})
const script = FastCheck.array(change, { minLength: 1, maxLength: 12 }).map((changes) => {
  let at = 0
  return changes.flatMap(({ price, to }) => {
    const from = at
    at = to
    return from === to ? [] : [{ from, to, price }]
  })
})
type Script = ReadonlyArray<Change & { readonly from: number }>

const holdingOf = (size: number) => (size > 0 ? "long" : size < 0 ? "short" : "flat")
const messageOf = (from: number, to: number, kind: Kind) =>
  JSON.stringify({
    symbol: kind === "swap" ? "BTCUSDT.P" : "BTCUSDT",
    action: to > from ? "buy" : "sell",
    contracts: String(Math.abs(to - from)),
    market_position: holdingOf(to),
    market_position_size: String(Math.abs(to)),
    prev_market_position: holdingOf(from),
    prev_market_position_size: String(Math.abs(from))
  })

const heldIn = (state: BotState | undefined, kind: Kind): number => {
  const position = Object.values(state?.slots ?? {}).find((slot) => slot.kind === kind)?.position
  if (position === undefined) return 0
  return Decimal.toNumber(position.quantity) * (position.side === "long" ? 1 : -1)
}

const send = (server: TestServer.TestServer, from: number, to: number, kind: Kind) =>
  Effect.gen(function* () {
    const path = `/v1/signals/charting?key=${server.alertToken}&signal_id=${server.signal.id}`
    const answer = yield* Effect.promise(() =>
      server.fetch(path, { method: "POST", body: messageOf(from, to, kind) })
    )
    expect(answer.status).toBe(200)
    yield* server.caughtUp
  })

/** What was bought is sold, and what came back is free cash. */
const conserves = (trades: ReadonlyArray<Trade>, state: BotState | undefined) => {
  for (const trade of trades) {
    const sold = (trade.exitFills ?? []).map(({ quantity }) => quantity)
    if (sold.length > 0) expect(Decimal.toText(Decimal.sum(sold))).toBe(Decimal.toText(trade.quantity))
  }
  if (state === undefined || Object.values(state.slots).some(({ position }) => position)) return
  const earned = Decimal.sum(trades.map(({ pnl }) => pnl))
  const due = Decimal.toNumber(Decimal.add(state.startingBalance, earned))
  expect(Decimal.toNumber(state.cash)).toBeCloseTo(due, 9)
}

const followed = (kind: Kind, changes: Script) =>
  TestServer.run({ strategies: [STRATEGY] }, (server) =>
    Effect.gen(function* () {
      let perContract = 0
      let roundings = 0
      const shown = (size: number) => (kind === "spot" ? Math.max(size, 0) : size)
      for (const { from, price, to } of changes) {
        yield* server.price(price * 100, { kind })
        yield* server.pass("2 minutes")
        yield* server.price(price * 100, { kind })
        yield* send(server, from, to, kind)
        const held = heldIn(yield* server.strategy.bot, kind)
        const [before, after] = [shown(from), shown(to)]
        expect(Math.sign(held)).toBe(Math.sign(after))
        if (after === 0) continue
        if (Math.sign(before) !== Math.sign(after)) {
          perContract = held / after
          roundings = 0
        } else roundings++
        const apart = Math.abs(held - after * perContract) / STEP[kind]
        expect(apart).toBeLessThanOrEqual(roundings + 1e-6)
      }
      conserves(yield* server.strategy.trades, yield* server.strategy.bot)
    })
  )

for (const kind of ["swap", "spot"] as const) {
  test(`after every message the bot on ${kind} holds the chart's side, and its ratio to an amount step`, () =>
    FastCheck.assert(
      FastCheck.asyncProperty(script, (changes) => followed(kind, changes)),
      { numRuns: RUNS, seed: SEED }
    ))
}

/** A chart does two things in one bar, and their messages come in either order. */
const overtaken = FastCheck.tuple(
  FastCheck.integer({ min: -3, max: 3 }),
  FastCheck.integer({ min: -3, max: 3 }),
  FastCheck.integer({ min: -3, max: 3 })
).filter(([first, second, third]) => first !== second && second !== third && first !== 0)

const ending = (kind: Kind, messages: ReadonlyArray<readonly [from: number, to: number]>) =>
  TestServer.run({ strategies: [STRATEGY] }, (server) =>
    Effect.gen(function* () {
      yield* server.price(10_000, { kind })
      for (const [from, to] of messages) yield* send(server, from, to, kind)
      yield* server.pass("3 seconds")
      yield* server.price(10_000, { kind })
      yield* server.caughtUp
      return heldIn(yield* server.strategy.bot, kind)
    })
  )

for (const kind of ["swap", "spot"] as const) {
  test(`two messages of a bar on ${kind} end in the same position in either order of arrival`, () =>
    FastCheck.assert(
      FastCheck.asyncProperty(overtaken, async ([first, second, third]) => {
        const opening = [0, first] as const
        const one = [first, second] as const
        const other = [second, third] as const
        const inOrder = await ending(kind, [opening, one, other])
        expect(await ending(kind, [opening, other, one])).toBe(inOrder)
      }),
      { numRuns: RUNS, seed: SEED }
    ))
}
