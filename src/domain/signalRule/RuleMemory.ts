// How much memory a rule takes at work: numbers that it keeps for each of its markets. Equal parts are counted once, as
// they are computed once.
import type { Checked } from "../expression/Checked.ts"
import type { IndicatorName } from "../expression/Functions.ts"
import type { CheckedRule } from "./SignalRule.ts"

/** The most numbers that a rule keeps, over all of its entries and markets: 64 MB. */
export const MAX_HELD = 8_000_000

/** Numbers that a rule keeps whatever it says: the candles' times and prices, and whether it is warm. */
const BASE = 160
/** Numbers that every part keeps, whatever it is: its newest values, and the state of what computes it. */
const EACH = 48
/** Series that a function is made of, at most. */
const SERIES = 4
/** Windows of a function of several series, in lengths. */
const WINDOWS: Readonly<Partial<Record<IndicatorName, number>>> = {
  ...{ sma: 3, wma: 3, stdev: 3, bb: 6, cci: 5, mfi: 6, donchian: 4, stoch: 4 },
  ...{ highest: 2, lowest: 2, rising: 3, falling: 3, roc: 4, mom: 4, change: 4 }
}

/** Numbers that a rule keeps for one market, at most. */
export const heldBy = (rule: CheckedRule): number => {
  const known = new Map<string, number>()
  const count: Count = { held: BASE }
  for (const { amounts, when } of rule.entries)
    for (const part of [when, ...amounts.map(({ value }) => value)]) visit(part, known, count)
  return count.held
}

interface Count {
  held: number
}

/** The id of a part; one that is new is counted. */
const visit = (part: Checked, known: Map<string, number>, count: Count): number => {
  const key = keyOf(part, (inner) => visit(inner, known, count))
  const found = known.get(key)
  if (found !== undefined) return found
  known.set(key, known.size)
  count.held += heldAlone(part)
  return known.size - 1
}

const heldAlone = (part: Checked): number => {
  if (part._tag === "History") return EACH + 2 * part.rows
  if (part._tag === "Request") return EACH * 8
  if (part._tag !== "Call") return EACH
  const longest = Math.max(0, ...part.inputs.map((it) => (it._tag === "Constant" ? Math.abs(it.value) : 0)))
  const windows = WINDOWS[part.function] ?? 0
  return EACH * SERIES + windows * (Number.isFinite(longest) ? longest + 1 : 0)
}

const keyOf = (part: Checked, idOf: (inner: Checked) => number): string => {
  switch (part._tag) {
    case "Constant":
      return `#${part.value}`
    case "Price":
      return part.name
    case "Negative":
    case "Not":
      return `${part._tag} ${idOf(part.of)}`
    case "Binary":
      return `${idOf(part.left)} ${part.operator} ${idOf(part.right)}`
    case "Conditional":
      return `${idOf(part.condition)} ? ${idOf(part.then)} : ${idOf(part.other)}`
    case "History":
      return `${idOf(part.of)}[${part.rows}]`
    case "Request":
      return `${part.timeframe} ${idOf(part.of)}`
    case "Call":
      return `${part.function}.${part.output ?? ""}(${part.inputs.map(idOf).join()})`
  }
}
