// The Trades page: the completed trades of all strategies, filtered, sorted and paged on the server, and the same trades
// as a CSV file.
import { useRef } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import * as Format from "../parts/format.ts"
import { PageHead } from "../parts/PageHead.tsx"
import { Pager } from "../parts/Pager.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import type { Sorting } from "../parts/sort.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { Money } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { urlOf } from "../requests.ts"
import { setQuery } from "../router.ts"
import { href, type PageProps } from "../routes.ts"
import { exitsBelow, tradeColumns } from "../strategy/TradeTable.tsx"
import type { Answer } from "../wire.ts"
import { isFiltered, paramsOf } from "./filters.ts"
import { TradeFilters } from "./TradeFilters.tsx"

type Answered = Answer<"trades", "list">
type Trade = Answered["data"][number]

const ROWS = 50
const [, CSV = ""] = __ROUTES__["trades.csv"] ?? []

export const Trades = ({ query }: PageProps) => {
  const { down = "yes", offset: skipped = "0", sort = "closed_at" } = query
  const offset = Math.max(0, Math.trunc(Number(skipped)) || 0)
  const sorting = { by: sort, down: down === "yes" }
  const filters = paramsOf(query)
  const urlParams = {
    ...filters,
    sort,
    direction: sorting.down ? "desc" : "asc",
    limit: String(ROWS),
    offset: String(offset)
  }
  const list = useQuery(
    `all trades ${JSON.stringify(urlParams)}`,
    (signal) => call("trades", "list", { urlParams, signal }),
    { on: ({ rule }) => rule === "trade" }
  )
  // Keep the last rows while others are loading.
  const last = useRef(list.data)
  last.current = list.data ?? last.current
  return (
    <>
      <PageHead title="Trades" lead="Every completed trade of all your strategies, deleted ones included.">
        <a class="button" href={urlOf(CSV, { urlParams: filters })} download>
          Download as CSV
        </a>
      </PageHead>
      <TradeFilters query={query} />
      <section class="panel" aria-label="Completed trades">
        <Loaded query={{ ...list, data: last.current }}>
          {(answer) => (
            <Found answer={answer} filtered={isFiltered(query)} offset={offset} sorting={sorting} />
          )}
        </Loaded>
      </section>
    </>
  )
}

interface Props {
  readonly answer: Answered
  readonly filtered: boolean
  readonly offset: number
  readonly sorting: Sorting
}

const Found = ({ answer: { data, total, totals }, filtered, offset, sorting }: Props) => (
  <>
    <Sums totals={totals} total={total} filtered={filtered} />
    <Table
      label="Trades of all strategies"
      columns={COLUMNS}
      rows={data}
      id={({ id }) => id}
      below={exitsBelow}
      sorting={sorting}
      onSort={({ by, down }) => setQuery({ sort: by, down: down ? "yes" : "no", offset: undefined })}
      empty={
        filtered ? (
          <Empty title="No trade is like that" />
        ) : (
          <Empty title="No completed trade yet">
            <p>A trade is listed once its position is closed.</p>
          </Empty>
        )
      }
    />
    <Pager
      previous={offset > 0}
      next={offset + data.length < total}
      onPrevious={() => setQuery({ offset: Math.max(0, offset - ROWS) || undefined })}
      onNext={() => setQuery({ offset: offset + ROWS })}
      words={["Previous", "Next"]}
    >
      {`${data.length === 0 ? 0 : offset + 1} to ${offset + data.length} of ${Format.count(total)}`}
    </Pager>
  </>
)

/** The number of trades, and a sum for each currency. Paper and real money are never added up. */
const Sums = ({ filtered, total, totals }: Pick<Answered, "total" | "totals"> & { filtered: boolean }) =>
  total === 0 ? null : (
    <div class="sums" role="status">
      <span class="quiet">
        {Format.counted(total, "trade")}
        {filtered ? " found" : ""}
      </span>
      {totals.map(({ currency, live, pnl, trades, wins }) => (
        <span key={`${currency} ${live}`}>
          {live ? <Badge tone="real">live</Badge> : <Badge>paper</Badge>}{" "}
          <Money value={pnl} currency={currency} sign />{" "}
          <span class="quiet">
            from {Format.counted(trades, "trade")}, {Format.percent((wins / trades) * 100, false, 1)} won
          </span>
        </span>
      ))}
    </div>
  )

const [MARKET, ...OTHERS] = tradeColumns(({ pair }) => pair.slice(pair.indexOf("/") + 1))

const STRATEGY: Column<Trade> = {
  key: "strategy",
  title: "Strategy",
  cell: ({ live, strategy_id, strategy_name }) => (
    <>
      {strategy_name === null ? (
        <span class="quiet">deleted ({strategy_id})</span>
      ) : (
        <a class="strategy-name" href={href("strategy", [strategy_id], { tab: "trades" })}>
          {strategy_name}
        </a>
      )}
      <span class="under">{live ? <Badge tone="real">live</Badge> : "paper"}</span>
    </>
  )
}

/** There is no room for the time of opening: it is that of closing less the time held. */
const COLUMNS: ReadonlyArray<Column<Trade>> =
  MARKET === undefined ? [STRATEGY] : [MARKET, STRATEGY, ...OTHERS.filter(({ key }) => key !== "opened_at")]
