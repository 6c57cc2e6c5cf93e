// The list of strategies with their results. The server searches, sorts and pages, so a thousand are as fast as ten.
import { useEffect, useRef, useState } from "preact/hooks"
import { type ExchangeAccount, useAccounts } from "../accounts.ts"
import { call } from "../client.ts"
import { after } from "../clock.ts"
import { Badge } from "../parts/Badge.tsx"
import { PageHead } from "../parts/PageHead.tsx"
import { Pager } from "../parts/Pager.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import type { Sorting } from "../parts/sort.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { TradingBadges } from "../parts/TradingBadges.tsx"
import { Count, Money, Percent } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import { href } from "../routes.ts"
import type { Answer } from "../wire.ts"
import { ActiveSwitch } from "./ActiveSwitch.tsx"
import { BulkBar } from "./bulk/BulkBar.tsx"
import { IdleBadges } from "./IdleBadges.tsx"

type Line = Answer<"dashboard", "strategies">["data"][number]

const ROWS = 50
/** The most strategies that are changed at once. */
const MOST_SELECTED = 200
const PAUSE_MS = 250

export const List = ({ query: { q = "", sort = "strategy_id", down = "", from = "0" } }: Props) => {
  const offset = Math.max(0, Math.trunc(Number(from)) || 0)
  const sorting = { by: sort, down: down === "yes" }
  const urlParams = {
    ...(q === "" ? {} : { search: q }),
    sort,
    direction: sorting.down ? "desc" : "asc",
    limit: String(ROWS),
    offset: String(offset)
  }
  const query = useQuery(
    `strategies ${JSON.stringify(urlParams)}`,
    (signal) => call("dashboard", "strategies", { urlParams, signal }),
    { on: ({ strategy_id }) => strategy_id !== null, everyMs: 30_000 }
  )
  // Keep the last rows while others are loading.
  const last = useRef(query.data)
  last.current = query.data ?? last.current
  const shown = last.current
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const select = (ids: ReadonlyArray<number>, on: boolean) => {
    const others = [...selected].filter((id) => !ids.includes(id))
    setSelected(new Set(on ? [...others, ...ids].slice(0, MOST_SELECTED) : others))
  }
  const accounts = useAccounts(shown?.data.some(({ trading }) => trading.mode !== "paper") === true)
  return (
    <>
      <PageHead title="Strategies" lead="Each follows one signal and trades by its own rules.">
        <a class="button" href={href("strategies", ["templates"])}>
          Templates
        </a>
        <a class="button primary" href={href("strategies", ["new"])}>
          New strategy
        </a>
      </PageHead>
      {q === "" && shown?.total === 0 ? null : <Search text={q} />}
      <Loaded query={{ ...query, data: shown }}>
        {({ data, total }) =>
          total === 0 && q === "" ? (
            <Nothing />
          ) : (
            <>
              <div class="bulk-line">
                <SelectAll rows={data} selected={selected} onSelect={select} />
                <BulkBar
                  selected={selected}
                  onClear={() => setSelected(new Set())}
                  onChanged={query.refetch}
                />
              </div>
              <Table
                label="Strategies"
                columns={[
                  ...columns(query.refetch, accounts.data?.data),
                  selection(selected, (id, on) => select([id], on))
                ]}
                rows={data}
                id={({ strategy_id }) => strategy_id}
                sorting={sorting}
                onSort={(next) => setQuery(sortQuery(sorting, next))}
                empty={<Empty title="No strategy, pair or signal matches" />}
              />
              <Pager
                previous={offset > 0}
                next={offset + data.length < total}
                onPrevious={() => setQuery({ from: Math.max(0, offset - ROWS) || undefined })}
                onNext={() => setQuery({ from: offset + ROWS })}
                words={["Previous", "Next"]}
              >
                {`${data.length === 0 ? 0 : offset + 1} to ${offset + data.length} of ${total}`}
              </Pager>
            </>
          )
        }
      </Loaded>
    </>
  )
}

interface Props {
  readonly query: Readonly<Record<string, string>>
}

/** Text sorts ascending at first, numbers descending. */
const sortQuery = (before: Sorting, next: Sorting) => {
  const isNew = before.by !== next.by
  const down = isNew ? next.by !== "name" : next.down
  return { sort: next.by, down: down ? "yes" : undefined, from: undefined }
}

const Search = ({ text }: { text: string }) => {
  const [typed, setTyped] = useState(text)
  useEffect(
    () => (typed === text ? undefined : after(PAUSE_MS, () => setQuery({ q: typed, from: undefined }))),
    [typed, text]
  )
  return (
    <input
      type="search"
      class="list-search"
      aria-label="Search strategies by name, pair or signal"
      placeholder="Name, pair or signal"
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

const columns = (
  refetch: () => void,
  accounts: ReadonlyArray<ExchangeAccount> | undefined
): ReadonlyArray<Column<Line>> => [
  {
    key: "name",
    title: "Name",
    sort: ({ name }) => name,
    cell: (line) => (
      <>
        <a href={href("strategy", [line.strategy_id])}>{line.name}</a>
        {line.public ? (
          <>
            {" "}
            <Badge>public</Badge>
          </>
        ) : null}{" "}
        <span class="badges">
          <TradingBadges of={line.trading} accounts={accounts} />
          <IdleBadges id={line.strategy_id} of={{ ...line, equity: line.summary.ending_equity }} />
        </span>
        <span class="under">{line.signal_name === null ? "No signal" : line.signal_name}</span>
      </>
    )
  },
  {
    key: "active",
    title: "Active",
    cell: ({ active, name, strategy_id }) => (
      <ActiveSwitch id={strategy_id} active={active} label={`${name} is active`} onChanged={refetch} />
    )
  },
  { key: "pairs", title: "Pairs", cell: pairsOf },
  {
    key: "net_pnl",
    title: "Net P&L",
    align: "right",
    sort: ({ summary }) => summary.net_pnl,
    cell: ({ currency, summary }) => <Money value={summary.net_pnl} currency={currency} sign />
  },
  {
    key: "roi_pct",
    title: "ROI",
    align: "right",
    sort: ({ summary }) => summary.roi_pct,
    cell: ({ summary }) => <Percent value={summary.roi_pct} sign />
  },
  {
    key: "drawdown",
    title: "Drawdown, completed",
    align: "right",
    wide: true,
    cell: ({ summary }) => <Percent value={summary.max_drawdown_pct} />
  },
  {
    key: "win_rate",
    title: "Win rate",
    align: "right",
    wide: true,
    cell: ({ summary }) =>
      summary.trade_count === 0 ? "–" : <Percent value={summary.win_rate_pct} digits={1} />
  },
  {
    key: "trade_count",
    title: "Trades",
    align: "right",
    sort: ({ summary }) => summary.trade_count,
    cell: ({ summary }) => <Count value={summary.trade_count} />
  },
  {
    key: "open_positions",
    title: "Open",
    align: "right",
    sort: ({ open_positions }) => open_positions,
    cell: ({ open_positions }) => <Count value={open_positions} />
  }
]

const selection = (
  selected: ReadonlySet<number>,
  onSelect: (id: number, on: boolean) => void
): Column<Line> => ({
  key: "select",
  title: "Select",
  cell: ({ name, strategy_id }) => (
    <label class="select-box">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selected.has(strategy_id)}
        onChange={(event) => onSelect(strategy_id, event.currentTarget.checked)}
      />
    </label>
  )
})

interface SelectAllProps {
  readonly rows: ReadonlyArray<Line>
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: ReadonlyArray<number>, on: boolean) => void
}

const SelectAll = ({ onSelect, rows, selected }: SelectAllProps) => {
  const ids = rows.map(({ strategy_id }) => strategy_id)
  return ids.length < 2 ? null : (
    <label class="select-box">
      <input
        type="checkbox"
        checked={ids.every((id) => selected.has(id))}
        onChange={(event) => onSelect(ids, event.currentTarget.checked)}
      />
      <span>Select all on this page</span>
    </label>
  )
}

const pairsOf = ({ pairs, pairs_total }: Line) => {
  const shown = pairs.slice(0, 3)
  const more = pairs_total - shown.length
  return (
    <span class="pairs" title={pairs.join(", ")}>
      {shown.join(", ")}
      {more > 0 ? <span class="quiet"> and {more} more</span> : null}
    </span>
  )
}

const Nothing = () => (
  <Empty title="No strategy yet">
    <p class="narrow">
      A strategy says how a bot trades: which pairs, how much to buy, when to take profit and when to cut
      losses. It follows a signal, whose alerts tell it when to enter. It trades on paper, with a reason for
      every decision, until you arm it with real money.
    </p>
    <div class="actions">
      <a class="button primary" href={href("strategies", ["new"])}>
        Create a strategy
      </a>
      <a class="button" href={href("strategies", ["templates"])}>
        See the templates
      </a>
      <a class="button" href={href("signals")}>
        Create a signal first
      </a>
    </div>
  </Empty>
)
