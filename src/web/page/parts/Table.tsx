// A table with sortable columns. On a phone each row becomes a card whose lines carry the column titles.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { count } from "./format.ts"
import { Empty } from "./States.tsx"
import { type Sorting, sorted } from "./sort.ts"

export interface Column<Row> {
  /** The column's key for sorting, unique in the table. */
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** The value to sort by; a column without it cannot be sorted. */
  readonly sort?: (row: Row) => number | string | null | undefined
  /** Numbers are aligned right. */
  readonly align?: "right"
  /** Hidden on a phone. */
  readonly wide?: boolean
}

interface Props<Row> {
  /** The content of the table, for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly id: (row: Row) => string | number
  /** Set if the page or the server sorts: `rows` come sorted, and `onSort` is called. */
  readonly sorting?: Sorting
  readonly onSort?: (sorting: Sorting) => void
  /** The initial sorting; without it rows keep their order. */
  readonly initial?: Sorting
  /** Rows to show before "Show all"; by default all. */
  readonly most?: number
  /** Shown if there are no rows. */
  readonly empty?: ComponentChildren
  /** Details below a row, across all columns. */
  readonly below?: (row: Row) => ComponentChildren
}

/** The first column is the row's header. */
export const Table = <Row,>(props: Props<Row>) => {
  const { columns, rows, id, label, empty, below } = props
  const [own, setOwn] = useState<Sorting | undefined>(props.initial)
  const sorting = props.sorting ?? own
  const [isWhole, setWhole] = useState(props.most === undefined)
  const [top] = rows
  if (top === undefined) return <>{empty ?? <Empty title="Nothing here yet" />}</>
  const sort = (by: string) => {
    // Text sorts ascending at first, numbers descending.
    const isText = typeof columns.find(({ key }) => key === by)?.sort?.(top) === "string"
    const next = { by, down: sorting?.by === by ? !sorting.down : !isText }
    if (props.onSort === undefined) setOwn(next)
    else props.onSort(next)
  }
  const all = props.onSort === undefined && own !== undefined ? sorted(rows, columns, own) : rows
  const shown = isWhole ? all : all.slice(0, props.most)
  return (
    <div class="table-frame">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => {
            const more = below?.(row)
            return [
              <tr key={id(row)}>
                {columns.map((column) => (
                  <Cell key={column.key} column={column} row={row} first={column === columns[0]} />
                ))}
              </tr>,
              more === undefined || more === null ? null : (
                <tr key={`${id(row)} below`} class="below">
                  <td colSpan={columns.length}>{more}</td>
                </tr>
              )
            ]
          })}
        </tbody>
      </table>
      {shown.length === all.length ? null : (
        <button type="button" class="button more" onClick={() => setWhole(true)}>
          Show all {count(all.length)}
        </button>
      )}
    </div>
  )
}

const classOf = <Row,>({ align, wide }: Column<Row>) =>
  [align === "right" ? "right" : "", wide === true ? "wide" : ""].join(" ").trim()

const Head = <Row,>({
  column,
  sorting,
  sort
}: {
  column: Column<Row>
  sorting: Sorting | undefined
  sort: (by: string) => void
}) => {
  const isSorted = sorting?.by === column.key
  if (column.sort === undefined)
    return (
      <th scope="col" class={classOf(column)}>
        {column.title}
      </th>
    )
  return (
    <th
      scope="col"
      class={classOf(column)}
      aria-sort={isSorted ? (sorting.down ? "descending" : "ascending") : "none"}
    >
      <button type="button" class="sort" onClick={() => sort(column.key)}>
        {column.title}
        <span aria-hidden="true" class="arrow">
          {isSorted ? (sorting.down ? "↓" : "↑") : "↕"}
        </span>
      </button>
    </th>
  )
}

const Cell = <Row,>({ column, row, first }: { column: Column<Row>; row: Row; first: boolean }) =>
  first ? (
    <th scope="row" class={classOf(column)}>
      {column.cell(row)}
    </th>
  ) : (
    <td class={classOf(column)} data-title={column.title}>
      <div>{column.cell(row)}</div>
    </td>
  )
