// The heat map of a sweep: two settings, a figure of a part, and what a cell shows of its combinations. Every value
// stands in its cell as text; blue is better and orange worse, which people with any colour blindness tell apart.
import { useState } from "preact/hooks"
import { shadeOf } from "../../../domain/internal/Shade.ts"
import { SelectField } from "../parts/Field.tsx"
import * as Format from "../parts/format.ts"
import { figureText, labelOf, partOf } from "./figures.ts"
import { type Cell, gridOf, type MapQuery } from "./maps.ts"
import type { SweepData } from "./report.ts"

const SIDES = [
  { side: "row", label: "Down" },
  { side: "column", label: "Across" }
] as const
const MEASURES = [
  { value: "best", label: "the first in train" },
  { value: "mean", label: "the mean of all" }
]

export const HeatMap = ({ data }: { data: SweepData }) => {
  const { fields, figures, maps, parts } = data
  const [first] = maps
  const [query, setQuery] = useState<MapQuery>({
    row: first?.row ?? 0,
    column: first?.column ?? 1,
    figure: data.rank,
    part: parts[0] ?? "train",
    measure: "best"
  })
  if (first === undefined) return <p>A map needs two settings with more than one value each.</p>
  const set = (change: Partial<MapQuery>) => setQuery({ ...query, ...change })
  const places = [...new Set(maps.flatMap(({ column, row }) => [row, column]))].sort((a, b) => a - b)
  const settings = places.map((place) => ({ value: String(place), label: fields[place] ?? "" }))
  return (
    <>
      <div class="map-choice">
        {SIDES.map(({ label, side }) => (
          <SelectField
            key={side}
            name={side}
            label={label}
            value={String(query[side])}
            onValue={(value) => set(placed(query, side, Number(value)))}
            options={settings}
          />
        ))}
        <SelectField
          name="figure"
          label="Figure"
          value={query.figure}
          onValue={(figure) => set({ figure })}
          options={figures.map(({ name }) => ({ value: name, label: labelOf(name) }))}
        />
        {parts.length < 2 ? null : (
          <SelectField
            name="part"
            label="Part"
            value={query.part}
            onValue={(part) => set({ part })}
            options={parts.map((part) => ({ value: part, label: partOf(part) }))}
          />
        )}
        <SelectField
          name="measure"
          label="A cell shows"
          value={query.measure}
          onValue={(measure) => set({ measure: measure === "mean" ? "mean" : "best" })}
          options={MEASURES}
        />
      </div>
      <Map data={data} query={query} />
      <p class="explain">
        {query.measure === "best"
          ? `Each cell shows the one of its combinations that ranks first by ${labelOf(data.rank)} in train, whatever the part.`
          : "Each cell shows the mean of all its combinations."}{" "}
        <span class="scale" aria-hidden="true" /> Orange is worse, blue is better. The framed cell holds the
        first of the ranking.
      </p>
    </>
  )
}

/** Puts a setting on a side. If it is on the other one, the two change places. */
const placed = (query: MapQuery, side: "row" | "column", place: number): Partial<MapQuery> => {
  const other = side === "row" ? "column" : "row"
  return query[other] === place ? { [side]: place, [other]: query[side] } : { [side]: place }
}

const Map = ({ data, query }: { data: SweepData; query: MapQuery }) => {
  const shading = data.figures.find(({ name }) => name === query.figure)
  const grid = gridOf(data, query)
  if (grid === undefined || shading === undefined) return null
  const values = grid.cells.flat().flatMap(({ value }) => (typeof value === "number" ? [value] : []))
  const shade = shadeOf(values, shading)
  const [down, across] = [data.fields[query.row], data.fields[query.column]]
  const label = `${labelOf(query.figure)} in ${partOf(query.part)}: ${down} down, ${across} across`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide map is scrolled with the keyboard too
    <section class="heat-frame" tabIndex={0} aria-label={label}>
      <table class="heat">
        <caption>{label}</caption>
        <thead>
          <tr>
            <td />
            {grid.columns.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map((text, row) => (
            <tr key={text}>
              <th scope="row">{text}</th>
              {grid.cells[row]?.map((cell, column) => (
                <Value
                  key={grid.columns[column]}
                  cell={cell}
                  figure={query.figure}
                  shade={typeof cell.value === "number" ? shade(cell.value) : 1}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Value = ({ cell, figure, shade }: { cell: Cell; figure: string; shade: number }) => {
  const { count, rank, value } = cell
  if (value === undefined) return <td class="none">–</td>
  const title = `${Format.counted(count, "combination")}${rank === null ? "" : `, the first of them ranks ${Format.count(rank)}`}`
  return (
    <td
      class={`${shade < 0 ? "warm" : "cool"}${rank === 1 ? " top" : ""}`}
      style={{ "--shade": Math.abs(shade).toFixed(3) }}
      title={title}
    >
      {figureText(figure, value)}
    </td>
  )
}
