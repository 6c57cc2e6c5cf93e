// What the platform's documentation says of its broker emulator, as the emulator here does it.
import { expect, test } from "bun:test"
import { Broker } from "./Broker.ts"
import { messageOf } from "./Message.ts"

const flat = (price: number, time = 0) => ({ time, open: price, high: price, low: price, close: price })
const told = ({ fills }: Broker) =>
  fills.map(
    ({ action, after, before, contracts, id, price }) =>
      `${id} ${action} ${contracts} @ ${price}: ${before} -> ${after}`
  )

test("an entry fills at the next bar's open, and the opposite one turns the position in one order", () => {
  const broker = new Broker({ pyramiding: 1, quantity: 2 })
  broker.entry("Long", "long")
  broker.bar(flat(100))
  broker.entry("Short", "short")
  broker.bar(flat(90))
  expect(told(broker)).toEqual(["Long buy 2 @ 100: 0 -> 2", "Short sell 4 @ 90: 2 -> -2"])
})

test("pyramiding bounds the entries of one direction; a plain order is not bound and only nets", () => {
  const broker = new Broker({ pyramiding: 2, quantity: 1 })
  for (const id of ["A", "B", "C"]) {
    broker.entry(id, "long")
    broker.bar(flat(100))
  }
  broker.order("Rip", "short", 3)
  broker.bar(flat(110))
  expect(told(broker)).toEqual([
    "A buy 1 @ 100: 0 -> 1",
    "B buy 1 @ 100: 1 -> 2",
    "Rip sell 3 @ 110: 2 -> -1"
  ])
})

test("exits with qty_percent fill at their prices within a bar, and each but once", () => {
  const broker = new Broker({ pyramiding: 1, quantity: 10 })
  broker.entry("Long", "long")
  broker.bar(flat(100))
  const exits = () => {
    broker.exit({ id: "TP1", qtyPercent: 30, limit: 102, stop: 95 })
    broker.exit({ id: "Rest", limit: 110, stop: 95 })
  }
  exits()
  broker.bar({ time: 1, open: 101, high: 103, low: 100, close: 103 })
  exits()
  broker.bar({ time: 2, open: 101, high: 104, low: 100, close: 103 })
  exits()
  broker.bar({ time: 3, open: 94, high: 96, low: 93, close: 93 })
  expect(told(broker)).toEqual([
    "Long buy 10 @ 100: 0 -> 10",
    "TP1 sell 3 @ 102: 10 -> 7",
    "Rest sell 7 @ 94: 7 -> 0"
  ])
})

test("a bar goes to its nearer extreme first", () => {
  const broker = new Broker({ pyramiding: 1, quantity: 1 })
  broker.entry("Long", "long")
  broker.bar(flat(100))
  broker.exit({ id: "X", limit: 105, stop: 95 })
  broker.bar({ time: 1, open: 100, high: 110, low: 94, close: 100 })
  expect(told(broker).at(-1)).toBe("X sell 1 @ 95: 1 -> 0")
})

test("a close takes a percentage of what is held", () => {
  const broker = new Broker({ pyramiding: 1, quantity: 4 })
  broker.entry("Short", "short")
  broker.bar(flat(100))
  broker.close("Half", 50)
  broker.bar(flat(90))
  broker.close("All")
  broker.bar(flat(80))
  expect(told(broker).slice(1)).toEqual(["Half buy 2 @ 90: -4 -> -2", "All buy 2 @ 80: -2 -> 0"])
})

test("a message states the position before and after its order", () => {
  const fill = { time: 0, id: "S", action: "sell", contracts: 3, price: 90, before: 2, after: -1 } as const
  expect(messageOf(fill, "BTCUSDT.P")).toEqual({
    symbol: "BTCUSDT.P",
    action: "sell",
    contracts: "3",
    order_id: "S",
    market_position: "short",
    market_position_size: "1",
    prev_market_position: "long",
    prev_market_position_size: "2"
  })
})
