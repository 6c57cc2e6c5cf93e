// The heat map of a sweep, against cells that are gathered value by value.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { combination, count, type Grid, sample } from "../../src/trading/sweep/SweepGrid.ts"
import { cellValue, groupText, mapOf, type Tried, varying } from "../../src/trading/sweep/SweepMap.ts"

const sizes = FastCheck.array(FastCheck.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 4 })
const gridOf = (own: ReadonlyArray<number>): Grid =>
  own.map((size, place) => ({
    field: `f${place}`,
    values: Array.from({ length: size }, (_, value) => value)
  }))

/** Combinations in a sequence that is no longer that of the grid, each with its index as its figure. */
const triedOf = (grid: Grid, seed: number): Tried => {
  const total = count(grid)
  const some = sample(total, Math.ceil(total * 0.7), seed)
  const ranked = some.toSorted((left, right) => ((left * 7919) % 101) - ((right * 7919) % 101))
  return { grid, ranked, figure: (position, part) => (part === "train" ? 1 : 0.5 - (ranked[position] ?? 0)) }
}

test("every combination is in the one cell of its two values, the best first", () =>
  FastCheck.assert(
    FastCheck.property(
      sizes,
      FastCheck.nat(1000),
      FastCheck.integer({ min: 1, max: 8 }),
      (own, seed, most) => {
        const grid = gridOf(own)
        const tried = triedOf(grid, seed)
        const [row, column] = seed % 2 === 0 ? [0, grid.length - 1] : [grid.length - 1, 0]
        const map = mapOf(tried, { row, column, mostRows: most, mostColumns: most })
        expect(map.rows.length).toBeLessThanOrEqual(most)
        expect(map.columns.length).toBeLessThanOrEqual(most)
        const holds = ({ first, last }: (typeof map.rows)[number], value: unknown) =>
          Number(first) <= Number(value) && Number(value) <= Number(last)
        for (const [at, positions] of map.cells.entries()) {
          const [down, across] = [
            map.rows[Math.floor(at / map.columns.length)],
            map.columns[at % map.columns.length]
          ]
          const expected = Array.from(tried.ranked, (index, position) => ({
            position,
            values: combination(grid, index)
          })).filter(
            ({ values }) =>
              down !== undefined &&
              across !== undefined &&
              holds(down, values[row]) &&
              holds(across, values[column])
          )
          expect(positions).toEqual(expected.map(({ position }) => position))
          const figures = expected.map(({ position }) => 0.5 - (tried.ranked[position] ?? 0))
          const of = (measure: "best" | "mean") =>
            cellValue(tried, positions, { figure: "roi_pct", measure, part: "test" })
          expect(of("best")).toBe(figures[0])
          const mean = of("mean")
          if (figures.length === 0) expect(mean).toBeUndefined()
          else expect(mean).toBeCloseTo(figures.reduce((sum, one) => sum + one, 0) / figures.length, 6)
        }
      }
    )
  ))

test("a figure that is null in all of a cell is null there, and left out of a mean", () => {
  const tried: Tried = {
    grid: gridOf([2, 2]),
    ranked: [3, 2, 1],
    figure: (position) => (position === 1 ? Number.NaN : 4)
  }
  const query = { figure: "profit_factor", measure: "mean", part: "train" } as const
  expect([[1], [0, 1], []].map((positions) => cellValue(tried, positions, query))).toEqual([
    null,
    4,
    undefined
  ])
})

test("groups are named by their ends, and only settings with several values make a map", () => {
  expect(groupText({ first: 1, last: 1 })).toBe("1")
  expect(groupText({ first: 0.5, last: 2 })).toBe("0.5 to 2")
  expect(groupText({ first: null, last: null })).toBe("-")
  expect(varying(gridOf([1, 2, 1, 3]))).toEqual([1, 3])
})
