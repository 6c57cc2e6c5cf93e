// The contract of `EquityHistory`: samples and their curve, thinned without losing a peak or low, and groups of trades.
import * as Effect from "effect/Effect"
import * as Decimal from "../../domain/Decimal.ts"
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { Pair } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { EquityHistory, type Sampled } from "../../services/equity/EquityHistory.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as Figures from "../../trading/equity/Figures.ts"
import * as Tracking from "../../trading/equity/Tracking.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { settings } from "../Fixtures.ts"
import { sender } from "./people.ts"
import { step, trade } from "./steps.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A midnight. */
const START = 20_000 * DAY

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const store = yield* StrategyStore
  const create = store.create(alice.account, settings())
  const mine = yield* create
  return { alice, create, mine, store, history: yield* EquityHistory, portfolio: yield* Portfolio }
})

/** The samples of a strategy at these times (ms) and equities. */
const samplesOf = (
  { id }: Strategy,
  made: ReadonlyArray<readonly [at: number, equity: number]>,
  period = 1
): ReadonlyArray<Sampled> => {
  let tracked: Tracking.Tracked | undefined
  return made.map(([at, equity]) => {
    const sample = { at, equity, notional: equity / 3, isHeld: true, weight: 1 }
    const beginning = { period, currency: "USDT", since: START, starting: 10_000 }
    const prices = [{ name: "binance:BTC/USDT", price: equity * 6.1 }]
    tracked = Tracking.sampled(tracked, { beginning, sample, prices })
    return { strategy: id, tracked }
  })
}

const equities = (points: ReadonlyArray<EquityPoint>) => points.map(([, equity]) => equity)

/** Equity that wanders, the same at every run. */
const wander = (index: number): number =>
  10_000 + 500 * Math.sin(index * 12.9898) + (index % 97) - (index % 31)

/**
 * An implementer keeps the fold to the last digit, thins without losing a peak or low, and counts a trade in the
 * transaction that stores it.
 */
export const suite = Contract.suite<EquityHistory | Accounts | Portfolio | StrategyStore>(
  "EquityHistory",
  (it) => {
    it("the newest sample of a strategy is returned to the last digit; others are missing", () =>
      Effect.gen(function* () {
        const { create, history, mine } = yield* scene
        const other = yield* create
        const all = samplesOf(mine, [
          [START + MINUTE, 10_000 / 3],
          [START + 2 * MINUTE, 0.1 + 0.2]
        ])
        for (const sample of all) yield* history.store([sample])
        const found = yield* history.latest([mine.id, other.id])
        expect([...found.keys()]).toEqual([mine.id])
        expect(found.get(mine.id)).toEqual(all[1]?.tracked)
        expect(yield* history.points(other.id, 1)).toEqual([])
      }))

    it("points are returned by time, those of each period apart", () =>
      Effect.gen(function* () {
        const { history, mine } = yield* scene
        const first = samplesOf(mine, [
          [START + MINUTE, 9000],
          [START + 2 * MINUTE, 9100]
        ])
        const second = samplesOf(mine, [[START + 2 * MINUTE + 1, 5000]], 2)
        for (const sample of [...first, ...second]) yield* history.store([sample])
        expect(yield* history.points(mine.id, 1)).toEqual(
          first.map(({ tracked }) => Tracking.pointOf(tracked))
        )
        expect(equities(yield* history.points(mine.id, 2))).toEqual([5000])
        expect((yield* history.latest([mine.id])).get(mine.id)?.period).toBe(2)
      }))

    it("of many samples in one minute the ends, the lowest and the highest are kept", () =>
      Effect.gen(function* () {
        const { history, mine } = yield* scene
        const made = Array.from(
          { length: 200 },
          (_, index) => [START + MINUTE + index, wander(index)] as const
        )
        for (const sample of samplesOf(mine, made)) yield* history.store([sample])
        const kept = equities(yield* history.points(mine.id, 1))
        const all = made.map(([, equity]) => Number(equity.toFixed(8)))
        expect(kept.length).toBeLessThanOrEqual(5)
        expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...all), Math.max(...all)])
        expect([kept[0], kept.at(-1)]).toEqual([all[0], all.at(-1)])
      }))

    it("the samples of strategies that were deleted are left out, and those of the others are stored", () =>
      Effect.gen(function* () {
        const { alice, create, history, mine, store } = yield* scene
        const other = yield* create
        yield* history.store(samplesOf(other, [[START + MINUTE, 1]]))
        yield* store.remove(alice.account, other.id)
        const both = [other, mine].flatMap((one) => samplesOf(one, [[START + 2 * MINUTE, 9000]]))
        yield* history.store(both)
        expect([...(yield* history.latest([mine.id, other.id])).keys()]).toEqual([mine.id])
        expect(yield* history.points(other.id, 1)).toEqual([])
        expect(equities(yield* history.points(mine.id, 1))).toEqual([9000])
      }))

    it("thinning keeps the peak, the low and the deepest drawdown, and bounds the number of points", () =>
      Effect.gen(function* () {
        const { history, mine } = yield* scene
        const made = Array.from(
          { length: 900 },
          (_, index) => [START + index * 20 * MINUTE, wander(index)] as const
        )
        const samples = samplesOf(mine, made)
        for (const sample of samples) yield* history.store([sample])
        const whole = yield* history.points(mine.id, 1)
        const caughtUp = (now: number) =>
          Effect.repeat(history.thin(now), { while: (isMore) => isMore, times: 100 })
        const same = (kept: ReadonlyArray<EquityPoint>) => {
          const falls = (points: ReadonlyArray<EquityPoint>) => points.map(([, , drawdown]) => drawdown)
          expect(Math.min(...equities(kept))).toBe(Math.min(...equities(whole)))
          expect(Math.max(...equities(kept))).toBe(Math.max(...equities(whole)))
          expect(Math.min(...falls(kept))).toBe(Math.min(...falls(whole)))
          expect([kept[0], kept.at(-1)]).toEqual([whole[0], whole.at(-1)])
          expect(kept).toEqual(kept.toSorted(([one], [other]) => one - other))
        }
        const end = START + 900 * 20 * MINUTE
        yield* caughtUp(end)
        same(yield* history.points(mine.id, 1))
        yield* caughtUp(end + 200 * DAY)
        const days = yield* history.points(mine.id, 1)
        same(days)
        // 900 samples, three an hour, are 13 days.
        expect(days.length).toBeLessThanOrEqual(13 * 5)
        yield* caughtUp(end + 400 * DAY)
        expect(yield* history.points(mine.id, 1)).toEqual(days)
      }))

    it("a trade is in its groups once its commit ends; sums are exact, by period", () =>
      Effect.gen(function* () {
        const { alice, history, mine, portfolio, store } = yield* scene
        const made = (pnl: string, over: Partial<ReturnType<typeof trade>> = {}) => ({
          ...trade(Date.UTC(2026, 10, 30)),
          pnl: Decimal.unsafeFromText(pnl),
          fees: Decimal.unsafeFromText("0.1"),
          ...over
        })
        expect(yield* history.groups(mine.id, 1)).toEqual([])
        const loss = made("-0.3", { exitReason: "stop_loss", closedAt: Date.UTC(2026, 11, 1) })
        yield* portfolio.commit([step(mine, 1, { trades: [made("0.1"), loss] })])
        yield* portfolio.commit([
          step(mine, 2, {
            trades: [made("0.000000000000000001"), made("0", { pair: Pair.make("ETH/USDT") })]
          }),
          step(mine, 3, { trades: [made("7", { period: 2 })] })
        ])
        const groups = yield* history.groups(mine.id, 1)
        const all = groups.find(({ by }) => by === "all")
        expect([all?.gained, all?.lost].map((sum) => sum && Decimal.toText(sum))).toEqual([
          "0.100000000000000001",
          "0.3"
        ])
        const { by_exit_reason, by_month, by_pair, trades } = Figures.completedOf(groups)
        expect(trades).toBe(4)
        expect(by_pair.map(({ pair, trades, wins }) => `${pair} ${trades} ${wins}`)).toEqual([
          "BTC/USDT 3 2",
          "ETH/USDT 1 0"
        ])
        expect(by_exit_reason.map(({ exit_reason, trades }) => `${exit_reason} ${trades}`)).toEqual([
          "stop_loss 1",
          "take_profit 3"
        ])
        expect(by_month.map(({ month, net_pnl }) => `${month} ${net_pnl}`)).toEqual([
          "2026-11 0.1",
          "2026-12 -0.3"
        ])
        expect(Figures.completedOf(yield* history.groups(mine.id, 2)).trades).toBe(1)
        yield* store.remove(alice.account, mine.id)
        yield* portfolio.commit([step(mine, 4, { trades: [made("1")] })])
        expect(yield* history.groups(mine.id, 1)).toEqual([])
      }))
  }
)
