// The list of public strategies, sorted, filtered and paged on the server.
import { paged } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { Panel } from "../parts/PageHead.tsx"
import type { Column } from "../parts/Table.tsx"
import { Count } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import { StrategyFilters } from "./Filters.tsx"
import { Listing, Named } from "./Listing.tsx"
import { agoText, type Line, levelBadge, SORTING } from "./record.ts"
import { ModeBadge, Standings } from "./Standings.tsx"
import { type Query, STRATEGY_FILTERS, strategyParams } from "./search.ts"

export const StrategyList = ({ query }: { query: Query }) => {
  const filters = strategyParams(query)
  const isFiltered = STRATEGY_FILTERS.some((name) => (query[name] ?? "") !== "")
  return (
    <>
      <StrategyFilters query={query} />
      <Panel title="Public strategies">
        <p class="explain">{SORTING}</p>
        <Listing
          kind="strategies"
          columns={COLUMNS}
          id={({ strategy_id }) => strategy_id}
          filters={filters}
          isFiltered={isFiltered}
          load={(page, signal) =>
            paged("public", "strategies", { urlParams: { ...filters, ...page }, signal })
          }
          condition="A strategy is listed here while it is public and active, under a display name that its owner chose."
        />
      </Panel>
    </>
  )
}

const COLUMNS: ReadonlyArray<Column<Line>> = [
  {
    key: "name",
    title: "Strategy",
    cell: ({ strategy_id, name, publisher }) => (
      <Named at={href("discover", ["strategies", strategy_id])} name={name} publisher={publisher} />
    )
  },
  { key: "money", title: "Trades on", cell: ({ record }) => <ModeBadge mode={record.mode} /> },
  {
    key: "record",
    title: "Return since published",
    align: "right",
    cell: ({ record }) => <Standings of={record.since_publication} />
  },
  {
    key: "age",
    title: "Published",
    align: "right",
    cell: ({ record }) => {
      const [tone, words] = levelBadge(record.level)
      return (
        <span class="standing">
          {agoText(record.age_days)}
          <span class="under">
            <Badge tone={tone}>{words}</Badge>
          </span>
        </span>
      )
    }
  },
  { key: "pairs", title: "Pairs", cell: (line) => <Pairs of={line} /> },
  {
    key: "copies",
    title: "Copies",
    align: "right",
    wide: true,
    cell: ({ copies }) => <Count value={copies} />
  }
]

/** The most pairs that a row names. */
const PAIRS = 3

const Pairs = ({ of: { exchanges } }: { of: Line }) => {
  const pairs = [...new Set(exchanges.flatMap(({ coin_pairs }) => coin_pairs))]
  const more = pairs.length - PAIRS
  return (
    <>
      <span class="pairs">
        {pairs.slice(0, PAIRS).join(", ")}
        {more > 0 ? <span class="quiet"> and {more} more</span> : null}
      </span>
      <span class="under">{exchanges.map(({ exchange_name }) => exchange_name).join(", ")}</span>
    </>
  )
}
