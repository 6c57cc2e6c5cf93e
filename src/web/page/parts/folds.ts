// Folds runs of ignored alerts in a list, so that what acted can be seen among thousands. Pure.

/** Fewer than this in a row stay as they are. */
const LEAST = 3

/** A row, or a run of rows whose alerts were all ignored. */
export type Folded<Row> =
  | { readonly row: Row; readonly key: string | number }
  | { readonly ignored: ReadonlyArray<Row>; readonly key: string | number; readonly reasons: string }

/** Folds the rows. `reasonsOf` gives the reasons of a row that was only ignored, and nothing for every other row. */
export const folded = <Row>(
  rows: ReadonlyArray<Row>,
  idOf: (row: Row) => string | number,
  reasonsOf: (row: Row) => ReadonlyArray<string> | undefined
): ReadonlyArray<Folded<Row>> => {
  const all: Array<Folded<Row>> = []
  let run: Array<Row> = []
  const end = () => {
    const [first] = run
    if (first !== undefined && run.length >= LEAST)
      // The oldest of a run stays when newer ones join it, so an open run stays open.
      all.push({ ignored: run, key: `fold ${idOf(run.at(-1) ?? first)}`, reasons: countsOf(run, reasonsOf) })
    else for (const row of run) all.push({ row, key: idOf(row) })
    run = []
  }
  for (const row of rows) {
    if (reasonsOf(row) !== undefined) run.push(row)
    else {
      end()
      all.push({ row, key: idOf(row) })
    }
  }
  end()
  return all
}

/** "below_min_profit 30, no_position 7", the most frequent first. */
const countsOf = <Row>(
  rows: ReadonlyArray<Row>,
  reasonsOf: (row: Row) => ReadonlyArray<string> | undefined
): string => {
  const counts = new Map<string, number>()
  for (const reason of rows.flatMap((row) => reasonsOf(row) ?? []))
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const most = [...counts].sort(([, one], [, other]) => other - one)
  return most.map(([reason, count]) => `${reason} ${count}`).join(", ")
}
