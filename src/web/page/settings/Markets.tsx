// Settings, Exchanges: the markets of one exchange, searched by their pair on the server.
import { useEffect, useState } from "preact/hooks"
import { call } from "../client.ts"
import { after } from "../clock.ts"
import { Badge } from "../parts/Badge.tsx"
import { SelectField, TextField } from "../parts/Field.tsx"
import { count } from "../parts/format.ts"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { toast } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import type { PageProps } from "../routes.ts"
import type { Answer } from "../wire.ts"
import { Exact } from "./Exact.tsx"
import { Toggle } from "./Toggle.tsx"

type Market = Answer<"operator", "markets">["data"][number]
type Change = Partial<Pick<Market, "active" | "buy_enabled">>

/** The search begins after this pause in typing. */
const PAUSE_MS = 250
const FEW = 10
const MANY = 500
/** The longest search that the server accepts. */
const MAX_SEARCH = 41

interface Props {
  readonly operator: boolean
  readonly exchanges: ReadonlyArray<string>
  readonly query: PageProps["query"]
}

export const Markets = ({ operator, exchanges, query }: Props) => {
  const exchange = query["exchange"] ?? exchanges[0]
  const search = (query["search"] ?? "").slice(0, MAX_SEARCH)
  const [text, setText] = useState(search)
  const [limit, setLimit] = useState(FEW)
  useEffect(() => (text === search ? undefined : after(PAUSE_MS, () => setQuery({ search: text }))), [text])
  const markets = useQuery(
    exchange === undefined ? null : `market switches ${exchange} ${limit} ${search}`,
    (signal) => call("operator", "markets", { signal, urlParams: { exchange, search, limit: String(limit) } })
  )
  const set = async (market: Market, change: Change) => {
    const { exchange, kind, pair } = market
    const { data } = await call("operator", "switchMarket", { payload: { exchange, pair, kind, ...change } })
    const [now = market] = data
    const isClosed = change.active === true && !now.active
    toast(
      isClosed ? `${exchange} itself has closed ${nameOf(now)}.` : marketText(now),
      isClosed ? "bad" : "good"
    )
    markets.refetch()
    return now
  }
  return (
    <Panel title="Markets" actions={<GuidePage page="running#markets">More about markets</GuidePage>}>
      <p class="explain">
        While a market or its buying is off, new and changed strategies cannot use it, and bots open no
        positions on it. Open positions keep their exits. A market that its exchange has closed is off too.
      </p>
      <div class="filters">
        <SelectField
          label="Exchange"
          name="exchange"
          value={exchange ?? ""}
          onValue={(chosen) => setQuery({ exchange: chosen })}
          options={exchanges.map((name) => ({ value: name, label: name }))}
        />
        <TextField
          label="Find a market"
          name="search"
          type="search"
          placeholder="BTC, /EUR, ETH/USDT"
          maxLength={MAX_SEARCH}
          value={text}
          onValue={setText}
        />
      </div>
      {exchange === undefined ? null : (
        <Loaded query={markets}>
          {({ data, total }) => (
            <>
              <p class="explain" role="status">
                {total > data.length
                  ? `${count(data.length)} of ${count(total)} markets: type to find others.`
                  : `${count(total)} ${total === 1 ? "market" : "markets"}.`}
              </p>
              <Table
                label={`Markets of ${exchange}`}
                columns={columnsOf(operator, set)}
                rows={data}
                id={({ kind, pair }) => `${pair} ${kind}`}
                empty={<Empty title={`${exchange} has no market that matches`} />}
              />
              {total > data.length && limit < MANY ? (
                <div class="actions">
                  <button type="button" class="button" onClick={() => setLimit(MANY)}>
                    Show {total > MANY ? `the first ${MANY}` : `all ${total}`}
                  </button>
                </div>
              ) : null}
            </>
          )}
        </Loaded>
      )}
    </Panel>
  )
}

const nameOf = ({ kind, pair }: Market) => `${pair} ${KINDS[kind]}`
const KINDS: Readonly<Record<Market["kind"], string>> = { spot: "spot", swap: "perpetual" }

const marketText = (it: Market): string =>
  `${nameOf(it)} on ${it.exchange}: ${it.active ? (it.buy_enabled ? "on" : "on, but closed for buying") : "off"}.`

const columnsOf = (
  operator: boolean,
  set: (market: Market, change: Change) => Promise<Market>
): ReadonlyArray<Column<Market>> => [
  {
    key: "pair",
    title: "Market",
    sort: nameOf,
    cell: (it) => (
      <span class="badges">
        <span>{it.pair}</span>
        <Badge tone={it.kind === "spot" ? "plain" : "accent"}>{KINDS[it.kind]}</Badge>
      </span>
    )
  },
  {
    key: "active",
    title: "Strategies may use it",
    sort: ({ active }) => (active ? 1 : 0),
    cell: (it) => (
      <Toggle
        on={it.active}
        label={`strategies may use ${nameOf(it)}`}
        disabled={!operator}
        onSwitch={async (active) => (await set(it, { active })).active}
      />
    )
  },
  {
    key: "buy",
    title: "Bots may buy",
    sort: (it) => (it.buy_enabled ? 1 : 0),
    cell: (it) => (
      <Toggle
        on={it.buy_enabled}
        label={`bots may buy on ${nameOf(it)}`}
        disabled={!operator}
        onSwitch={async (on) => (await set(it, { buy_enabled: on })).buy_enabled}
      />
    )
  },
  figure("Price step", ({ price_step }) => price_step),
  figure("Amount step", ({ amount_step }) => amount_step),
  figure("Minimum amount", ({ min_amount }) => min_amount),
  figure("Minimum cost", ({ min_cost }) => min_cost)
]

function figure(title: string, of: (market: Market) => number): Column<Market> {
  return { key: title, title, align: "right", sort: of, cell: (it) => <Exact value={of(it)} /> }
}
