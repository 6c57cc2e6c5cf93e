// What is news of an order, and what an exchange that finds it nowhere says of it.
import { expect, test } from "bun:test"
import { OrderId } from "../../src/domain/Order.ts"
import { Report } from "../../src/services/Exchange.ts"
import { GONE_MS, MISSING_MS, OrdersInFlight } from "../../src/services/engine/orders/OrdersInFlight.ts"

const order = OrderId.make("1-1-0")
const missing = Report.Missing({ order })
const accepted = Report.Accepted({ order })

test("an accepted order that is not found any more is given up in the end", () => {
  const orders = new OrdersInFlight()
  expect(orders.news(accepted, 0)).toEqual(accepted)
  expect(orders.news(missing, 1000)).toBeUndefined()
  expect(orders.news(missing, 1000 + MISSING_MS)).toBeUndefined()
  expect(orders.news(missing, 999 + GONE_MS)).toBeUndefined()
  expect(orders.news(missing, 1000 + GONE_MS)).toEqual(missing)
})

test("an order of which nothing is known never arrived once it was missing for a minute", () => {
  const orders = new OrdersInFlight()
  expect(orders.news(missing, 1000)).toEqual(Report.Unknown({ order }))
  expect(orders.news(missing, 999 + MISSING_MS)).toBeUndefined()
  expect(orders.news(missing, 1000 + MISSING_MS)).toEqual(missing)
})

test("an answer that is taken in late, because the process stood still, says nothing of the time since", () => {
  const orders = new OrdersInFlight()
  orders.answered(missing, 1000)
  orders.news(missing, 1100)
  orders.answered(missing, 2000)
  expect(orders.news(missing, 2000 + GONE_MS)).toBeUndefined()
  orders.answered(missing, 1099 + MISSING_MS)
  expect(orders.news(missing, 3000 + GONE_MS)).toBeUndefined()
  orders.answered(missing, 1100 + MISSING_MS)
  expect(orders.news(missing, 3000 + GONE_MS)).toEqual(missing)
})

test("a new owner of an order counts its minute anew", () => {
  const orders = new OrdersInFlight()
  orders.news(missing, 0)
  // The bots of a partition are given away and come back.
  orders.forget(order)
  expect(orders.news(missing, MISSING_MS)).toEqual(Report.Unknown({ order }))
  expect(orders.news(missing, 2 * MISSING_MS - 1)).toBeUndefined()
  expect(orders.news(missing, 2 * MISSING_MS)).toEqual(missing)
})

test("an accepted order of an earlier run is given up in the end too", () => {
  const orders = new OrdersInFlight()
  orders.recall(order, "accepted", [])
  expect(orders.news(missing, 0)).toBeUndefined()
  expect(orders.news(missing, GONE_MS)).toEqual(missing)
})

test("an order that is found again counts as missing only from then on", () => {
  const orders = new OrdersInFlight()
  orders.news(accepted, 0)
  orders.news(missing, 0)
  expect(orders.news(accepted, GONE_MS / 2)).toBeUndefined()
  orders.news(missing, GONE_MS / 2)
  expect(orders.news(missing, GONE_MS)).toBeUndefined()
})

test("a resting order that is not found remains", () => {
  const orders = new OrdersInFlight()
  orders.news(accepted, 0, "resting")
  orders.news(missing, 0, "resting")
  expect(orders.news(missing, 10 * GONE_MS, "resting")).toBeUndefined()
})

test("an order that is being cancelled has ended after a minute, also if the clock was set back", () => {
  const orders = new OrdersInFlight()
  orders.news(accepted, 0, "resting")
  const before = 3_600_000
  expect(orders.news(missing, before, "ending")).toBeUndefined()
  expect(orders.news(missing, 0, "ending")).toBeUndefined()
  expect(orders.news(missing, MISSING_MS, "ending")).toEqual(missing)
})
