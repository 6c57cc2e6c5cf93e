// Which settings of two strategies differ, field by field. Names, texts, visibility and whether it is active are the
// owner's own: they differ between a copy and its original, and change nothing about a record.
import { held } from "../requests/StrategyRequest.ts"
import { type Row, rows } from "../requests/StrategyView.ts"
import type { Settings } from "../Strategy.ts"

const OWN: ReadonlySet<string> = new Set(["name", "description", "active", "public", "display_name"])

/** The fields that decide how a strategy trades. */
export const tradingRows: ReadonlyArray<Row> = rows.filter(({ model }) => !OWN.has(model))

/** The rows in which two settings differ. */
export const differences = (one: Settings, other: Settings): ReadonlyArray<Row> =>
  tradingRows.filter((row) => !isSame(row, one, other))

/** Whether a bot can act otherwise with the other settings. */
export const actsOtherwise = (one: Settings, other: Settings): boolean =>
  one.active !== other.active || differences(one, other).length > 0

/** Whether two settings have the same value in a row. */
export const isSame = (row: Row, one: Settings, other: Settings): boolean =>
  JSON.stringify(held(row, one)) === JSON.stringify(held(row, other))
