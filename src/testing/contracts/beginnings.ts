// Cases of the contract of `Portfolio`: what an engine reads when it begins with partitions.
import * as Effect from "effect/Effect"
import { partitionOf, partitions } from "../../domain/Partition.ts"
import type { Accounts } from "../../services/Accounts.ts"
import type { Halts } from "../../services/money/Halts.ts"
import type { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import type { Timeline } from "../../services/Timeline.ts"
import type * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { twoOwners } from "./people.ts"
import { at, order, plain, step, waiting } from "./steps.ts"

/** Adds the cases. */
export const beginnings = (
  it: Contract.Adding<Portfolio | Accounts | Halts | StrategyStore | Timeline>
): void => {
  it("an engine begins with what the strategies of its partitions left behind, and with nothing of others", () =>
    Effect.gen(function* () {
      const { mine, portfolio, theirs } = yield* twoOwners
      const [own, other] = [mine, theirs].map(({ account }) => partitionOf(account))
      if (own === undefined || own === other) throw new Error("both owners are in one partition")
      const left = { orders: [order("1-1-0")], waits: [waiting(mine.id, 3, mine.account)] }
      yield* portfolio.commit([step(mine, 1, left)], at(2, own))
      yield* portfolio.commit([
        step(theirs, 4, { orders: [order("2-4-0")], waits: [waiting(theirs.id, 3, mine.account)] })
      ])
      const store = yield* StrategyStore
      expect(yield* store.within(new Set([own]))).toEqual([mine])
      const found = yield* portfolio.begin(new Set([own]))
      expect([...found.cursors]).toEqual([[own, 2]])
      expect(found.bots.map(({ strategy }) => strategy)).toEqual([mine.id])
      expect(found.waiting.map(({ strategy }) => strategy)).toEqual([mine.id])
      expect(plain(found.unsettled)).toEqual(
        plain([{ strategy: mine.id, order: order("1-1-0"), status: "intended" }])
      )
      expect(yield* store.within(new Set(partitions))).toEqual(yield* store.all)
      const whole = yield* portfolio.begin(new Set(partitions))
      expect(whole).toEqual({
        cursors: yield* portfolio.cursors,
        bots: yield* portfolio.bots,
        waiting: yield* portfolio.waiting,
        unsettled: yield* portfolio.unsettled
      })
      expect(yield* store.within(new Set())).toEqual([])
      expect(yield* portfolio.begin(new Set())).toEqual({
        cursors: new Map(),
        bots: [],
        waiting: [],
        unsettled: []
      })
    }))
}
