// The report of a sweep: how much of the ranking may be luck, a heat map of two settings, train against test, the ranking,
// and everything that is needed to run it again.
import { RulePanel } from "../backtest/RulePanel.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { figureText, labelOf } from "./figures.ts"
import { HeatMap } from "./HeatMap.tsx"
import { Lines } from "./Lines.tsx"
import { RunAgain } from "./RunAgain.tsx"
import type { SweepData, SweepRow } from "./report.ts"
import { Scatter } from "./Scatter.tsx"

export const Sweep = ({ data }: { data: SweepData }) => (
  <>
    <Panel title="How much may be luck">
      <Lines of={data.caution} />
    </Panel>
    <Panel title="Map of two settings">
      <HeatMap data={data} />
    </Panel>
    {data.dots.length < 2 ? null : (
      <Panel title="Train against test">
        <Scatter
          dots={data.dots}
          name={labelOf(data.rank)}
          format={(value) => figureText(data.rank, value)}
        />
        <p class="explain">
          {data.dots.length < data.ran
            ? `${Format.count(data.dots.length)} of ${Format.count(data.ran)} combinations, evenly from the whole ranking.`
            : "Every combination with a figure in both parts."}{" "}
          The large dot is the first of train. Where the dots do not rise to the right, train tells nothing
          about test.
        </p>
      </Panel>
    )}
    <Ranking data={data} />
    {data.rule === undefined ? null : <RulePanel rule={data.rule} title="Rule of the first place" />}
    <GridPanel of={data} />
    <RunAgain settings={data.settings} candles={data.candles} />
  </>
)

interface Ranked extends SweepRow {
  readonly rank: number
}

/** Rows to show at first. */
const MOST = 25

const Ranking = ({ data }: { data: SweepData }) => {
  const rows = data.rows.map((row, index): Ranked => ({ ...row, rank: index + 1 }))
  return (
    <Panel title="Ranking">
      <p class="explain">
        By {labelOf(data.rank)} in train
        {rows.length < data.ran
          ? `: the first ${Format.count(rows.length)} of ${Format.count(data.ran)}. --csv and --json have all.`
          : "."}
      </p>
      <Table label="Ranking" columns={columnsOf(data)} rows={rows} id={({ rank }) => rank} most={MOST} />
    </Panel>
  )
}

/** The figures that a phone shows beside the ranking's own. */
const ON_PHONES: ReadonlySet<string> = new Set(["max_drawdown_pct", "trade_count"])

const columnsOf = ({ fields, parts, shown }: SweepData): ReadonlyArray<Column<Ranked>> => [
  { key: "rank", title: "Rank", cell: ({ rank }) => Format.count(rank), sort: ({ rank }) => rank },
  ...fields.map(
    (field, place): Column<Ranked> => ({
      key: `field ${field}`,
      title: field,
      cell: ({ values }) => values[place] ?? "",
      sort: ({ values }) => sortable(values[place] ?? "")
    })
  ),
  ...shown.flatMap((figure, place) =>
    parts.map((part, at): Column<Ranked> => {
      const value = ({ figures }: Ranked) => figures[at * shown.length + place] ?? null
      return {
        key: `${figure} ${part}`,
        title: `${labelOf(figure)}, ${part}`,
        align: "right",
        wide: place > 0 && !ON_PHONES.has(figure),
        cell: (row) => <span class="number">{figureText(figure, value(row))}</span>,
        sort: (row) => value(row) ?? (figure === "profit_factor" ? Infinity : null)
      }
    })
  )
]

/** Numbers sort as such, steps and words as text. */
export const sortable = (text: string): number | string => {
  const value = Number(text)
  return text === "" || Number.isNaN(value) ? text : value
}

interface Axis {
  readonly field: string
  readonly values: string
}

/** The grid: each setting with its values. */
export const GridPanel = ({ of }: { of: Pick<SweepData, "fields" | "values"> }) => (
  <Panel title="Grid">
    <Table label="Grid" columns={AXES} rows={axesOf(of)} id={({ field }) => field} />
  </Panel>
)

const axesOf = ({ fields, values }: Pick<SweepData, "fields" | "values">): ReadonlyArray<Axis> =>
  fields.map((field, place) => ({ field, values: values[place] ?? "" }))

const AXES: ReadonlyArray<Column<Axis>> = [
  { key: "field", title: "Setting", cell: ({ field }) => field },
  { key: "values", title: "Values", cell: ({ values }) => values }
]
