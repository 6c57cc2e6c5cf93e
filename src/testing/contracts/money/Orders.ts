// The contract of `Orders`: each order as intended, with its status and all of its fills.
import * as Effect from "effect/Effect"
import { ExchangeAccountId } from "../../../domain/Arming.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Orders } from "../../../services/money/Orders.ts"
import { Portfolio } from "../../../services/Portfolio.ts"
import { StrategyStore } from "../../../services/StrategyStore.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { settings } from "../../Fixtures.ts"
import { sender } from "../people.ts"
import { fill, order, plain, step } from "../steps.ts"

/** An implementer pages without gaps or repeats, and shows a commit as soon as it ends. */
export const suite = Contract.suite<Orders | Portfolio | Accounts | StrategyStore>("Orders", (it) => {
  it("orders are listed as intended, newest first, with their status", () =>
    Effect.gen(function* () {
      const { mine, orders, portfolio, theirs } = yield* scene
      expect(yield* orders.page(mine.id, { limit: 10 })).toEqual([])
      const live = { ...order("2"), live: { account: ExchangeAccountId.make(4), tag: "0123456789abcdef" } }
      yield* portfolio.commit([step(mine, 1, { orders: [order("1")] }), step(theirs, 1, { orders: [live] })])
      yield* portfolio.commit([
        step(mine, 2, {
          orders: [{ ...order("3"), type: "stop" }],
          statuses: [{ order: order("1").id, status: "rejected" }]
        })
      ])
      const found = yield* orders.page(mine.id, { limit: 10 })
      expect(found.map((row) => [row.order.id, row.status, row.fills])).toEqual([
        ["3", "intended", []],
        ["1", "rejected", []]
      ])
      expect(plain(found[1]?.order)).toEqual(plain(order("1")))
      const others = yield* orders.page(theirs.id, { limit: 10 })
      expect(plain(others.map((row) => row.order))).toEqual(plain([live]))
    }))

  it("each order has all of its own fills, oldest first", () =>
    Effect.gen(function* () {
      const { mine, orders, portfolio } = yield* scene
      const [first, second] = [fill("1", 1_000), { ...fill("1", 1_500), id: "2" }]
      const other = fill("2", 1_200)
      yield* portfolio.commit([step(mine, 1, { orders: [order("1"), order("2")], fills: [first] })])
      yield* portfolio.commit([
        step(mine, 2, {
          fills: [other, second],
          statuses: [{ order: order("1").id, status: "filled" }]
        })
      ])
      const found = yield* orders.page(mine.id, { limit: 10 })
      expect(plain(found.map(({ fills, status }) => ({ fills, status })))).toEqual(
        plain([
          { fills: [other], status: "intended" },
          { fills: [first, second], status: "filled" }
        ])
      )
    }))

  it("pages of orders neither skip nor repeat", () =>
    Effect.gen(function* () {
      const { mine, orders, portfolio, theirs } = yield* scene
      for (let at = 1; at <= 7; at++)
        yield* portfolio.commit([
          step(theirs, at, { orders: [order(`t${at}`)] }),
          step(mine, at, { orders: [order(`m${at}`)] })
        ])
      const seen: Array<string> = []
      let before: number | undefined
      for (;;) {
        const page = yield* orders.page(mine.id, { limit: 3, ...(before === undefined ? {} : { before }) })
        if (page.length === 0) break
        seen.push(...page.map((row) => row.order.id))
        before = page.at(-1)?.sequence
        // Later rows do not appear on older pages.
        yield* portfolio.commit([step(mine, 8 + seen.length, { orders: [order(`late${seen.length}`)] })])
      }
      expect(seen).toEqual(["m7", "m6", "m5", "m4", "m3", "m2", "m1"])
    }))
})

const scene = Effect.gen(function* () {
  const store = yield* StrategyStore
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return {
    orders: yield* Orders,
    portfolio: yield* Portfolio,
    mine: yield* store.create(alice.account, settings()),
    theirs: yield* store.create(bob.account, settings())
  }
})
