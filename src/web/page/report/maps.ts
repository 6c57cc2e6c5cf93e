// Finds the cells of a sweep's map for what a reader chose. A map is stored once for two settings, and turned where they
// are chosen the other way round. Pure.
import type { SweepData } from "./report.ts"

/** What a reader chose: two fields by their places, a figure of a part, and what a cell shows. */
export interface MapQuery {
  readonly row: number
  readonly column: number
  readonly figure: string
  readonly part: string
  readonly measure: "best" | "mean"
}

/** A cell. `value` is null for a figure that is null, and undefined where nothing ran. */
export interface Cell {
  readonly value: number | null | undefined
  readonly count: number
  readonly rank: number | null
}

/** The labels and cells of a map, row by row; undefined if there is no such map. */
export const gridOf = (data: SweepData, query: MapQuery) => {
  const isTurned = query.row > query.column
  const [row, column] = isTurned ? [query.column, query.row] : [query.row, query.column]
  const map = data.maps.find((it) => it.row === row && it.column === column)
  const figure = data.figures.findIndex(({ name }) => name === query.figure)
  if (map === undefined || figure < 0) return undefined
  const values = map[query.measure][data.parts.indexOf(query.part) * data.figures.length + figure] ?? []
  const width = map.columns.length
  const cellAt = (down: number, across: number): Cell => {
    const at = down * width + across
    const count = map.counts[at] ?? 0
    return { count, rank: map.ranks[at] ?? null, value: count === 0 ? undefined : (values[at] ?? null) }
  }
  const [rows, columns] = isTurned ? [map.columns, map.rows] : [map.rows, map.columns]
  return {
    rows,
    columns,
    cells: rows.map((_, down) =>
      columns.map((_, across) => (isTurned ? cellAt(across, down) : cellAt(down, across)))
    )
  }
}
