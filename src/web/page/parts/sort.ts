// Sorts rows by a column. Rows without a value come last in both directions.

export interface Sorting {
  readonly by: string
  readonly down: boolean
}

/** The parts of a column that sorting needs. */
export interface Sortable<Row> {
  readonly key: string
  readonly sort?: (row: Row) => number | string | null | undefined
}

export const sorted = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Sortable<Row>>,
  { by, down }: Sorting
): ReadonlyArray<Row> => {
  const value = columns.find(({ key }) => key === by)?.sort
  if (value === undefined) return rows
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (x === null || x === undefined) return y === null || y === undefined ? 0 : 1
    if (y === null || y === undefined) return -1
    const order = typeof x === "string" || typeof y === "string" ? String(x).localeCompare(String(y)) : x - y
    return down ? -order : order
  })
}
