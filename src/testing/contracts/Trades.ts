// The contract of `Trades`: a strategy's completed trades in any order, in pages without gaps or repeats.
import * as Effect from "effect/Effect"
import * as Decimal from "../../domain/Decimal.ts"
import { Pair } from "../../domain/Market.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import type { TradeFilter } from "../../services/records/TradeSearch.ts"
import { type Order, Trades } from "../../services/records/Trades.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { settings } from "../Fixtures.ts"
import { sender } from "./people.ts"
import { fill, order, step, trade } from "./steps.ts"

const scene = Effect.gen(function* () {
  const { account } = yield* sender("alice")
  const store = yield* StrategyStore
  const portfolio = yield* Portfolio
  const mine = yield* store.create(account, settings())
  const other = yield* store.create(account, settings())
  return { mine, other, portfolio, trades: yield* Trades }
})

/** Trades that every column sorts differently. */
const made = ([openedAt, closedAt, pair, pnl, profitPercent]: readonly [
  number,
  number,
  string,
  string,
  number
]): Trade => ({
  ...trade(closedAt),
  openedAt,
  pair: Pair.make(pair),
  pnl: Decimal.unsafeFromText(pnl),
  profitPercent
})
const rows = (
  [
    [300, 1000, "ETH/USDT", "-5.5", 9],
    [100, 2000, "BTC/USDT", "10.000000000000000001", -3],
    [200, 2100, "SOL/USDT", "9.5", 2],
    [2050, 2200, "BTC/USDT", "-5.5", 1]
  ] as const
).map(made)

const ascending: Readonly<Record<Order, ReadonlyArray<number>>> = {
  closed_at: [0, 1, 2, 3],
  opened_at: [1, 2, 0, 3],
  pair: [1, 3, 0, 2],
  pnl: [0, 3, 2, 1],
  profit_pct: [1, 3, 2, 0],
  hold: [3, 0, 1, 2]
}
const ORDERS = ["closed_at", "opened_at", "pair", "pnl", "profit_pct", "hold"] as const

/** Trades of a strategy, of a deleted one and of another account's. */
const searched = Effect.gen(function* () {
  const { mine, other: gone, portfolio, trades } = yield* scene
  const { account } = yield* sender("alice")
  const store = yield* StrategyStore
  const theirs = yield* store.create((yield* sender("bob")).account, settings())
  const nothing = { ...trade(3000), side: "short", exitReason: "sl", live: true, pnl: Decimal.zero } as const
  yield* portfolio.commit([
    step(mine, 1, { trades: rows }),
    step(gone, 1, { trades: [nothing] }),
    step(theirs, 1, { trades: [trade(2000)] })
  ])
  yield* store.remove(account, gone.id)
  return { account, gone, mine, theirs, trades }
})

/** An implementer breaks ties by completion. */
export const suite = Contract.suite<Trades | Accounts | Portfolio | StrategyStore>("Trades", (it) => {
  it("trades are sorted in every order, ascending and descending, with ties by their sequence", () =>
    Effect.gen(function* () {
      const { mine, other, portfolio, trades } = yield* scene
      yield* portfolio.commit([step(mine, 1, { trades: rows }), step(other, 1, { trades: [trade(5)] })])
      const first = (yield* trades.after(mine.id, 0, 1))[0]?.id ?? 0
      const places = (stretch: Parameters<typeof trades.page>[1]) =>
        Effect.map(trades.page(mine.id, stretch), ({ rows, total }) => {
          expect(total).toBe(4)
          return rows.map(({ id }) => id - first)
        })
      for (const by of ORDERS) {
        const all = { order: by, offset: 0, limit: 10 }
        const up = yield* places({ ...all, direction: "asc" })
        expect([by, ...up]).toEqual([by, ...ascending[by]])
        expect(yield* places({ ...all, direction: "desc" })).toEqual([...up].reverse())
        expect(yield* places({ order: by, direction: "asc", offset: 1, limit: 2 })).toEqual(up.slice(1, 3))
      }
      expect(yield* places({ order: "pnl", direction: "asc", offset: 9, limit: 5 })).toEqual([])
      const [shown] = (yield* trades.page(mine.id, {
        order: "pnl",
        direction: "desc",
        offset: 0,
        limit: 1
      })).rows
      expect(Decimal.toText(shown?.trade.pnl ?? Decimal.zero)).toBe("10.000000000000000001")
    }))

  it("trades are read in pages from the oldest on, and results cover all of them", () =>
    Effect.gen(function* () {
      const { mine, other, portfolio, trades } = yield* scene
      expect(yield* trades.after(mine.id, 0, 10)).toEqual([])
      expect((yield* trades.results(mine.id, 1)).at.length).toBe(0)
      yield* portfolio.commit([step(mine, 1, { trades: rows.slice(0, 2) })])
      expect((yield* trades.results(mine.id, 1)).at.length).toBe(2)
      yield* portfolio.commit([
        step(other, 1, { trades: [trade(5)] }),
        step(mine, 2, { trades: rows.slice(2) })
      ])
      const found = []
      for (let after = 0; ; ) {
        const some = yield* trades.after(mine.id, after, 3)
        found.push(...some.map((row) => row.trade.closedAt))
        after = some.at(-1)?.id ?? 0
        if (some.length < 3) break
      }
      expect(found).toEqual([1000, 2000, 2100, 2200])
      const { at, pnl } = yield* trades.results(mine.id, 1)
      expect([...at]).toEqual(found)
      expect([...pnl]).toEqual([-5.5, 10, 9.5, -5.5])
    }))

  it("results cover the trades of one period, and lists show the trades of all periods unchanged", () =>
    Effect.gen(function* () {
      const { mine, other, portfolio, trades } = yield* scene
      const of = (closedAt: number, period?: number) => ({
        ...trade(closedAt),
        ...(period === undefined ? {} : { period, live: true as const })
      })
      yield* portfolio.commit([
        step(mine, 1, { trades: [of(1), of(2)] }),
        step(other, 1, { trades: [of(3)] })
      ])
      yield* portfolio.commit([step(mine, 2, { trades: [of(4, 2), of(5, 2), of(6, 4)] })])
      yield* portfolio.commit([step(other, 2, { trades: [of(7, 3)] })])
      const closed = (strategy: typeof mine, period: number) =>
        Effect.map(trades.results(strategy.id, period), ({ at, pnl }) => {
          expect(pnl.length).toBe(at.length)
          return [...at]
        })
      const found = yield* Effect.forEach([1, 2, 3, 4, 5], (period) => closed(mine, period))
      expect(found).toEqual([[1, 2], [4, 5], [], [6], []])
      expect([yield* closed(other, 1), yield* closed(other, 2), yield* closed(other, 3)]).toEqual([
        [3],
        [],
        [7]
      ])
      const listed = yield* trades.page(mine.id, {
        order: "closed_at",
        direction: "asc",
        offset: 0,
        limit: 9
      })
      expect(listed.total).toBe(5)
      expect(listed.rows.map((row) => [row.trade.period, row.trade.live])).toEqual([
        [undefined, undefined],
        [undefined, undefined],
        [2, true],
        [2, true],
        [4, true]
      ])
    }))

  it("a search finds the account's trades by every filter, also of deleted strategies, in pages and in sums", () =>
    Effect.gen(function* () {
      const { account, gone, mine, theirs, trades } = yield* searched
      const all = { order: "pnl", direction: "desc", offset: 0, limit: 10 } as const
      const found = (filter: TradeFilter) =>
        Effect.map(trades.search(account, filter, all), ({ rows, total }) => {
          expect(total).toBe(rows.length)
          return rows.map(({ trade }) => trade.closedAt)
        })
      const cases: ReadonlyArray<readonly [TradeFilter, ReadonlyArray<number>]> = [
        [{}, [2000, 2100, 3000, 2200, 1000]],
        [{ strategy: gone.id }, [3000]],
        [{ strategy: theirs.id }, []],
        [{ pair: "BTC" }, [2000, 3000, 2200]],
        [{ pair: "_TC" }, []],
        [{ side: "short" }, [3000]],
        [{ exitReason: "sl" }, [3000]],
        [{ result: "win" }, [2000, 2100]],
        [{ result: "loss" }, [2200, 1000]],
        [{ from: 2000, until: 2200 }, [2000, 2100]],
        [{ live: true }, [3000]],
        [{ live: false, pair: "BTC/USDT", result: "loss" }, [2200]]
      ]
      for (const [filter, closed] of cases) {
        expect([filter, yield* found(filter)]).toEqual([filter, closed])
        const oldest = yield* trades.searchAfter(account, filter, { id: 0, limit: 10 })
        expect(oldest.map(({ trade }) => trade.closedAt)).toEqual([...closed].sort((a, b) => a - b))
        const totals = yield* trades.totals(account, filter)
        expect(totals.reduce((sum, { trades }) => sum + trades, 0)).toBe(closed.length)
      }
      const page = yield* trades.search(account, {}, { ...all, order: "closed_at", offset: 1, limit: 2 })
      expect([page.total, ...page.rows.map(({ trade }) => trade.closedAt)]).toEqual([5, 2200, 2100])
      const [first] = yield* trades.searchAfter(account, {}, { id: 0, limit: 1 })
      const next = yield* trades.searchAfter(account, {}, { id: first?.id ?? 0, limit: 1 })
      expect([...[first].map((it) => it?.strategy), ...next.map(({ trade }) => trade.closedAt)]).toEqual([
        mine.id,
        2000
      ])
      expect(yield* trades.totals(account, {})).toEqual([
        { currency: "USDT", live: false, trades: 4, wins: 2, pnl: 8.5 },
        { currency: "USDT", live: true, trades: 1, wins: 0, pnl: 0 }
      ])
    }))

  it("the latest fills of a market in a time range are read, with the purpose of their orders", () =>
    Effect.gen(function* () {
      const { mine, other, portfolio, trades } = yield* scene
      const exit = { ...order("1-1-1"), purpose: "exit" as const, side: "sell" as const }
      yield* portfolio.commit([
        step(mine, 1, {
          orders: [order("1-1-0"), { ...exit, exitReason: "tp", part: true }],
          fills: [
            fill("1-1-0", 1_000),
            { ...fill("1-1-1", 3_000), side: "sell" },
            { ...fill("1-1-0", 2_000), id: "2" },
            { ...fill("1-1-0", 2_000), id: "3", kind: "swap" }
          ]
        }),
        step(other, 1, { orders: [order("2-1-0")], fills: [fill("2-1-0", 2_000)] })
      ])
      const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const
      const between = (from: number, until: number, limit = 10) =>
        trades.marks(mine.id, market, { from, until, limit })
      const all = yield* between(0, 10_000)
      expect(all.rows.map(({ at, purpose, side }) => [at, purpose, side])).toEqual([
        [1_000, "entry", "buy"],
        [2_000, "entry", "buy"],
        [3_000, "exit", "sell"]
      ])
      expect(all.rows.map(({ exitReason }) => exitReason)).toEqual([undefined, undefined, "tp"])
      expect(all.rows.map(({ isPart }) => isPart)).toEqual([false, false, true])
      expect(all.rows.map(({ order }) => String(order))).toEqual(["1-1-0", "1-1-0", String(exit.id)])
      expect([all.total, Decimal.toText(all.rows[0]?.quantity ?? Decimal.zero)]).toEqual([3, "0.1"])
      const latest = yield* between(0, 10_000, 2)
      expect([latest.total, ...latest.rows.map(({ at }) => at)]).toEqual([3, 2_000, 3_000])
      expect((yield* between(1_000, 3_000)).rows.map(({ at }) => at)).toEqual([1_000, 2_000])
      expect(yield* between(3_001, 10_000)).toEqual({ rows: [], total: 0 })
    }))
})
