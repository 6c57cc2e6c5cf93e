// What a rule may have raised in the end, and what it must have: by the exchange's candles, and by those that streams had at
// the moment of the decision.
import { marketKey } from "../../../src/domain/Market.ts"
import type { ReadRule } from "../../../src/domain/signalRule/RuleReading.ts"
import { type Bar, barAt } from "../../../src/trading/indicators/Plan.ts"
import { watch } from "../../../src/trading/signalRule/RuleAlerts.ts"
import { timesOf } from "../../../src/trading/signalRule/RuleTimes.ts"
import { barsOf } from "../../trading/ruleWorld.ts"
import { type Market, MINUTE } from "./Exchange.ts"

const HOUR = 60 * MINUTE

/** Alerts as `market entry close`. */
export interface Expected {
  readonly must: ReadonlySet<string>
  readonly may: ReadonlySet<string>
}

/**
 * The alerts of a rule after `from` and up to `until` (ms). A decision on a streamed candle stands, or is made by the
 * exchange's after a kill. What the clock raises later, it may.
 */
export const expectedOf = (
  { checked, rule }: ReadRule,
  markets: ReadonlyArray<Market>,
  { from, until }: { readonly from: number; readonly until: number }
): Expected => {
  const must = new Set<string>()
  const may = new Set<string>()
  for (const { columns, id, streamed } of markets) {
    for (const [index, line] of rule.schedule.entries())
      for (const at of timesOf(line, { from: from + 1, to: until + HOUR, most: 1_000 })) {
        const name = `${marketKey(id)} schedule[${index}] ${at}`
        may.add(name)
        if (at <= until) must.add(name)
      }
    const { hold, push } = watch(checked)
    const bars = barsOf(columns)
    const names = (bar: Bar) =>
      push(bar).map(({ at, entry }) => (at > from ? `${marketKey(id)} on[${entry}] ${at}` : ""))
    for (let row = 0; row < bars.length; row++) {
      const bar = barAt(bars, row)
      const other = streamed.get(bar.at)
      const undo = other === undefined ? undefined : hold()
      const first = new Set(other === undefined ? [] : names(other))
      undo?.()
      const final = new Set(names(bar))
      for (const name of new Set([...first, ...final])) if (name !== "") may.add(name)
      for (const name of final) if (name !== "" && (other === undefined || first.has(name))) must.add(name)
    }
  }
  return { must, may }
}

/** What is wrong with the alerts of a journal; undefined if nothing is. */
export const violationOf = (found: ReadonlyArray<string>, { may, must }: Expected): string | undefined => {
  const once = new Set(found)
  const twice = found.find((name, index) => found.indexOf(name) !== index)
  const lost = [...must].find((name) => !once.has(name))
  const strange = found.find((name) => !may.has(name))
  if (twice !== undefined) return `came twice: ${twice}`
  if (lost !== undefined) return `was lost: ${lost}`
  return strange === undefined ? undefined : `should not have come: ${strange}`
}

/** Minutes before the rule is made, for its indicators. */
export const BEFORE = 40 * MINUTE
