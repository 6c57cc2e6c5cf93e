// The report of a walk forward: what may be luck, the joined record of the tests, its stretches with what was chosen on each,
// how stable the choices are, and everything that is needed to run it again.
import { MarkedCurve } from "../figures/MarkedCurve.tsx"
import { MarkedFigures } from "../figures/MarkedFigures.tsx"
import * as Format from "../parts/format.ts"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count, Money, Percent, Time } from "../parts/Value.tsx"
import { figureText, labelOf } from "./figures.ts"
import { Lines } from "./Lines.tsx"
import { RunAgain } from "./RunAgain.tsx"
import type { WalkData, WalkRow, WalkStability } from "./report.ts"
import { GridPanel, sortable } from "./Sweep.tsx"

export const Walk = ({ data }: { data: WalkData }) => (
  <>
    <Panel title="What it comes to">
      <Lines of={data.lines} />
    </Panel>
    <Panel title="Joined record of the tests">
      <MarkedCurve points={data.points} currency={data.currency} explain={JOINED} />
    </Panel>
    <Kept data={data} />
    <MarkedFigures figures={{ currency: data.currency, marked: data.marked }} />
    <Panel title="Stretches">
      <p class="explain">
        Each was traded with the settings that rank first by {labelOf(data.rank)} in its train. The return is
        that of the joined record, open positions included.
      </p>
      <Table
        label="Stretches"
        columns={columnsOf(data)}
        rows={data.rows}
        id={({ test_from }) => test_from}
        most={MOST}
      />
    </Panel>
    <Panel title="How stable the settings are">
      <p class="explain">
        A setting that is chosen anew all the time follows noise, and its next choice is no better founded.
      </p>
      <Table
        label="How stable the settings are"
        columns={STABILITY}
        rows={data.stability}
        id={({ field }) => field}
      />
    </Panel>
    <GridPanel of={data} />
    <RunAgain settings={data.settings} candles={data.candles} />
  </>
)

const JOINED =
  "Equity marked to the market, of the tests only, one after the other: each began with what the one before it left, and without a position. Below, the drawdown from the highest equity so far."

/** Rows to show at first. */
const MOST = 25

const Kept = ({ data }: { data: WalkData }) => (
  <Panel title="What is kept of train">
    <Figures>
      <Figure label="Efficiency" note="return of a day in test over that in train">
        <Percent value={data.efficiency_pct} digits={1} />
      </Figure>
      <Figure label="A day in train" note="of the chosen settings">
        <Percent value={data.train_per_day_pct} sign digits={4} />
      </Figure>
      <Figure label="A day in test" note="of the same settings">
        <Percent value={data.test_per_day_pct} sign digits={4} />
      </Figure>
    </Figures>
  </Panel>
)

const columnsOf = ({ currency, fields, rank }: WalkData): ReadonlyArray<Column<WalkRow>> => [
  {
    key: "from",
    title: "Test from",
    cell: ({ test_from }) => <Time at={test_from} />,
    sort: ({ test_from }) => test_from
  },
  { key: "to", title: "Test to", wide: true, cell: ({ test_to }) => <Time at={test_to} /> },
  { key: "train", title: "Train from", wide: true, cell: ({ train_from }) => <Time at={train_from} /> },
  ...fields.map(
    (field, place): Column<WalkRow> => ({
      key: `field ${field}`,
      title: field,
      cell: ({ values }) => values[place] ?? "",
      sort: ({ values }) => sortable(values[place] ?? "")
    })
  ),
  ...(["train", "test"] as const).map(
    (part): Column<WalkRow> => ({
      key: `rank ${part}`,
      title: `${labelOf(rank)}, ${part}`,
      align: "right",
      wide: true,
      cell: (row) => <span class="number">{figureText(rank, row[part])}</span>,
      sort: (row) => row[part]
    })
  ),
  {
    key: "return",
    title: "Return",
    align: "right",
    cell: ({ return_pct }) => <Percent value={return_pct} sign />,
    sort: ({ return_pct }) => return_pct
  },
  {
    key: "trades",
    title: "Trades",
    align: "right",
    cell: ({ trades }) => <Count value={trades} />,
    sort: ({ trades }) => trades
  },
  {
    key: "ending",
    title: "Equity",
    align: "right",
    wide: true,
    cell: ({ ending }) => <Money value={ending} currency={currency} />,
    sort: ({ ending }) => ending
  }
]

const STABILITY: ReadonlyArray<Column<WalkStability>> = [
  { key: "field", title: "Setting", cell: ({ field }) => field },
  { key: "value", title: "Most often", cell: ({ value }) => value },
  {
    key: "share",
    title: "Of the stretches",
    align: "right",
    cell: ({ share_pct }) => <Percent value={share_pct} digits={1} />,
    sort: ({ share_pct }) => share_pct
  },
  {
    key: "values",
    title: "Different values",
    align: "right",
    cell: ({ values }) => Format.count(values),
    sort: ({ values }) => values
  },
  {
    key: "changes",
    title: "Changes",
    align: "right",
    cell: ({ changes }) => Format.count(changes),
    sort: ({ changes }) => changes
  }
]
