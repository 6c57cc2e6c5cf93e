// A list of what others have published, paged on the server.
import type { ComponentChildren } from "preact"
import { useCursors } from "../parts/Cursors.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { Foreign } from "./Foreign.tsx"
import { Publisher } from "./Publisher.tsx"

const ROWS = 50
/** What an owner hides has to vanish from the page too. */
const EVERY_MS = 30_000

/** The page of a list that a request asks for. */
interface ListPage {
  readonly limit: number
  readonly cursor?: string
}

interface Props<Row> {
  readonly kind: "strategies" | "signals"
  readonly columns: ReadonlyArray<Column<Row>>
  readonly id: (row: Row) => number
  /** What the rows are filtered by: another filter begins at the first page. */
  readonly filters: object
  readonly isFiltered: boolean
  readonly load: (
    page: ListPage,
    signal: AbortSignal
  ) => Promise<{ readonly body: { readonly data: ReadonlyArray<Row> }; readonly next?: string | undefined }>
  /** What has to be done for something to be listed here. */
  readonly condition: string
}

export const Listing = <Row,>(props: Props<Row>) => <Found key={JSON.stringify(props.filters)} {...props} />

const Found = <Row,>({ columns, condition, filters, id, isFiltered, kind, load }: Props<Row>) => {
  const { cursor, pager } = useCursors(["Previous", "Next"])
  const page = { limit: ROWS, ...(cursor === undefined ? {} : { cursor }) }
  const list = useQuery(`public ${kind} ${JSON.stringify([filters, page])}`, (signal) => load(page, signal), {
    everyMs: EVERY_MS
  })
  return (
    <Loaded query={list}>
      {({ body, next }) => (
        <>
          <Table
            label={`Public ${kind}`}
            columns={columns}
            rows={body.data}
            id={id}
            empty={
              <Nothing kind={kind} isFiltered={isFiltered} hasMore={next !== undefined}>
                {condition}
              </Nothing>
            }
          />
          {pager(next)}
        </>
      )}
    </Loaded>
  )
}

interface NothingProps {
  readonly kind: "strategies" | "signals"
  readonly isFiltered: boolean
  readonly hasMore: boolean
  readonly children: ComponentChildren
}

const Nothing = ({ children, hasMore, isFiltered, kind }: NothingProps) => {
  const one = kind === "signals" ? "signal" : "strategy"
  if (hasMore)
    return (
      <Empty title="None of these is like that">
        <p>“Next” searches further.</p>
      </Empty>
    )
  if (isFiltered) return <Empty title={`No public ${one} is like that`} />
  return (
    <Empty title={`Nobody has published a ${one} yet`}>
      <p class="narrow">
        {children} To publish one of <a href={href(kind)}>yours</a>, edit it and switch Public on.
      </p>
    </Empty>
  )
}

interface NamedProps {
  readonly at: string
  readonly name: string
  readonly publisher: Parameters<typeof Publisher>[0]["of"]
}

/** The name of a row, as a link, above its publisher. */
export const Named = ({ at, name, publisher }: NamedProps) => (
  <>
    <a href={at}>
      <Foreign text={name} />
    </a>
    <span class="under">
      <Publisher of={publisher} />
    </span>
  </>
)
