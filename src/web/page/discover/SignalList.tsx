// The list of public signals, which everybody's strategies may follow.
import { paged } from "../client.ts"
import { Panel } from "../parts/PageHead.tsx"
import type { Column } from "../parts/Table.tsx"
import { Count } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import { SignalFilters } from "./Filters.tsx"
import { Foreign } from "./Foreign.tsx"
import { Listing, Named } from "./Listing.tsx"
import { agoText, type SignalLine } from "./record.ts"
import { type Query, SIGNAL_FILTERS, signalParams } from "./search.ts"

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
        <Listing
          kind="signals"
          columns={COLUMNS}
          id={({ id }) => id}
          filters={filters}
          isFiltered={isFiltered}
          load={(page, signal) => paged("public", "signals", { urlParams: { ...filters, ...page }, signal })}
          condition="A signal is listed here while it is public and on, under a display name that its owner chose."
        />
      </Panel>
    </>
  )
}

const COLUMNS: ReadonlyArray<Column<SignalLine>> = [
  {
    key: "name",
    title: "Signal",
    cell: ({ id, name, publisher }) => (
      <Named at={href("discover", ["signals", id])} name={name} publisher={publisher} />
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
