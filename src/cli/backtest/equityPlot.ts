// The equity of a back-test as a small plot, for a terminal: marked to the market, beside buying and holding.
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { CYAN, GREY, plot } from "../program/plot.ts"
import { moment } from "../program/table.ts"

const HEIGHT = 9
const MOST_COLUMNS = 120
/** For a terminal that does not tell its width. */
const USUAL_COLUMNS = 80

/** The plot with its legend; times of the points in ms. Empty where there is nothing to see. */
export const equityPlot = (points: ReadonlyArray<EquityPoint>, currency: string, columns: number): string => {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first[0] === last[0]) return ""
  const held = points.flatMap(([at, , , value]) => (value === null ? [] : [{ at, value }]))
  const lines = plot(
    [
      { points: points.map(([at, value]) => ({ at, value })), colour: CYAN },
      { points: held, colour: GREY }
    ],
    {
      width: Math.min(columns || USUAL_COLUMNS, MOST_COLUMNS),
      height: HEIGHT,
      format: (value) => String(Number(value.toPrecision(6)))
    }
  )
  const words = `equity in ${currency}, marked at the close of each candle${held.length === 0 ? "" : "; dotted: buy and hold"}`
  return ["", ...lines, `${moment(first[0] / 1000)} to ${moment(last[0] / 1000)} (UTC): ${words}`].join("\n")
}
