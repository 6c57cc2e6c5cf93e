// What each fill did to its position, read from the fills of one market.
import { expect, test } from "bun:test"
import { type FillOfOrder, rolesOf } from "../../src/domain/position/FillRole.ts"

const fill = (order: string, at: number, of: Partial<FillOfOrder> = {}): FillOfOrder => ({
  ...{ order, at, side: "buy", purpose: "entry", isPart: false },
  ...of
})
const exit = (order: string, at: number, of: Partial<FillOfOrder> = {}) =>
  fill(order, at, { purpose: "exit", side: "sell", ...of })

test("a position is opened, added to, averaged, closed in parts and closed", () =>
  expect(
    rolesOf([
      fill("a", 1),
      fill("a", 2),
      fill("b", 3),
      fill("c", 4, { purpose: "dca" }),
      exit("d", 5, { isPart: true }),
      fill("e", 6),
      exit("f", 7),
      exit("f", 8)
    ])
  ).toEqual(["open", "open", "add", "average", "part", "add", "close", "close"]))

test("an entry that goes on in the direction of the close is a turn, if it follows soon", () => {
  expect(rolesOf([fill("a", 1), exit("b", 2), exit("c", 2, { purpose: "entry" })])).toEqual([
    "open",
    "close",
    "turn"
  ])
  expect(rolesOf([exit("b", 2), exit("c", 20_000, { purpose: "entry" })])).toEqual(["close", "open"])
  expect(rolesOf([exit("b", 2), fill("c", 2)])).toEqual(["close", "open"])
})

test("no fills have no roles", () => expect(rolesOf([])).toEqual([]))
