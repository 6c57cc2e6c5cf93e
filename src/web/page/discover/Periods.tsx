// The periods of a record, newest first, each with its place before or after the publication.
import { Badge } from "../parts/Badge.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count, Moment, Percent, Time } from "../parts/Value.tsx"
import { type Detail, type Period, placeOf } from "./record.ts"
import { ModeBadge } from "./Standings.tsx"

export const Periods = ({ detail: { periods, record } }: { detail: Detail }) => (
  <Panel title="Periods of the record">
    <p class="explain">
      A new period begins with each change between paper and real money, and with each new currency. Earlier
      ones stay. First published <Time at={record.first_published_at} />.
    </p>
    <Table
      label="Periods of the record"
      columns={columnsOf(record.first_published_at)}
      rows={periods}
      id={({ period }) => period}
      most={20}
      empty={<Empty title="No trade was completed yet" />}
    />
  </Panel>
)

const columnsOf = (published: number): ReadonlyArray<Column<Period>> => [
  {
    key: "period",
    title: "Period",
    cell: ({ currency, mode, period }) => (
      <>
        {period} <ModeBadge mode={mode} />
        <span class="under">in {currency}</span>
      </>
    )
  },
  {
    key: "published",
    title: "Against publication",
    cell: (it) => <Place of={it} published={published} />
  },
  { key: "since", title: "Began", align: "right", cell: ({ since }) => <Moment at={since} /> },
  {
    key: "until",
    title: "Last trade",
    align: "right",
    wide: true,
    cell: ({ until }) => <Moment at={until} />
  },
  { key: "trades", title: "Trades", align: "right", cell: ({ trades }) => <Count value={trades} /> },
  {
    key: "return",
    title: "Return",
    align: "right",
    cell: ({ return_pct }) => <Percent value={return_pct} sign />
  },
  {
    key: "drawdown",
    title: "Largest drawdown",
    align: "right",
    wide: true,
    cell: ({ max_drawdown_pct }) => <Percent value={max_drawdown_pct} />
  },
  {
    key: "wins",
    title: "Win rate",
    align: "right",
    cell: ({ win_rate_pct }) => <Percent value={win_rate_pct} digits={1} />
  }
]

const Place = ({ of, published }: { of: Period; published: number }) => {
  switch (placeOf(of, published)) {
    case "before":
      return <Badge tone="warn">all before it</Badge>
    case "during":
      return <Badge tone="accent">published within it</Badge>
    case "after":
      return <Badge tone="good">all after it</Badge>
  }
}
