// Prints a table of all comparisons with an oracle's folder; fails if one is out of its tolerance.
import { columnsOf, type Row, spotsOf } from "./columns.ts"
import { signalsOf } from "./signals.ts"

/** Holds our indicators against a folder of values. Gives the exit code. */
export const indicators = async (folder: string): Promise<number> => {
  const rows = [
    ...(await columnsOf(folder, "tradingview.json.gz")),
    ...(await columnsOf(folder, "stock-indicators.json.gz")),
    ...(await columnsOf(folder, "lean.json.gz")),
    ...(await spotsOf(folder, "ta-lib.json.gz")),
    ...(await signalsOf(folder))
  ]
  for (const row of rows) console.log(lineOf(row))
  const failed = rows.filter(({ ok }) => !ok).length
  const compared = rows.reduce((sum, row) => sum + row.compared, 0)
  console.log(`${rows.length} comparisons of ${compared} values: ${failed} failed`)
  return failed === 0 ? 0 : 1
}

const lineOf = ({ compared, file, note, ok, table, what, worst }: Row): string =>
  [
    ok ? "ok  " : "FAIL",
    file.padEnd(32),
    table.padEnd(22),
    what.padEnd(46),
    String(compared).padStart(6),
    worst.toExponential(1).padStart(9),
    note
  ].join(" ")
