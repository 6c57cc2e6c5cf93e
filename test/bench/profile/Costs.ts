// A table of costs: what each part of a measured thing takes, and whether the parts add up to the whole.
import type { Line } from "../line.ts"

export interface Cost {
  readonly part: string
  /** In the unit of its table. */
  readonly amount: number
}

export interface Costs {
  readonly name: string
  /** What the whole is, and how it was measured. */
  readonly what: string
  readonly unit: "ns" | "ms"
  /** Measured without the profiler; of a start, with the marks that its parts are measured by. */
  readonly whole: number
  /** Measured with it. */
  readonly parts: ReadonlyArray<Cost>
}

/** How far the parts may be from the whole, and how much of it may have no name, as fractions. */
const MOST_OFF = 0.1
/** The part of what belongs to no other one. */
export const ELSEWHERE = "elsewhere"

/** The parts' sum as a fraction of the whole. */
export const accounted = ({ parts, whole }: Costs): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0) / whole

/** Whether the table explains the whole. */
export const holds = (costs: Costs): boolean => {
  const nameless = costs.parts.find(({ part }) => part === ELSEWHERE)?.amount ?? 0
  return Math.abs(accounted(costs) - 1) <= MOST_OFF && nameless <= MOST_OFF * costs.whole
}

/** The table as text, the largest part first. It fails if the parts do not add up. */
export const line = (costs: Costs): Line => {
  const { name, parts, unit, what, whole } = costs
  const rows = [...parts]
    .sort((one, other) => other.amount - one.amount)
    .map(({ amount, part }) => `  ${figure(amount)} ${unit} ${percent(amount / whole)}  ${part}`)
  const sum = `${percent(accounted(costs)).trim()} of ${figure(whole).trim()} ${unit}`
  return {
    name: `${name}.profile`,
    text: `${what}\n${rows.join("\n")}\n  the parts are ${sum}`,
    ok: holds(costs)
  }
}

const figure = (amount: number): string => amount.toFixed(amount < 100 ? 2 : 0).padStart(10)
const percent = (share: number): string => `${(100 * share).toFixed(1).padStart(5)} %`

/** Measures up to three times, since other work of the machine falls on one of both sides: the first that adds up. */
export const settled = async (measure: () => Promise<Costs>): Promise<Costs> => {
  let costs = await measure()
  for (let again = 0; again < 2 && !holds(costs); again++) costs = await measure()
  return costs
}
