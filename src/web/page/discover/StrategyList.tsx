// The list of public strategies, sorted, filtered and paged on the server.
import { paged } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { useCursors } from "../parts/Cursors.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { StrategyFilters } from "./Filters.tsx"
import { Foreign } from "./Foreign.tsx"
import { Publisher } from "./Publisher.tsx"
import { agoText, type Line, levelBadge, SORTING } from "./record.ts"
import { ModeBadge, Standings } from "./Standings.tsx"
import { type Query, STRATEGY_FILTERS, strategyParams } from "./search.ts"

const ROWS = 50
/** What an owner hides has to vanish from the page too. */
const EVERY_MS = 30_000

export const StrategyList = ({ query }: { query: Query }) => {
  const filters = strategyParams(query)
  const isFiltered = STRATEGY_FILTERS.some((name) => (query[name] ?? "") !== "")
  return (
    <>
      <StrategyFilters query={query} />
      <Panel title="Public strategies">
        <p class="explain">{SORTING}</p>
        {/* Another filter begins at the first page. */}
        <Found key={JSON.stringify(filters)} filters={filters} isFiltered={isFiltered} />
      </Panel>
    </>
  )
}

interface FoundProps {
  readonly filters: ReturnType<typeof strategyParams>
  readonly isFiltered: boolean
}

const Found = ({ filters, isFiltered }: FoundProps) => {
  const { cursor, pager } = useCursors(["Previous", "Next"])
  const urlParams = { ...filters, limit: ROWS, ...(cursor === undefined ? {} : { cursor }) }
  const list = useQuery(
    `public strategies ${JSON.stringify(urlParams)}`,
    (signal) => paged("public", "strategies", { urlParams, signal }),
    { everyMs: EVERY_MS }
  )
  return (
    <Loaded query={list}>
      {({ body, next }) => (
        <>
          <Table
            label="Public strategies"
            columns={COLUMNS}
            rows={body.data}
            id={({ strategy_id }) => strategy_id}
            empty={<Nothing filtered={isFiltered} more={next !== undefined} />}
          />
          {pager(next)}
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: ReadonlyArray<Column<Line>> = [
  {
    key: "name",
    title: "Strategy",
    cell: ({ name, publisher, strategy_id }) => (
      <>
        <a href={href("discover", ["strategies", strategy_id])}>
          <Foreign text={name} />
        </a>
        <span class="under">
          <Publisher of={publisher} />
        </span>
      </>
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

const Nothing = ({ filtered, more }: { filtered: boolean; more: boolean }) =>
  more ? (
    <Empty title="None of these is like that">
      <p>“Next” searches further.</p>
    </Empty>
  ) : filtered ? (
    <Empty title="No public strategy is like that" />
  ) : (
    <Empty title="Nobody has published a strategy yet">
      <p class="narrow">
        A strategy is listed here while it is public and active, under a display name that its owner chose. To
        publish one of <a href={href("strategies")}>yours</a>, edit it and switch Public on.
      </p>
    </Empty>
  )
