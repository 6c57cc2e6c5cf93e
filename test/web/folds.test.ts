// Runs of ignored alerts, folded into one line.
import { expect, test } from "bun:test"
import { folded } from "../../src/web/page/parts/folds.ts"

const row = (id: number, reason?: string) => ({ id, reason })
const fold = (rows: ReadonlyArray<ReturnType<typeof row>>) =>
  folded(
    rows,
    ({ id }) => id,
    ({ reason }) => (reason === undefined ? undefined : [reason])
  ).map((it) => ("row" in it ? it.row.id : `${it.key}: ${it.reasons}`))

test("three ignored alerts in a row and more are one line, with the most frequent reason first", () => {
  const rows = [row(9, "a"), row(8, "b"), row(7, "b"), row(6), row(5, "a"), row(4, "a"), row(3), row(2, "c")]
  expect(fold(rows)).toEqual(["fold 7: b 2, a 1", 6, 5, 4, 3, 2])
  expect(fold([])).toEqual([])
})

test("a fold keeps its name while newer alerts join it, so that an open one stays open", () => {
  const before = fold([row(3, "a"), row(2, "a"), row(1, "a")])
  const after = fold([row(4, "a"), row(3, "a"), row(2, "a"), row(1, "a")])
  expect([before, after]).toEqual([["fold 1: a 3"], ["fold 1: a 4"]])
})
