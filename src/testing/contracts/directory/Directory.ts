// The contract of `Directory`: what is listed and when it vanishes, what a record is, and in which sequence all is read.
import * as Effect from "effect/Effect"
import type { Listed, Place, StrategyQuery } from "../../../domain/directory/Listed.ts"
import { ExchangeName, Pair } from "../../../domain/Market.ts"
import { type Settings, Strategy } from "../../../domain/Strategy.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Directory } from "../../../services/directory/Directory.ts"
import type { Portfolio } from "../../../services/Portfolio.ts"
import { Signals } from "../../../services/Signals.ts"
import { StrategyStore } from "../../../services/StrategyStore.ts"
import { rankOf, returnOf } from "../../../trading/TrackRecord.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { settings, signalDraft } from "../../Fixtures.ts"
import { pass, passTo } from "../../VirtualClock.ts"
import { sender } from "../people.ts"
import * as Ledger from "./Ledger.ts"

const DAY = 86_400_000
const ALL: StrategyQuery = { sort: "record", limit: 100, words: [] }

const scene = Effect.gen(function* () {
  return {
    directory: yield* Directory,
    store: yield* StrategyStore,
    signals: yield* Signals,
    alice: yield* sender("alice"),
    bob: yield* sender("bob")
  }
})

const open = (name: string, changes: Parameters<typeof settings>[0] = {}): Settings =>
  settings({ name, public: true, displayName: "Ann", ...changes })
const aSignal = (changes: Parameters<typeof signalDraft>[0] = {}) =>
  signalDraft({ public: true, displayName: "Ann", ...changes })

const idsOf = ({ rows }: Listed<{ readonly strategy: Strategy }>) => rows.map(({ strategy }) => strategy.id)

/** All rows, read in pages of two. */
const everything = <Row>(page: (after: Place | undefined) => Effect.Effect<Listed<Row>>) =>
  Effect.gen(function* () {
    const rows: Array<Row> = []
    let after: Place | undefined
    for (;;) {
      const found = yield* page(after)
      expect(found.rows.length).toBeLessThanOrEqual(2)
      rows.push(...found.rows)
      if (found.next === undefined) return rows
      after = found.next
    }
  })

/** An implementer keeps the listing up in the transactions of strategies, signals and the Portfolio. */
export const suite = Contract.suite<Directory | Accounts | Portfolio | Signals | StrategyStore>(
  "Directory",
  (it) => {
    it("a strategy is listed while it is public, active and named, and vanishes at once", () =>
      Effect.gen(function* () {
        const { alice, directory, store } = yield* scene
        yield* pass("50 seconds")
        const { id } = yield* store.create(alice.account, open("One", { displayName: "Ann" }))
        const listed = yield* directory.strategy(id)
        expect(listed.publisher).toEqual({ number: 1, name: "Ann", published: 1 })
        expect(listed.publication).toEqual({ first: 50, since: 50, times: 1 })
        expect(idsOf(yield* directory.strategies(ALL))).toEqual([id])
        const { displayName: _, ...nameless } = open("One")
        for (const hidden of [open("One", { public: false }), open("One", { active: false }), nameless]) {
          yield* store.update(alice.account, id, hidden)
          expect((yield* Effect.flip(directory.strategy(id)))._tag).toBe("StrategyNotFound")
          expect(idsOf(yield* directory.strategies(ALL))).toEqual([])
          yield* store.update(alice.account, id, open("One"))
        }
        yield* store.remove(alice.account, id)
        expect((yield* Effect.flip(directory.strategy(id)))._tag).toBe("StrategyNotFound")
        expect(yield* directory.strategies(ALL)).toEqual({ rows: [] })
      }))

    it("a strategy that is hidden and published again is public since then, and its first time stays", () =>
      Effect.gen(function* () {
        const { alice, directory, store } = yield* scene
        const { id } = yield* store.create(alice.account, open("One", { public: false }))
        yield* passTo(100_000)
        yield* store.update(alice.account, id, open("One"))
        yield* passTo(200_000)
        yield* store.update(alice.account, id, open("Renamed", { displayName: "Someone else" }))
        expect((yield* directory.strategy(id)).publication).toEqual({ first: 100, since: 100, times: 1 })
        yield* store.update(alice.account, id, open("One", { active: false }))
        yield* passTo(300_000)
        yield* store.update(alice.account, id, open("One"))
        expect((yield* directory.strategy(id)).publication).toEqual({ first: 100, since: 300, times: 2 })
      }))

    it("a publisher keeps one number, and everything ever published stays counted", () =>
      Effect.gen(function* () {
        const { alice, bob, directory, signals, store } = yield* scene
        const gone = yield* store.create(bob.account, open("Gone"))
        yield* store.remove(bob.account, gone.id)
        const mine = yield* store.create(alice.account, open("Mine"))
        const theirs = yield* store.create(bob.account, open("Theirs"))
        const signal = yield* signals.create(bob.account, aSignal({ displayName: "Ann" }))
        expect((yield* directory.strategy(mine.id)).publisher).toEqual({
          number: 2,
          name: "Ann",
          published: 1
        })
        expect((yield* directory.strategy(theirs.id)).publisher).toEqual({
          number: 1,
          name: "Ann",
          published: 3
        })
        expect((yield* directory.signal(signal.id)).publisher.number).toBe(1)
      }))

    it("a record is the chain of all trades, by mode, through every change of settings and periods", () =>
      Effect.gen(function* () {
        const { alice, directory, store } = yield* scene
        const strategy = yield* store.create(alice.account, open("One", { public: false }))
        const books = yield* Ledger.open(strategy, 0)
        yield* books.trade(1000, 0, DAY)
        yield* passTo(2 * DAY)
        yield* store.update(alice.account, strategy.id, open("One"))
        yield* books.trade(1100, DAY, 3 * DAY)
        yield* books.trade(-2420, 3 * DAY, 4 * DAY)
        yield* store.update(alice.account, strategy.id, open("One", { buyPercent: 99 }))
        yield* books.begin("real", 5 * DAY)
        yield* books.trade(500, 5 * DAY, 6 * DAY)
        yield* books.begin("paper", 7 * DAY)
        yield* books.trade(1000, 7 * DAY, 8 * DAY)
        const { record } = yield* directory.strategy(strategy.id)
        expect(record).toMatchObject({ mode: "paper", period: 3, since: 7 * DAY })
        const shown = (of: (typeof record)["overall"]) =>
          [of.paper, of.real].map((it) => it && [returnOf(it), it.trades, it.until])
        // 1.1 x 1.1 x 0.8 x 1.1 on paper; after publication only what was opened then.
        expect(shown(record.overall)).toEqual([
          [6.48, 4, 8 * DAY],
          [5, 1, 6 * DAY]
        ])
        expect(shown(record.published)).toEqual([
          [-12, 2, 8 * DAY],
          [5, 1, 6 * DAY]
        ])
        const periods = yield* directory.periods(strategy.id, 2)
        expect(periods.map(({ mode, period, tally, until }) => [period, mode, tally.count, until])).toEqual([
          [3, "paper", 1, 8 * DAY],
          [2, "real", 1, 6 * DAY]
        ])
      }))

    it("settings are as old as their last change in how the strategy trades", () =>
      Effect.gen(function* () {
        const { alice, bob, directory, signals, store } = yield* scene
        const signal = yield* signals.create(bob.account, signalDraft({ public: true }))
        const followed = open("One", { signalId: signal.id })
        const { id } = yield* store.create(alice.account, followed)
        const since = Effect.map(directory.strategy(id), ({ settingsSince }) => settingsSince)
        yield* passTo(10_000)
        yield* store.update(alice.account, id, { ...followed, name: "Two", description: "x" })
        expect(yield* since).toBe(0)
        yield* store.update(alice.account, id, { ...followed, buyPercent: 11 })
        expect(yield* since).toBe(10)
        yield* passTo(20_000)
        yield* store.update(alice.account, id, followed)
        expect(yield* since).toBe(20)
        yield* passTo(30_000)
        yield* signals.remove(bob.account, signal.id)
        expect(yield* since).toBe(30)
      }))

    it("lists are sorted as asked for, and pages have each row once", () =>
      Effect.gen(function* () {
        const { alice, bob, directory, store } = yield* scene
        const results = [300, -200, 0, 100, -100]
        for (const [index, result] of results.entries()) {
          const strategy = yield* store.create(alice.account, open(`S${index}`))
          const books = yield* Ledger.open(strategy, index * 1000)
          if (result !== 0) yield* books.trade(result, index * 1000, index * 1000 + 1)
          yield* pass("1 second")
        }
        const copied = { base: open("S2"), kept: [], takenAt: 5 }
        const origin = Strategy.fields.id.make(3)
        for (const { account } of [alice, bob, bob])
          yield* store.create(account, settings(), { ...copied, origin })
        const sorted = (sort: StrategyQuery["sort"]) =>
          Effect.map(
            everything((after) =>
              directory.strategies({ sort, limit: 2, words: [], ...(after === undefined ? {} : { after }) })
            ),
            (rows) => rows.map(({ strategy }): number => strategy.id)
          )
        expect(yield* sorted("record")).toEqual([1, 4, 3, 5, 2])
        expect(yield* sorted("newest")).toEqual([5, 4, 3, 2, 1])
        expect(yield* sorted("oldest")).toEqual([1, 2, 3, 4, 5])
        expect(yield* sorted("copies")).toEqual([3, 5, 4, 2, 1])
        expect((yield* directory.strategy(3)).copies).toBe(1)
      }))

    it("filters and words find what they say, and nothing that is hidden", () =>
      Effect.gen(function* () {
        const { alice, bob, directory, store } = yield* scene
        const kraken = [{ exchange: ExchangeName.make("kraken"), pairs: ["SOL/USD", "ETH/USD"] }]
        const one = yield* store.create(alice.account, open("Ünï Trend 50%", { description: "slow_mover" }))
        yield* passTo(10 * DAY)
        const two = yield* store.create(bob.account, open("Dip", { displayName: "Bob", exchanges: kraken }))
        yield* store.create(bob.account, open("Hidden trend", { public: false }))
        const books = yield* Ledger.open(two, 10 * DAY)
        yield* books.begin("real", 11 * DAY)
        const found = (query: Partial<StrategyQuery>) =>
          Effect.map(directory.strategies({ ...ALL, sort: "oldest", ...query }), idsOf)
        expect(yield* found({ words: ["trend"] })).toEqual([one.id])
        expect(yield* found({ words: ["ünï", "50%", "btc/usdt"] })).toEqual([one.id])
        expect(yield* found({ words: ["w_m"] })).toEqual([one.id])
        expect(yield* found({ words: ["trend", "bob"] })).toEqual([])
        expect(yield* found({ words: ["bob", "sol"] })).toEqual([two.id])
        expect(yield* found({ exchange: ExchangeName.make("kraken") })).toEqual([two.id])
        expect(yield* found({ pair: Pair.make("ETH/USD") })).toEqual([two.id])
        expect(yield* found({ pair: Pair.make("TH/USD") })).toEqual([])
        const other = { exchange: ExchangeName.make("binance"), pair: Pair.make("SOL/USD") }
        expect(yield* found(other)).toEqual([])
        expect(yield* found({ mode: "paper" })).toEqual([one.id])
        expect(yield* found({ mode: "real" })).toEqual([two.id])
        expect(yield* found({ publishedBefore: 86_400 })).toEqual([one.id])
      }))

    it("a change of mode, a new period or a new publication lifts no rank", () =>
      Effect.gen(function* () {
        const { alice, directory, store } = yield* scene
        const strategy = yield* store.create(alice.account, open("Loser"))
        const books = yield* Ledger.open(strategy, 0)
        yield* books.trade(-5000, 0, DAY)
        const rank = Effect.map(directory.strategy(strategy.id), ({ publication, record }) =>
          rankOf(record, publication.first)
        )
        const before = yield* rank
        expect(before).toBe(-50)
        yield* books.begin("real", 2 * DAY)
        expect(yield* rank).toBe(before)
        yield* books.trade(5000, 2 * DAY, 3 * DAY)
        expect(yield* rank).toBe(before)
        yield* books.begin("paper", 4 * DAY)
        yield* store.update(alice.account, strategy.id, open("Loser", { public: false }))
        yield* passTo(5 * DAY)
        yield* store.update(alice.account, strategy.id, open("Winner", { displayName: "New" }))
        expect(yield* rank).toBe(before)
      }))

    it("a signal is listed while it is public, active and named, with its other followers", () =>
      Effect.gen(function* () {
        const { alice, bob, directory, signals, store } = yield* scene
        const first = yield* signals.create(alice.account, aSignal({ name: "Trend" }))
        yield* pass("10 seconds")
        const second = yield* signals.create(bob.account, aSignal({ name: "Dip", displayName: "Bob" }))
        yield* signals.create(bob.account, signalDraft({ public: true }))
        const follow = (account: typeof alice.account, signalId: number) =>
          store.create(account, settings({ signalId }))
        const mine = yield* follow(alice.account, second.id)
        yield* follow(alice.account, second.id)
        yield* follow(bob.account, second.id)
        const found = (sort: "followers" | "newest" | "oldest", ...words: ReadonlyArray<string>) =>
          Effect.map(directory.signals({ sort, limit: 10, words }), ({ rows }) =>
            rows.map(({ followers, signal }) => [signal.name, followers])
          )
        expect(yield* found("followers")).toEqual([
          ["Dip", 1],
          ["Trend", 0]
        ])
        expect(yield* found("oldest", "tre")).toEqual([["Trend", 0]])
        yield* store.update(alice.account, mine.id, settings())
        expect((yield* directory.signal(second.id)).followers).toBe(1)
        for (const changes of [{ public: false }, { active: false }, { displayName: "" }]) {
          yield* signals.update(bob.account, second.id, changes)
          expect((yield* Effect.flip(directory.signal(second.id)))._tag).toBe("SignalNotFound")
          expect(yield* found("newest")).toEqual([["Trend", 0]])
          yield* signals.update(bob.account, second.id, { public: true, active: true, displayName: "Bob" })
        }
        expect((yield* directory.signal(second.id)).publication).toEqual({ first: 10, since: 10, times: 4 })
        yield* signals.remove(alice.account, first.id)
        expect((yield* found("newest")).length).toBe(1)
      }))
  }
)
