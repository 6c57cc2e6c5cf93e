// Which settings a what-if changes, with both values as texts.
import * as Decimal from "../../domain/Decimal.ts"
import { tradingRows } from "../../domain/directory/Differences.ts"
import { shown } from "../../domain/requests/StrategyRequest.ts"
import type { Settings } from "../../domain/Strategy.ts"

/** A changed setting by its name in requests. An empty text is a setting without a value. */
export interface SettingChange {
  readonly setting: string
  readonly from: string
  readonly to: string
}

/** The longest text of a value, in characters: lists of pairs are long. */
const MAX_TEXT = 200

/** The settings that differ, in the sequence of a request, but for those that decide nothing about a trade. */
export const changesOf = (present: Settings, changed: Settings): ReadonlyArray<SettingChange> =>
  tradingRows.flatMap((row) => {
    const [from, to] = [shown(row, present), shown(row, changed)]
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    return [{ setting: row.request, from: textOf(from), to: textOf(to) }]
  })

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "boolean") return value ? "on" : "off"
  if (typeof value === "number") return Decimal.toText(Decimal.fromNumber(value))
  const text = Array.isArray(value) ? value.map(entryText).join("; ") : String(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** An exchange with its pairs, or a step of the take profit. */
const entryText = (entry: unknown): string => {
  const fields = new Map(Object.entries(Object(entry)))
  const pairs = fields.get("coin_pairs")
  return Array.isArray(pairs)
    ? `${fields.get("exchange_name")}: ${pairs.join(", ")}`
    : `${fields.get("profit_percent")} %: ${fields.get("close_percent")} %`
}

/**
 * All settings that decide about a trade as one text: two strategies with the same text trade alike.
 */
export const identityOf = (settings: Settings): string =>
  JSON.stringify(tradingRows.map((row) => [row.request, shown(row, settings)]))
