// The open positions of all strategies, with the price levels that their rules wait for.
import type { ExchangeAccount } from "../accounts.ts"
import { HandButtons } from "../byHand/HandButtons.tsx"
import { Badge } from "../parts/Badge.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { MoneyBadge } from "../parts/TradingBadges.tsx"
import { Amount, Money, Percent, Price, Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import type { Glance } from "./Glance.ts"

type Position = Glance["positions"][number]
type Level = Position["levels"][number]

const columnsOf = (
  accounts: ReadonlyArray<ExchangeAccount> | undefined,
  refetch: () => void
): ReadonlyArray<Column<Position>> => [
  {
    key: "strategy",
    title: "Strategy",
    cell: (it) => (
      <>
        <a href={href("strategy", [it.strategy_id])}>{it.strategy_name}</a>{" "}
        <MoneyBadge account={it.account} accounts={accounts} />
      </>
    ),
    sort: (it) => it.strategy_name
  },
  {
    key: "pair",
    title: "Market",
    cell: (it) => (
      <span class="market">
        <span class="strong">{it.pair}</span>{" "}
        <Badge tone={it.side === "long" ? "plain" : "accent"}>{it.side}</Badge>{" "}
        <span class="quiet">
          {it.exchange}
          {it.kind === "spot" ? "" : " perpetual"}
        </span>
        {it.is_ordering ? <Badge tone="warn">order in flight</Badge> : null}
        {it.is_astray ? <Badge tone="bad">not at exchange</Badge> : null}
      </span>
    ),
    sort: (it) => it.pair
  },
  {
    key: "value",
    title: "Held",
    align: "right",
    cell: (it) => (
      <span class="two">
        <Amount value={it.quantity} />
        <span class="quiet">
          <Money value={it.value} currency={quoteOf(it)} />
        </span>
      </span>
    ),
    sort: (it) => it.value
  },
  {
    key: "price",
    title: "Price",
    align: "right",
    cell: (it) => (
      <span class="two">
        <Price value={it.price} />
        <span class="quiet">
          from <Price value={it.average} />
        </span>
      </span>
    )
  },
  {
    key: "pnl",
    title: "P&L",
    align: "right",
    cell: (it) =>
      it.pnl === null ? (
        <span class="quiet">no price yet</span>
      ) : (
        <span class="two">
          <Money value={it.pnl} currency={quoteOf(it)} sign />
          <Percent value={it.profit_pct} sign />
        </span>
      ),
    sort: (it) => it.profit_pct
  },
  { key: "levels", title: "Waits for", cell: (it) => <Levels of={it} /> },
  {
    key: "opened",
    title: "Opened",
    align: "right",
    cell: (it) => <Time at={it.opened_at} relative />,
    sort: (it) => it.opened_at
  },
  {
    key: "hand",
    title: "By hand",
    cell: ({ exchange, kind, levels, pair, strategy_id }) => (
      <HandButtons market={{ strategy_id, exchange, pair, kind }} levels={levels} onDone={refetch} />
    )
  }
]

/** Rows to show before "Show all". */
const AT_ONCE = 40

export const Positions = ({
  positions,
  accounts,
  refetch,
  total
}: {
  positions: ReadonlyArray<Position>
  accounts: ReadonlyArray<ExchangeAccount> | undefined
  refetch: () => void
  total: number
}) => (
  <Panel title={total === 0 ? "Open positions" : `Open positions (${total})`}>
    <Table
      label="Open positions"
      most={AT_ONCE}
      columns={columnsOf(accounts, refetch)}
      rows={positions}
      id={(it) => `${it.strategy_id} ${it.exchange} ${it.pair} ${it.kind} ${it.side}`}
      empty={
        <Empty title="No position is open">
          <p>An entry alert to a signal that an active strategy follows opens one.</p>
        </Empty>
      }
    />
    {total > positions.length ? (
      <p class="quiet">The latest {positions.length} are shown; each strategy’s page has all of its own.</p>
    ) : null}
  </Panel>
)

const quoteOf = ({ pair }: Position): string => pair.replace(/^.*\//, "")

const RULES: Readonly<Record<Level["rule"], string>> = {
  stop_loss: "Stop",
  sl: "Stop",
  break_even: "Break even",
  take_profit: "Target",
  tp: "Target",
  trailing_arm: "Arms",
  trailing_sell: "Trail",
  dca: "DCA",
  liquidation: "Liquidation",
  trailing_buy: "Entry"
}

const Levels = ({ of }: { of: Position }) =>
  of.levels.length === 0 && of.closes_at === null && of.stop === null ? (
    <span class="quiet">an alert</span>
  ) : (
    <span class="levels">
      {of.levels.map(({ price, rule, step }) => (
        <span key={`${rule} ${price}`} class="number">
          <span class="quiet">{step === null ? RULES[rule] : `Step ${step.number}/${step.count}`}</span>{" "}
          {Format.price(price)}
        </span>
      ))}
      {of.stop === null ? null : (
        <span class="number">
          <span class="quiet">At exchange</span> {Format.price(of.stop.price)}
        </span>
      )}
      {of.closes_at === null ? null : (
        <span>
          <span class="quiet">Closes</span> <Time at={of.closes_at} relative />
        </span>
      )}
    </span>
  )
