// Prints the heat map of a sweep: numbers in columns, on coloured ground where the terminal shows colours. Blue is better
// and orange worse, which people with any kind of colour blindness tell apart.
import { type Shading, shadeOf } from "../../domain/internal/Shade.ts"
import { valueText } from "../../trading/sweep/SweepGrid.ts"
import {
  cellValue,
  groupText,
  type Layout,
  type Measure,
  mapOf,
  type Part,
  type SweepMap
} from "../../trading/sweep/SweepMap.ts"
import { shadingOf } from "../../trading/sweep/SweepRanking.ts"
import { type Outcome, triedOf } from "./RankedResults.ts"

/** The two settings by their place in the grid, and what a cell shows. */
export interface MapChoice extends Pick<Layout, "row" | "column"> {
  readonly measure: Measure
}

/** Where the map is printed. A terminal has a width, and a long setting is grouped until it fits. */
export interface Screen {
  readonly isColourful: boolean
  readonly width: number | undefined
}

/** The most rows and columns of a printed map. */
const MOST = 64
/** The share of the columns that is tried next where a map is too wide. */
const FINER = 0.8

/** The maps of both parts, or of the only one. */
export const mapsText = (outcome: Outcome, choice: MapChoice, screen: Screen): string => {
  const parts: ReadonlyArray<Part> = outcome.splitAt === undefined ? ["train"] : ["train", "test"]
  return parts.map((part) => mapText(outcome, choice, part, screen)).join("\n\n")
}

const mapText = (outcome: Outcome, choice: MapChoice, part: Part, screen: Screen): string => {
  const { grid, rank } = outcome
  const tried = triedOf(outcome)
  const query = { figure: rank, measure: choice.measure, part }
  const what = choice.measure === "best" ? "the combination that ranks first in train" : "the mean"
  const [down, across] = [grid[choice.row]?.field, grid[choice.column]?.field]
  const title = `${rank} in ${part}, ${what} of each cell: ${down} down, ${across} across`
  for (let mostColumns = MOST; ; mostColumns = Math.floor(mostColumns * FINER)) {
    const map = mapOf(tried, { ...choice, mostRows: MOST, mostColumns })
    const values = map.cells.map((positions) => cellValue(tried, positions, query))
    const table = tableOf(map, values)
    const isFitting = screen.width === undefined || widthOf(table) <= screen.width
    if (!isFitting && mostColumns > 1) continue
    const lines = screen.isColourful ? painted(table, values, shadingOf(rank)) : table.map(joined)
    return [title, ...lines].join("\n")
  }
}

type Values = ReadonlyArray<number | null | undefined>
type Cells = ReadonlyArray<ReadonlyArray<string>>

/** The padded texts: the head first, and each row's label first. */
const tableOf = ({ columns, rows }: SweepMap, values: Values): Cells => {
  const width = columns.length
  const lines = [
    ["", ...columns.map(groupText)],
    ...rows.map((group, row) => [
      groupText(group),
      ...values.slice(row * width, (row + 1) * width).map(figureText)
    ])
  ]
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? []
  return lines.map((line) =>
    line.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
  )
}

const joined = (line: ReadonlyArray<string>): string => line.join("  ").trimEnd()

/** On a terminal each cell has a space at either side. */
const widthOf = ([head = []]: Cells): number => head.reduce((sum, text) => sum + text.length + 2, -2)

/** Four digits are what a heat map is read by. */
const figureText = (value: number | null | undefined): string => {
  if (value === null) return "no loss"
  return value === undefined ? "-" : valueText(Number(value.toPrecision(4)))
}

/** ANSI's 256 colours from the pivot outwards; black text is legible on all of them. */
const BETTER = [195, 153, 117, 75, 33]
const WORSE = [230, 223, 216, 209, 208]
const EVEN = 254
const BLACK = 16

const painted = ([head = [], ...body]: Cells, values: Values, shading: Shading): ReadonlyArray<string> => {
  const shade = shadeOf(
    values.filter((value) => typeof value === "number"),
    shading
  )
  const rows = body.map(([label = "", ...cells], row) => {
    const grounds = cells.map((text, at) => {
      const value = values[row * cells.length + at]
      if (value === undefined) return ` ${text} `
      return onGround(` ${text} `, groundOf(value === null ? 1 : shade(value)))
    })
    return `${label} ${grounds.join("")}`
  })
  return [joined(head), ...rows, legend()]
}

const groundOf = (shade: number): number => {
  const colours = shade > 0 ? BETTER : WORSE
  const step = Math.min(colours.length - 1, Math.floor(Math.abs(shade) * colours.length))
  return shade === 0 ? EVEN : (colours[step] ?? EVEN)
}

const onGround = (text: string, ground: number): string =>
  `\u001b[48;5;${ground};38;5;${BLACK}m${text}\u001b[0m`

const legend = (): string => {
  const blocks = [...WORSE.toReversed(), EVEN, ...BETTER].map((colour) => `\u001b[38;5;${colour}m█`)
  return `worse ${blocks.join("")}\u001b[0m better`
}
