// Sorting of rows by numbers and text.
import { expect, test } from "bun:test"
import { sorted } from "../../src/web/page/parts/sort.ts"

interface Row {
  readonly name: string
  readonly pnl: number | null
}
const rows: ReadonlyArray<Row> = [
  { name: "b", pnl: 2 },
  { name: "ä", pnl: null },
  { name: "c", pnl: -10 },
  { name: "a", pnl: 10 }
]
const columns = [
  { key: "name", sort: ({ name }: Row) => name },
  { key: "pnl", sort: ({ pnl }: Row) => pnl },
  { key: "plain" }
]
const names = (by: string, down: boolean) => sorted(rows, columns, { by, down }).map(({ name }) => name)

test("rows are sorted by figures and by words, and rows without a value come last in both directions", () => {
  expect(names("pnl", true)).toEqual(["a", "b", "c", "ä"])
  expect(names("pnl", false)).toEqual(["c", "b", "a", "ä"])
  expect(names("name", false)).toEqual(["a", "ä", "b", "c"])
})

test("a column that cannot be sorted leaves the rows as they are", () => {
  for (const by of ["plain", "gone"]) expect(names(by, true)).toEqual(["b", "ä", "c", "a"])
})
