// The contract of `Portfolio`: a commit is stored completely or not at all.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { AlertId } from "../../domain/Alert.ts"
import { OrderStatus } from "../../domain/Order.ts"
import { Partition, partitionOf, partitions } from "../../domain/Partition.ts"
import type { Accounts } from "../../services/Accounts.ts"
import type { Halts } from "../../services/money/Halts.ts"
import type { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import type { Timeline } from "../../services/Timeline.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { beginnings } from "./beginnings.ts"
import { twoOwners } from "./people.ts"
import {
  at,
  bot,
  fill,
  judgedTo,
  note,
  order,
  outcome,
  plain,
  postings,
  step,
  trade,
  waiting
} from "./steps.ts"

/**
 * An implementer never stores two outcomes of one alert for one strategy, keeps the books of deleted strategies, and
 * moves a cursor only with a commit that gives it.
 */
export const suite = Contract.suite<Portfolio | Accounts | Halts | StrategyStore | Timeline>(
  "Portfolio",
  (it) => {
    it("a new portfolio is empty", () =>
      Effect.gen(function* () {
        const { mine, portfolio } = yield* twoOwners
        expect([...(yield* portfolio.cursors)]).toEqual(partitions.map((partition) => [partition, 0]))
        expect(yield* portfolio.judged([AlertId.make(1)])).toEqual(new Map())
        expect(yield* portfolio.bots).toEqual([])
        expect(yield* portfolio.waiting).toEqual([])
        expect(yield* portfolio.unsettled).toEqual([])
        expect(yield* portfolio.bot(mine.id)).toBeUndefined()
        expect(yield* portfolio.tallies([mine.id])).toEqual(new Map())
        expect(yield* portfolio.trades(mine.id, { limit: 10 })).toEqual([])
        expect(yield* portfolio.ledger(mine.id)).toEqual([])
        expect(yield* portfolio.fills(mine.id)).toEqual([])
      }))

    beginnings(it)

    it("a step is stored exactly as given", () =>
      Effect.gen(function* () {
        const { mine, portfolio, theirs } = yield* twoOwners
        const given = step(mine, 1, {
          orders: [order("1-1-0")],
          fills: [fill("1-1-0", 1_000)],
          postings: postings("1-1-0"),
          trades: [trade(90_000_000)]
        })
        yield* portfolio.commit([given, step(theirs, 4)], at(17, partitionOf(mine.account)))
        expect((yield* portfolio.cursors).get(partitionOf(mine.account))).toBe(17)
        expect(plain(yield* portfolio.bots)).toEqual(plain([given.bot, bot(theirs.id, 4)]))
        expect(plain(yield* portfolio.bot(mine.id))).toEqual(plain(given.bot))
        const tallies = [...(yield* portfolio.tallies([mine.id]))]
        expect(plain(tallies)).toEqual(plain([[mine.id, given.bot.tally]]))
        expect(plain(yield* portfolio.unsettled)).toEqual(
          plain([{ strategy: mine.id, order: order("1-1-0"), status: "intended" }])
        )
        expect(plain(yield* portfolio.fills(mine.id))).toEqual(plain(given.fills))
        expect(plain(yield* portfolio.ledger(mine.id))).toEqual(plain(given.postings))
        const trades = yield* portfolio.trades(mine.id, { limit: 10 })
        expect(plain(trades.map((row) => row.trade))).toEqual(plain(given.trades))
        expect(yield* portfolio.fills(theirs.id)).toEqual([])
        expect(yield* portfolio.ledger(theirs.id)).toEqual([])
      }))

    it("after several steps of one bot the last state holds, and all their rows are stored", () =>
      Effect.gen(function* () {
        const { mine, portfolio } = yield* twoOwners
        yield* portfolio.commit([
          step(mine, 1, { trades: [trade(1)] }),
          step(mine, 2, { trades: [trade(2)], bot: bot(mine.id, 2, { closing: "balance_stop_loss" }) })
        ])
        yield* portfolio.commit([step(mine, 3, { trades: [trade(3)] })])
        expect((yield* portfolio.bot(mine.id))?.step).toBe(3)
        const all = yield* portfolio.trades(mine.id, { limit: 10 })
        expect(all.map((row) => row.trade.closedAt)).toEqual([3, 2, 1])
        const page = yield* portfolio.trades(mine.id, { limit: 1, before: all[0]?.id ?? 0 })
        expect(page.map((row) => row.trade.closedAt)).toEqual([2])
      }))

    it("the states of an app's own figures are kept to the letter, beside the tally", () =>
      Effect.gen(function* () {
        const { mine, portfolio, theirs } = yield* twoOwners
        const own = {
          losing_streak: {
            version: 3,
            trades: 1,
            state: '{"now":2,"of":[0.1,1e-21],"text":"\\"Ω\\ud800\\n"}'
          },
          "": { version: -1, trades: 0, state: "" }
        }
        const record = bot(mine.id, 1)
        const given = { ...record, tally: { ...record.tally, own } }
        yield* portfolio.commit([step(mine, 1, { bot: given }), step(theirs, 1)])
        expect((yield* portfolio.bot(mine.id))?.tally.own).toEqual(own)
        expect((yield* portfolio.bots).map(({ tally }) => tally.own)).toEqual([own, undefined])
        const tallies = yield* portfolio.tallies([mine.id, theirs.id])
        expect([...tallies.values()].map((tally) => tally.own)).toEqual([own, undefined])
        yield* portfolio.commit([step(mine, 2)])
        expect((yield* portfolio.bot(mine.id))?.tally.own).toBe(undefined)
      }))

    it("a partition's cursor moves only with a commit that gives it", () =>
      Effect.gen(function* () {
        const { mine, portfolio } = yield* twoOwners
        const [first, last] = [Partition.make(0), Partition.make(255)]
        yield* portfolio.commit([], judgedTo(3))
        yield* portfolio.commit([], new Map([...at(7, first), ...at(9, last)]))
        yield* portfolio.commit([step(mine, 1)])
        const cursors = yield* portfolio.cursors
        expect(partitions.map((partition) => cursors.get(partition))).toEqual(
          partitions.map((partition) => (partition === first ? 7 : partition === last ? 9 : 3))
        )
      }))

    it("the judged bots of an alert are those with an outcome, and those that hold the alert", () =>
      Effect.gen(function* () {
        const { mine, portfolio, theirs } = yield* twoOwners
        const [one, two, three] = [AlertId.make(1), AlertId.make(2), AlertId.make(3)]
        yield* portfolio.commit([
          step(mine, 1, { outcomes: [outcome(mine, 1)], waits: [waiting(mine.id, 2, mine.account)] }),
          step(theirs, 1, { outcomes: [outcome(theirs, 1)] })
        ])
        expect(yield* portfolio.judged([one, two, three])).toEqual(
          new Map([
            [one, new Set([mine.id, theirs.id])],
            [two, new Set([mine.id])]
          ])
        )
        expect(yield* portfolio.judged([three])).toEqual(new Map())
      }))

    it("outcomes are counted by account and day, also those of deleted strategies", () =>
      Effect.gen(function* () {
        const { mine, portfolio, theirs } = yield* twoOwners
        const on = (day: number, alert: number) => ({ ...outcome(mine, alert), at: day * 86_400_000 + 5 })
        const steps = [
          step(mine, 1, { outcomes: [on(3, 1), { ...on(3, 2), reason: "closed" }, on(4, 3)] }),
          step(theirs, 1, { outcomes: [{ ...outcome(theirs, 1), at: 3 * 86_400_000 }] })
        ]
        yield* portfolio.commit(steps)
        yield* portfolio.commit([step(mine, 2, { outcomes: [on(3, 4)] })])
        yield* (yield* StrategyStore).remove(mine.account, mine.id)
        expect(yield* portfolio.outcomesOn(3)).toEqual(
          new Map([
            [mine.account, 3],
            [theirs.account, 1]
          ])
        )
        expect(yield* portfolio.outcomesOn(4)).toEqual(new Map([[mine.account, 1]]))
        expect(yield* portfolio.outcomesOn(2)).toEqual(new Map())
      }))

    it("a step that leaves the bot unchanged keeps its stored state", () =>
      Effect.gen(function* () {
        const { mine, portfolio, timeline } = yield* twoOwners
        yield* portfolio.commit([step(mine, 1)])
        const before = yield* portfolio.bot(mine.id)
        yield* portfolio.commit([step(mine, 1, { unchanged: true, outcomes: [outcome(mine, 1)] })])
        expect(plain(yield* portfolio.bot(mine.id))).toEqual(plain(before))
        yield* portfolio.commit([
          step(mine, 2),
          step(mine, 2, { unchanged: true, outcomes: [outcome(mine, 2)] })
        ])
        expect((yield* portfolio.bot(mine.id))?.step).toBe(2)
        const both = [AlertId.make(1), AlertId.make(2)]
        expect(yield* timeline.outcomes(mine.account, both)).toEqual([outcome(mine, 1), outcome(mine, 2)])
      }))

    it("an order is unsettled until it is filled, rejected or cancelled", () =>
      Effect.gen(function* () {
        const { mine, portfolio } = yield* twoOwners
        const statuses = OrderStatus.literals
        const given = statuses.map((status) => order(status))
        yield* portfolio.commit([
          step(mine, 1, {
            orders: given,
            statuses: given.map(({ id }, at) => ({ order: id, status: statuses[at] ?? "intended" }))
          })
        ])
        expect((yield* portfolio.unsettled).map(({ status }) => status)).toEqual([
          "intended",
          "accepted",
          "unknown",
          "partly_filled"
        ])
      }))

    it("an outcome removes its alert from its own strategy's held alerts, and from no other's", () =>
      Effect.gen(function* () {
        const { mine, portfolio, theirs } = yield* twoOwners
        const wait = (strategy: typeof mine, alert: number) => waiting(strategy.id, alert, mine.account)
        yield* portfolio.commit([
          step(theirs, 1, { waits: [wait(theirs, 2), wait(theirs, 1)] }),
          step(mine, 1, { waits: [wait(mine, 1), wait(mine, 2)] })
        ])
        expect(yield* portfolio.waiting).toEqual([
          wait(mine, 1),
          wait(theirs, 1),
          wait(mine, 2),
          wait(theirs, 2)
        ])
        yield* portfolio.commit([step(mine, 2, { outcomes: [outcome(mine, 1)] })])
        expect(yield* portfolio.waiting).toEqual([wait(theirs, 1), wait(mine, 2), wait(theirs, 2)])
      }))

    it("a second outcome of an alert is a defect, and nothing of its commit is stored", () =>
      Effect.gen(function* () {
        const { halts, mine, portfolio, timeline } = yield* twoOwners
        yield* portfolio.commit(
          [step(mine, 1, { outcomes: [outcome(mine, 1)] })],
          at(1, partitionOf(mine.account))
        )
        const twice = step(mine, 2, {
          outcomes: [outcome(mine, 1)],
          fills: [fill("x", 1)],
          trades: [trade(1)],
          postings: postings("x"),
          notes: [note("never")],
          orders: [order("x")],
          waits: [waiting(mine.id, 9, mine.account)],
          halt: "never"
        })
        expect(
          Exit.isFailure(yield* Effect.exit(portfolio.commit([twice], at(2, partitionOf(mine.account)))))
        ).toBe(true)
        expect((yield* portfolio.cursors).get(partitionOf(mine.account))).toBe(1)
        expect((yield* portfolio.bot(mine.id))?.step).toBe(1)
        expect(yield* portfolio.waiting).toEqual([])
        expect(yield* portfolio.unsettled).toEqual([])
        expect(yield* portfolio.fills(mine.id)).toEqual([])
        expect(yield* portfolio.ledger(mine.id)).toEqual([])
        expect(yield* portfolio.trades(mine.id, { limit: 1 })).toEqual([])
        expect(yield* halts.all).toEqual([])
        expect(yield* timeline.list(mine.account, mine.id, { limit: 1 })).toEqual([])
        expect(yield* timeline.outcomes(mine.account, [AlertId.make(1)])).toEqual([outcome(mine, 1)])
      }))

    it("a step with a halt halts only its owner, keeps an older halt, and notifies listeners", () =>
      Effect.gen(function* () {
        const { halts, mine, portfolio, theirs } = yield* twoOwners
        const older = yield* halts.halt(Option.some(theirs.account), "request", "by hand")
        yield* halts.all
        const listening = yield* Effect.fork(halts.changed)
        yield* Effect.yieldNow()
        yield* portfolio.commit([
          step(mine, 1, { at: 5_000, halt: "it lost 100" }),
          step(mine, 2, { at: 6_000, halt: "and more" }),
          step(theirs, 1, { halt: "it lost 7" })
        ])
        yield* Fiber.join(listening)
        const made = {
          account: Option.some(mine.account),
          at: 5_000,
          cause: "daily_loss",
          text: "it lost 100"
        }
        expect(yield* halts.all).toEqual([made, older])
      }))

    it("a deleted strategy has no bot to load; its books and outcomes stay", () =>
      Effect.gen(function* () {
        const { mine, portfolio, theirs, timeline } = yield* twoOwners
        yield* portfolio.commit([step(mine, 1, { postings: postings("x") }), step(theirs, 1)])
        yield* (yield* StrategyStore).remove(mine.account, mine.id)
        expect((yield* portfolio.bots).map(({ strategy }) => strategy)).toEqual([theirs.id])
        yield* portfolio.commit([step(mine, 2, { outcomes: [outcome(mine, 1)] })])
        expect(yield* timeline.outcomes(mine.account, [AlertId.make(1)])).toEqual([outcome(mine, 1)])
        expect(plain(yield* portfolio.ledger(mine.id))).toEqual(plain(postings("x")))
      }))
  }
)
