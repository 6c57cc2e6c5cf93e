// The heat map of a sweep: two settings, and in each cell the combinations that share their values. A long setting is
// shown in groups of neighbouring values.
import type { Figure } from "./SweepFigures.ts"
import { type Axis, type Grid, type Value, valueText } from "./SweepGrid.ts"

/** The two parts of a recording. */
export type Part = "train" | "test"

/** What a cell shows of the combinations in it: the one that ranks best in train, or the mean of all. */
export const MEASURES = ["best", "mean"] as const
/** One of them. */
export type Measure = (typeof MEASURES)[number]

/** The combinations that ran. */
export interface Tried {
  readonly grid: Grid
  /** The index of each combination in the grid, best first. */
  readonly ranked: ArrayLike<number>
  /** A figure of the combination at a position of the ranking; NaN for null. */
  readonly figure: (position: number, part: Part, figure: Figure) => number
}

/** The values that share a row or column, from the first to the last. */
export interface Group {
  readonly first: Value
  readonly last: Value
}

/** A map. `cells` holds, row by row, the positions of the combinations in each cell, best first. */
export interface SweepMap {
  readonly rows: ReadonlyArray<Group>
  readonly columns: ReadonlyArray<Group>
  readonly cells: ReadonlyArray<ReadonlyArray<number>>
}

/** The settings of a map by their place in the grid, and the most rows and columns. */
export interface Layout {
  readonly row: number
  readonly column: number
  readonly mostRows: number
  readonly mostColumns: number
}

/** Sorts the combinations into the cells of two settings. */
export const mapOf = ({ grid, ranked }: Tried, { column, mostColumns, mostRows, row }: Layout): SweepMap => {
  const down = sideOf(grid, row, mostRows)
  const across = sideOf(grid, column, mostColumns)
  const cells = Array.from({ length: down.groups.length * across.groups.length }, (): Array<number> => [])
  for (let position = 0; position < ranked.length; position++) {
    const index = ranked[position] ?? 0
    cells[down.groupOf(index) * across.groups.length + across.groupOf(index)]?.push(position)
  }
  return { rows: down.groups, columns: across.groups, cells }
}

/**
 * What a cell shows. Undefined where nothing ran; null where the figure is null, as a profit factor without a loss is.
 * A mean leaves these out.
 */
export const cellValue = (
  tried: Tried,
  positions: ReadonlyArray<number>,
  { figure, measure, part }: { readonly figure: Figure; readonly measure: Measure; readonly part: Part }
): number | null | undefined => {
  if (positions.length === 0) return undefined
  let sum = 0
  let count = 0
  for (const position of measure === "best" ? positions.slice(0, 1) : positions) {
    const value = tried.figure(position, part, figure)
    if (!Number.isFinite(value)) continue
    sum += value
    count++
  }
  return count === 0 ? null : sum / count
}

/** The places of the settings with more than one value: only these make a map. */
export const varying = (grid: Grid): ReadonlyArray<number> =>
  grid.flatMap(({ values }, place) => (values.length > 1 ? [place] : []))

/** A group in text: `2`, `1 to 5`, or `-` for null. */
export const groupText = ({ first, last }: Group): string =>
  first === last ? valueText(first) || "-" : `${valueText(first) || "-"} to ${valueText(last) || "-"}`

interface Side {
  readonly groups: ReadonlyArray<Group>
  /** The group of a combination, by its index in the grid. */
  readonly groupOf: (index: number) => number
}

const sideOf = (grid: Grid, place: number, most: number): Side => {
  const values = grid[place]?.values ?? []
  const size = Math.max(1, values.length)
  const each = Math.ceil(size / Math.max(1, most))
  // Combinations are numbered like nested loops: the settings behind this one vary faster.
  const stride = grid.slice(place + 1).reduce((product, axis: Axis) => product * axis.values.length, 1)
  return {
    groups: Array.from({ length: Math.ceil(size / each) }, (_, group) => ({
      first: values[group * each] ?? null,
      last: values[Math.min(size, (group + 1) * each) - 1] ?? null
    })),
    groupOf: (index) => Math.floor((Math.floor(index / stride) % size) / each)
  }
}
