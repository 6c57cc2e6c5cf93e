import { expect, test } from "bun:test"
import { type Details, detailsText } from "../../src/domain/alert/InstructionText.ts"

const NONE: Details = {
  close_percent: null,
  reverse: null,
  tps: null,
  buy_percentage: null,
  growth_percent: null,
  either_side: false
}

test.each<[Partial<Details>, ReadonlyArray<string>]>([
  [{}, []],
  [{ close_percent: 100 / 3 }, ["closes 33.3333 % of what is held"]],
  [{ either_side: true }, ["closes whichever side is held"]],
  [{ reverse: true }, ["closes the other side first"]],
  [{ reverse: false }, ["never closes the other side"]],
  [{ growth_percent: 50 }, ["adds 50 % of what is held"]],
  [{ buy_percentage: 0 }, ["buys for 0 % of the equity"]],
  [
    {
      reverse: true,
      tps: [
        { price: 70_000, percent: 50 },
        { price: 75_000.5, percent: 12.5 }
      ]
    },
    ["closes the other side first", "targets 70000 for 50 %, 75000.5 for 12.5 %"]
  ]
])("an alert with %j is put in words", (fields, texts) =>
  expect(detailsText({ ...NONE, ...fields })).toEqual([...texts])
)
