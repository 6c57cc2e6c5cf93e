// The contract of `Results`: exact sums over an account's trades and alerts.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import type { Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Pair } from "../../domain/Market.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Journal } from "../../services/Journal.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { Results } from "../../services/records/Results.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { signalDraft as aSignal, draft, settings } from "../Fixtures.ts"
import { passTo } from "../VirtualClock.ts"
import { sender } from "./people.ts"
import { outcome, step, trade } from "./steps.ts"

const DAY = 86_400_000

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  const store = yield* StrategyStore
  const mine = yield* store.create(alice.account, settings())
  const theirs = yield* store.create(bob.account, settings())
  return { alice, bob, mine, theirs, store, portfolio: yield* Portfolio, results: yield* Results }
})

const made = (day: number, pnl: string, pair = "BTC/USDT") => ({
  ...trade(day * DAY + 5),
  pair: Pair.make(pair),
  pnl: Decimal.unsafeFromText(pnl)
})

/**
 * An implementer updates them with every commit of `Portfolio` and `Journal`, instead of adding up all rows for each
 * reader.
 */
export const suite = Contract.suite<Results | Accounts | Journal | Portfolio | Signals | StrategyStore>(
  "Results",
  (it) => {
    /** Sums by currency and day; real money has "live" before the currency. */
    const namesOf = (account: AccountId) =>
      Effect.flatMap(Results, (results) =>
        Effect.map(results.days(account), (days) =>
          days.map(
            ({ currency, day, live, net }) =>
              `${live ? "live " : ""}${currency} ${day} ${Decimal.toText(net)}`
          )
        )
      )

    it("net results are summed exactly by day and currency, over several commits", () =>
      Effect.gen(function* () {
        const { alice, bob, mine, portfolio, theirs } = yield* scene
        expect(yield* namesOf(alice.account)).toEqual([])
        yield* portfolio.commit([
          step(mine, 1, { trades: [made(10, "0.1"), made(10, "0.2"), made(12, "-7")] }),
          step(theirs, 1, { trades: [made(10, "99")] })
        ])
        yield* portfolio.commit([step(mine, 2, { trades: [made(10, "0.000000000000000001")] })])
        yield* portfolio.commit([step(mine, 3, { trades: [made(11, "5", "ETH/BTC"), made(9, "1")] })])
        expect(yield* namesOf(alice.account)).toEqual([
          "BTC 11 5",
          "USDT 9 1",
          "USDT 10 0.300000000000000001",
          "USDT 12 -7"
        ])
        expect(yield* namesOf(bob.account)).toEqual(["USDT 10 99"])
      }))

    it("results of paper trading and of real money are never added up", () =>
      Effect.gen(function* () {
        const { alice, mine, portfolio } = yield* scene
        const live = (day: number, pnl: string) => ({ ...made(day, pnl), period: 2, live: true as const })
        yield* portfolio.commit([step(mine, 1, { trades: [made(10, "1"), live(10, "100"), live(9, "7")] })])
        yield* portfolio.commit([
          step(mine, 2, { trades: [live(10, "0.5"), { ...made(10, "2"), period: 3 }] })
        ])
        expect(yield* namesOf(alice.account)).toEqual(["USDT 10 3", "live USDT 9 7", "live USDT 10 100.5"])
      }))

    it("the results of a deleted strategy stay", () =>
      Effect.gen(function* () {
        const { alice, mine, portfolio, store } = yield* scene
        yield* portfolio.commit([step(mine, 1, { trades: [made(10, "3")] })])
        yield* store.remove(alice.account, mine.id)
        yield* portfolio.commit([step(mine, 2, { trades: [made(10, "4")] })])
        expect(yield* namesOf(alice.account)).toEqual(["USDT 10 7"])
      }))

    it("reasons are counted on the day on which they were given", () =>
      Effect.gen(function* () {
        const { alice, bob, mine, portfolio, results, theirs } = yield* scene
        const given = (alert: number, reason: Reason, day: number) => ({
          ...outcome(mine, alert),
          reason,
          at: day * DAY
        })
        yield* portfolio.commit([
          step(mine, 1, { outcomes: [given(1, "opened", 3), given(2, "already_open", 3)] }),
          step(theirs, 1, { outcomes: [{ ...outcome(theirs, 1), at: 3 * DAY }] })
        ])
        yield* portfolio.commit([
          step(mine, 2, { outcomes: [given(3, "already_open", 3), given(4, "closed", 4)] })
        ])
        const on = (account: AccountId, day: number) =>
          Effect.map(results.outcomes(account, day), (found) =>
            [...found].map(({ count, reason }) => `${reason} ${count}`).sort()
          )
        expect(yield* on(alice.account, 3)).toEqual(["already_open 2", "opened 1"])
        expect(yield* on(alice.account, 4)).toEqual(["closed 1"])
        expect(yield* on(alice.account, 5)).toEqual([])
        expect(yield* on(bob.account, 3)).toEqual(["opened 1"])
      }))

    it("alerts are counted from the start of a day, and later ones are added", () =>
      Effect.gen(function* () {
        const { alice, bob, results } = yield* scene
        const journal = yield* Journal
        const send = (from: typeof alice, receivedAt: number) =>
          Effect.zipRight(passTo(receivedAt), journal.append(draft(from, { receivedAt })))
        expect(yield* results.received(alice.account, 0)).toBe(0)
        for (const at of [1, 2, DAY - 1]) yield* send(alice, at)
        yield* send(bob, DAY)
        for (const at of [DAY, DAY + 1]) yield* send(alice, at)
        expect(yield* results.received(alice.account, 1)).toBe(2)
        expect(yield* results.received(bob.account, 1)).toBe(1)
        yield* send(alice, DAY + 2)
        expect(yield* results.received(alice.account, 1)).toBe(3)
        expect(yield* results.received(alice.account, 2)).toBe(0)
        expect(yield* results.received(alice.account, 0)).toBe(6)
        yield* send(alice, 2 * DAY)
        expect(yield* results.received(alice.account, 2)).toBe(1)
      }))

    it("signals are counted, and strategies are listed with the signal that they follow", () =>
      Effect.gen(function* () {
        const { alice, mine, store } = yield* scene
        const signals = yield* Signals
        expect(yield* signals.count(alice.account)).toEqual({ total: 0, active: 0 })
        const one = yield* signals.create(alice.account, aSignal({ name: "One" }))
        yield* signals.create(alice.account, aSignal({ active: false }))
        expect(yield* signals.count(alice.account)).toEqual({ total: 2, active: 1 })
        const followed = Effect.map(store.followed(alice.account), (all) =>
          all.map(({ signalName, strategy }) => `${strategy.id} ${strategy.settings.name} ${signalName}`)
        )
        expect(yield* followed).toEqual([`${mine.id} Swing undefined`])
        yield* store.update(alice.account, mine.id, settings({ name: "Other", signalId: one.id }))
        const second = yield* store.create(alice.account, settings())
        expect(yield* followed).toEqual([`${mine.id} Other One`, `${second.id} Swing undefined`])
        yield* signals.update(alice.account, one.id, { name: "Renamed" })
        expect(yield* followed).toEqual([`${mine.id} Other Renamed`, `${second.id} Swing undefined`])
        yield* signals.remove(alice.account, one.id)
        yield* store.remove(alice.account, second.id)
        expect(yield* followed).toEqual([`${mine.id} Other undefined`])
      }))
  }
)
