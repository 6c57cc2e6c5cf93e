// The caps of real money and the second leg of a turn: the largest order, the agreed capital, the loss of the day, and
// a halt between the legs.
import { expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { BotAlert } from "../../src/trading/Decision.ts"
import { Live, SWAP } from "./live.ts"
import { market, settings } from "./scenario.ts"

type Terms = Parameters<Live["arm"]>[0]

/** A long of 1000, armed on these terms, with the closing order of a turn in flight where it is taken. */
const long = (terms: Terms = {}): Live => {
  const live = new Live(settings({ buyPercent: 10 }), (id) => market(id)).quote(SWAP, 100).arm(terms)
  expect(live.alert("long")).toBe("opened")
  live.fillAll()
  return live
}
const turned = (live: Live, more: Partial<BotAlert> = {}) => live.alert("short", { reverse: true, ...more })
const lastNote = (live: Live, rule: string) =>
  live.decisions.flatMap(({ notes }) => notes).findLast((note) => note.rule === rule)
const openings = (live: Live) =>
  live.decisions
    .flatMap(({ orders }) => orders)
    .filter(({ position, purpose }) => purpose === "entry" && position === "short")

test("the largest order binds the entry of a turn: it closes, and the timeline says why it did not turn", () => {
  const live = long({ maxOrder: "1010" })
  // A tenth of the equity is more than the largest order by now.
  live.quote(SWAP, 150)
  expect(turned(live)).toBe("closed")
  expect(lastNote(live, "turn_dropped")).toMatchObject({ reason: "over_max_order", side: "short" })
  live.fillAll()
  expect([live.slot(SWAP), openings(live)]).toEqual([undefined, []])
})

test("an entry of a turn that becomes larger than the largest order while the other side closes is not sent", () => {
  const live = long({ maxOrder: "1010" })
  expect(turned(live)).toBe("turned")
  const [order] = live.decisions.at(-1)?.orders ?? []
  if (order === undefined) throw new Error("nothing closes the long")
  // The closing order makes far more than the price at which the turn was checked.
  live.part(order, Decimal.toText(order.quantity), 200, true)
  expect(lastNote(live, "turn_dropped")).toMatchObject({ reason: "over_max_order" })
  expect([live.slot(SWAP), openings(live)]).toEqual([undefined, []])
})

test("the entry of a turn is sized by the capital that the closing order left, never by more", () => {
  const live = long({ capital: "1000", maxOrder: "1000" })
  expect(turned(live)).toBe("turned")
  const [order] = live.decisions.at(-1)?.orders ?? []
  if (order === undefined) throw new Error("nothing closes the long")
  live.part(order, Decimal.toText(order.quantity), 50, true)
  const [entry, ...more] = openings(live)
  expect(more).toEqual([])
  expect(Decimal.toNumber(entry?.reserved ?? Decimal.zero)).toBeLessThanOrEqual(95)
  expect(Decimal.toNumber(entry?.quantity ?? Decimal.zero)).toBeGreaterThan(0)
})

test("a loss of the day that the closing order makes leaves no entry behind it", () => {
  const live = long({ maxDailyLoss: "100" })
  expect(turned(live)).toBe("turned")
  const [order] = live.decisions.at(-1)?.orders ?? []
  if (order === undefined) throw new Error("nothing closes the long")
  live.quote(SWAP, 100)
  live.part(order, Decimal.toText(order.quantity), 80, true)
  live.quote(SWAP, 80)
  expect(live.state.live?.day?.tripped).toBe(true)
  expect(openings(live).length).toBe(0)
  expect(lastNote(live, "entry_cancelled")).toMatchObject({ reason: "daily_loss" })
})

test("a halt between the legs leaves no entry behind the closing order, which is made", () => {
  const live = long()
  expect(turned(live)).toBe("turned")
  live.halted = true
  live.fillAll()
  expect([live.slot(SWAP)?.position, live.slot(SWAP)?.turn, openings(live)]).toEqual([
    undefined,
    undefined,
    []
  ])
  expect(lastNote(live, "turn_dropped")).toMatchObject({ reason: "halted" })
})

test("a turn under a halt closes, and says that it was the halt", () => {
  const live = long()
  live.halted = true
  expect(turned(live)).toBe("closed")
  expect(lastNote(live, "turn_dropped")).toMatchObject({ reason: "halted" })
  live.fillAll()
  expect(live.slot(SWAP)).toBeUndefined()
})
