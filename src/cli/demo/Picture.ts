// The demo's picture for a terminal: the closed equity of each strategy over the day, and the colours of its lines.
import { CYAN, type Point, plot } from "../program/plot.ts"

const BOLD = 1
const GREEN = 32
const RED = 31
const HEIGHT = 5
/** The widest picture, in characters. */
const MAX_WIDTH = 100

/** Text in a colour or in bold. Where nobody wants colours, `plainWhenPiped` removes them. */
const painted = (code: number, text: string): string => `\u001b[${code}m${text}\u001b[0m`

/** A heading. */
export const heading = (text: string): string => painted(BOLD, text)

/** A line about a result, green if something was earned and red if something was lost. */
export const result = (net: number, text: string): string => {
  if (net === 0) return text
  return painted(net > 0 ? GREEN : RED, text)
}

/** The part of a strategy's result that the picture shows. Times in ms. */
interface Figures {
  readonly summary: { readonly starting_equity: number }
  readonly trades: ReadonlyArray<{
    readonly opened_at: number
    readonly closed_at: number
    readonly pnl: string
  }>
}

/** A strategy's equity after each closed trade; nothing without one. */
export const equity = ({ summary, trades }: Figures, terminalWidth: number): ReadonlyArray<string> => {
  const [first] = trades
  if (first === undefined) return []
  let value = summary.starting_equity
  const points: Array<Point> = [{ at: first.opened_at, value }]
  for (const { closed_at, pnl } of trades) {
    value += Number(pnl)
    points.push({ at: closed_at, value })
  }
  const frame = { width: Math.min(terminalWidth, MAX_WIDTH) - 2, height: HEIGHT, format: inWhole }
  return plot([{ points, colour: CYAN }], frame).map((line) => `  ${line}`)
}

const inWhole = (value: number): string => value.toFixed(0)
