// The rows of the live table: the settings that lead so far, by train only. Test stays out of sight until the end.
import { type Figure, placeOf } from "../../trading/sweep/SweepFigures.ts"
import { combination, type Grid, valueText } from "../../trading/sweep/SweepGrid.ts"
import { score } from "../../trading/sweep/SweepRanking.ts"
import { columns } from "../program/table.ts"
import { OVERRUN_LATER, PLACE_WIDTH, type Run } from "./Job.ts"

/** Rows of the table. */
const MOST = 5

/** The table as lines; of several stretches the first of each, of the newest ones. */
export const leaderRows = (grid: Grid, run: Run, rank: Figure): ReadonlyArray<string> => {
  const places = run.stretches.length > 1 ? firstOfEach(run, rank) : leaders(run, run.places, rank)
  if (places.length === 0) return []
  const figures = [rank, ...BESIDE.filter((figure) => figure !== rank)]
  const many = run.stretches.length > 1
  const each = run.board.indexes.length / run.stretches.length
  const head = [
    many ? "stretch" : "#",
    ...grid.map(({ field }) => field),
    ...figures.map((name) => `train_${name}`)
  ]
  const rows = places.map((place, position) => [
    String(many ? Math.floor(place / each) + 1 : position + 1),
    ...combination(grid, run.board.indexes[place] ?? 0).map((value) => valueText(value) || "-"),
    ...figures.map((figure) => shown(run.results[place * PLACE_WIDTH + placeOf(figure)] ?? Number.NaN))
  ])
  return columns(head, rows).split("\n")
}

const BESIDE: ReadonlyArray<Figure> = ["max_drawdown_pct", "trade_count"]

const shown = (value: number): string => (Number.isNaN(value) ? "-" : valueText(value))

const firstOfEach = (run: Run, rank: Figure): ReadonlyArray<number> => {
  const each = run.places.length / run.stretches.length
  const found: Array<number> = []
  for (let stretch = run.stretches.length - 1; stretch >= 0 && found.length < MOST; stretch--) {
    const [first] = leaders(run, run.places.subarray(stretch * each, (stretch + 1) * each), rank)
    if (first !== undefined) found.unshift(first)
  }
  return found
}

/** The best places that are done, at most `MOST`. */
const leaders = ({ board, results }: Run, places: Uint32Array, rank: Figure): ReadonlyArray<number> => {
  const top: Array<{ readonly place: number; readonly score: number }> = []
  for (const place of places) {
    const code = board.broken[place]
    if (Atomics.load(board.done, place) === 0 || (code !== 0 && code !== OVERRUN_LATER)) continue
    const at = place * PLACE_WIDTH
    const own = score(rank, {
      figure: results[at + placeOf(rank)] ?? 0,
      trades: results[at + placeOf("trade_count")] ?? 0
    })
    if (top.length === MOST && own <= (top[MOST - 1]?.score ?? 0)) continue
    const behind = top.findIndex((other) => own > other.score)
    top.splice(behind === -1 ? top.length : behind, 0, { place, score: own })
    if (top.length > MOST) top.pop()
  }
  return top.map(({ place }) => place)
}
