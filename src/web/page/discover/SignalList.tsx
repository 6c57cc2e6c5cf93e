// The list of public signals, which everybody's strategies may follow.
import { paged } from "../client.ts"
import { useCursors } from "../parts/Cursors.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { SignalFilters } from "./Filters.tsx"
import { Foreign } from "./Foreign.tsx"
import { Publisher } from "./Publisher.tsx"
import { agoText, type SignalLine } from "./record.ts"
import { type Query, SIGNAL_FILTERS, signalParams } from "./search.ts"

const ROWS = 50
const EVERY_MS = 30_000

export const SignalList = ({ query }: { query: Query }) => {
  const filters = signalParams(query)
  const isFiltered = SIGNAL_FILTERS.some((name) => (query[name] ?? "") !== "")
  return (
    <>
      <SignalFilters query={query} />
      <Panel title="Public signals">
        <p class="explain">
          A signal has no record of its own: what its alerts are worth shows in the strategies that follow it.
        </p>
        {/* Another filter begins at the first page. */}
        <Found key={JSON.stringify(filters)} filters={filters} isFiltered={isFiltered} />
      </Panel>
    </>
  )
}

interface FoundProps {
  readonly filters: ReturnType<typeof signalParams>
  readonly isFiltered: boolean
}

const Found = ({ filters, isFiltered }: FoundProps) => {
  const { cursor, pager } = useCursors(["Previous", "Next"])
  const urlParams = { ...filters, limit: ROWS, ...(cursor === undefined ? {} : { cursor }) }
  const list = useQuery(
    `public signals ${JSON.stringify(urlParams)}`,
    (signal) => paged("public", "signals", { urlParams, signal }),
    { everyMs: EVERY_MS }
  )
  return (
    <Loaded query={list}>
      {({ body, next }) => (
        <>
          <Table
            label="Public signals"
            columns={COLUMNS}
            rows={body.data}
            id={({ id }) => id}
            empty={<Nothing filtered={isFiltered} more={next !== undefined} />}
          />
          {pager(next)}
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: ReadonlyArray<Column<SignalLine>> = [
  {
    key: "name",
    title: "Signal",
    cell: ({ id, name, publisher }) => (
      <>
        <a href={href("discover", ["signals", id])}>
          <Foreign text={name} />
        </a>
        <span class="under">
          <Publisher of={publisher} />
        </span>
      </>
    )
  },
  {
    key: "description",
    title: "Description",
    cell: ({ description }) => (description === "" ? "" : <Foreign text={description} most={120} />)
  },
  {
    key: "age",
    title: "Published",
    align: "right",
    cell: ({ age_days }) => agoText(age_days)
  },
  {
    key: "followers",
    title: "Followers",
    align: "right",
    cell: ({ followers }) => <Count value={followers} />
  }
]

const Nothing = ({ filtered, more }: { filtered: boolean; more: boolean }) =>
  more ? (
    <Empty title="None of these is like that">
      <p>“Next” searches further.</p>
    </Empty>
  ) : filtered ? (
    <Empty title="No public signal is like that" />
  ) : (
    <Empty title="Nobody has published a signal yet">
      <p class="narrow">
        A signal is listed here while it is public and on, under a display name that its owner chose. To
        publish one of <a href={href("signals")}>yours</a>, edit it and switch Public on.
      </p>
    </Empty>
  )
