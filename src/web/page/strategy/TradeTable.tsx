// A strategy's completed trades, sorted and paged on the server, and all of them as a CSV file.
import { useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import * as Format from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import type { Sorting } from "../parts/sort.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { Amount, Duration, Moment, Money, Percent, Price } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import type { Answer } from "../wire.ts"
import { exitTitle } from "./board.ts"
import { MarketCell } from "./MarketCell.tsx"

type OwnTrade = Answer<"dashboard", "trades">["data"][number]
/** The fields that a back-test's trades have too. */
type Trade = Omit<OwnTrade, "period" | "live">

const ROWS = 50

interface Props {
  readonly id: number
  readonly currency: string
  /** The current period; while it is the first, the column is left out. */
  readonly period: number
}

export const TradeTable = ({ id, currency, period }: Props) => {
  const [sorting, setSorting] = useState<Sorting>({ by: "closed_at", down: true })
  const [offset, setOffset] = useState(0)
  const urlParams = {
    sort: sorting.by,
    direction: sorting.down ? "desc" : "asc",
    limit: String(ROWS),
    offset: String(offset)
  }
  const query = useQuery(
    `trades ${id} ${JSON.stringify(urlParams)}`,
    (signal) => call("dashboard", "trades", { path: { id }, urlParams, signal }),
    { on: ({ strategy_id, rule }) => strategy_id === id && rule === "trade" }
  )
  const last = useRef(query.data)
  last.current = query.data ?? last.current
  return (
    <section class="panel" aria-label="Trades">
      <Loaded query={{ ...query, data: last.current }}>
        {({ data, total }) => (
          <>
            {total === 0 ? null : (
              <div class="panel-head">
                <span class="quiet">
                  {Format.counted(total, "completed trade")}
                  {period === 1 ? "" : `, of all ${period} periods; the figures above are of the last one`}
                </span>
                <a class="button small" href={`/v1/dashboard/strategies/${id}/trades.csv`} download>
                  Download as CSV
                </a>
              </div>
            )}
            <Table
              label="Completed trades"
              columns={period === 1 ? columns(() => currency) : [...columns(() => currency), PERIOD]}
              rows={data}
              id={(trade) => trade.id}
              below={exitsBelow}
              sorting={sorting}
              onSort={(next) => {
                setSorting(next)
                setOffset(0)
              }}
              empty={
                <Empty title="No completed trade yet">
                  <p>A trade is listed once its position is closed.</p>
                </Empty>
              }
            />
            <Pager
              previous={offset > 0}
              next={offset + data.length < total}
              onPrevious={() => setOffset(Math.max(0, offset - ROWS))}
              onNext={() => setOffset(offset + ROWS)}
              words={["Previous", "Next"]}
            >
              {`${offset + 1} to ${offset + data.length} of ${total}`}
            </Pager>
          </>
        )}
      </Loaded>
    </section>
  )
}

const held = ({ closed_at, opened_at }: Trade) => closed_at - opened_at

/** A trade's period, and whether it was with real money. */
const PERIOD: Column<OwnTrade> = {
  key: "period",
  title: "Period",
  cell: ({ live, period }) => (
    <>
      {period} {live ? <Badge tone="real">live</Badge> : <Badge>paper</Badge>}
    </>
  )
}

const columns = (currencyOf: (trade: Trade) => string): ReadonlyArray<Column<Trade>> => [
  {
    key: "pair",
    title: "Market",
    sort: ({ pair }) => pair,
    cell: (row) => <MarketCell {...row} />
  },
  {
    key: "opened_at",
    title: "Opened",
    sort: ({ opened_at }) => opened_at,
    wide: true,
    cell: ({ opened_at }) => <Moment at={opened_at} />
  },
  {
    key: "closed_at",
    title: "Closed",
    sort: ({ closed_at }) => closed_at,
    cell: ({ closed_at }) => <Moment at={closed_at} />
  },
  {
    key: "hold",
    title: "Held",
    align: "right",
    sort: held,
    cell: (trade) => <Duration seconds={held(trade)} />
  },
  {
    key: "quantity",
    title: "Quantity",
    align: "right",
    wide: true,
    cell: ({ entries, quantity }) => (
      <>
        <Amount value={quantity} />
        {entries > 1 ? <span class="under">{entries} entries</span> : null}
      </>
    )
  },
  {
    key: "prices",
    title: "Entry and exit",
    align: "right",
    cell: ({ entry_price, exit_price, exits }) => (
      <>
        <Price value={entry_price} />
        <span class="under">
          <Price value={exit_price} />
          {exits > 1 ? `, ${exits} exits` : ""}
        </span>
      </>
    )
  },
  {
    key: "pnl",
    title: "P&L",
    align: "right",
    sort: ({ pnl }) => pnl,
    cell: (trade) => (
      <>
        <Money value={trade.pnl} currency={currencyOf(trade)} sign />
        <span class="under">
          fees <Money value={trade.fees} />
        </span>
      </>
    )
  },
  {
    key: "profit_pct",
    title: "Profit",
    align: "right",
    sort: ({ profit_pct }) => profit_pct,
    cell: ({ profit_pct }) => <Percent value={profit_pct} sign />
  },
  { key: "exit", title: "Why", cell: ({ exit_reason }) => exitTitle(exit_reason) }
]

/** The exits of a trade that was closed in parts, below its row. */
const exitsBelow = ({ exit_fills, quantity }: Trade) =>
  exit_fills.length < 2 ? null : (
    <ul class="levels" aria-label="Exits">
      {exit_fills.map((fill, index) => (
        // Two fills of one exit may be alike: their place is what tells them apart.
        <li key={`${index} ${fill.at}`}>
          <span>{exitTitle(fill.reason)}</span> <Amount value={fill.quantity} />{" "}
          <span class="quiet">
            (<Percent value={(fill.quantity / quantity) * 100} />) at
          </span>{" "}
          <Price value={fill.price} />{" "}
          <span class="quiet">
            <Moment at={fill.at} />
          </span>
        </li>
      ))}
    </ul>
  )

export { columns as tradeColumns, exitsBelow }
