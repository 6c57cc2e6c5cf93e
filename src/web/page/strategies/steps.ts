// The rows of the take profit steps as data: typed texts, their errors, and the steps that a request has. Pure.
import { sumOf } from "../../../domain/requests/StrategyStatement.ts"
import { ambiguityHint, numberOf } from "../parts/reader/number.ts"
import { boundsText, keeps } from "./bounds.ts"
import { MOST_STEPS, STEP } from "./fields.ts"

/** The two numbers of a step, in the sequence of a row. */
export const STEP_FIELDS = ["close_percent", "profit_percent"] as const
export type StepField = (typeof STEP_FIELDS)[number]
/** A row as typed. */
export type StepRow = Readonly<Record<StepField, string>>
/** A step of a request. */
export type Step = Readonly<Record<StepField, number>>

export const EMPTY_STEP: StepRow = { close_percent: "", profit_percent: "" }

/** The rows of stored steps. */
export const rowsOf = (steps: ReadonlyArray<Step> | null | undefined): ReadonlyArray<StepRow> =>
  (steps ?? []).map(({ close_percent, profit_percent }) => ({
    close_percent: String(close_percent),
    profit_percent: String(profit_percent)
  }))

/** The steps of a request; without rows there are none. A missing number is NaN. */
export const stepsOf = (rows: ReadonlyArray<StepRow>): ReadonlyArray<Step> | null =>
  rows.length === 0
    ? null
    : rows.map((row) => ({
        close_percent: numberOf(row.close_percent) ?? Number.NaN,
        profit_percent: numberOf(row.profit_percent) ?? Number.NaN
      }))

/** The part that all steps close together, in percent; undefined while a number is missing. */
export const totalOf = (rows: ReadonlyArray<StepRow>): number | undefined => {
  const parts = (stepsOf(rows) ?? []).map(({ close_percent }) => close_percent)
  return parts.every(Number.isFinite) ? sumOf(parts) : undefined
}

/** What the parts add up to, and what becomes of the rest, for the line below the rows. */
export const totalText = (rows: ReadonlyArray<StepRow>): string => {
  const total = totalOf(rows)
  if (rows.length === 0) return "No steps: everything is sold at once."
  if (total === undefined) return "Together: …"
  if (total > 100) return `Together: ${total} %, more than the whole position.`
  return total === 100
    ? "Together: 100 %, the whole position."
    : `Together: ${total} %. The other ${sumOf([100, -total])} % wait for another exit.`
}

/** Errors as the server has them: each names its row and number, as "[1].close_percent must be above 0". */
export const stepErrors = (rows: ReadonlyArray<StepRow>): ReadonlyArray<string> => {
  const steps = stepsOf(rows) ?? []
  const bounds = rows.flatMap((row, index) =>
    STEP_FIELDS.flatMap((name) => {
      const value = numberOf(row[name])
      if (value !== undefined && keeps(STEP[name], value)) return []
      const what = value === undefined ? "is required:" : "must be"
      return [`[${index}].${name} ${what} ${boundsText(STEP[name])}${ambiguityHint(row[name])}`]
    })
  )
  const sinking = steps.flatMap(({ profit_percent }, index) =>
    profit_percent <= (steps[index - 1]?.profit_percent ?? 0) && index > 0
      ? [`[${index}].profit_percent must be above that of the step before`]
      : []
  )
  const total = totalOf(rows)
  return [
    ...bounds,
    ...sinking,
    ...(rows.length > MOST_STEPS ? [`must be at most ${MOST_STEPS} steps`] : []),
    ...(total !== undefined && total > 100 ? [`close ${total} % together, at most 100 % are possible`] : [])
  ]
}

/** The errors of one number, and those of all steps together where `place` is undefined. */
export const errorsAt = (
  errors: ReadonlyArray<string>,
  place?: { readonly index: number; readonly name: StepField }
): ReadonlyArray<string> =>
  errors.flatMap((text) => {
    const [, index, name, rest = ""] = AT.exec(text) ?? []
    if (place === undefined) return index === undefined ? [text] : []
    return Number(index) === place.index && name === place.name ? [rest] : []
  })

const AT = /^\[(\d+)\]\.(close_percent|profit_percent) (.*)$/s

/** An error in words, for the summary: "step 2: profit must be above 0". */
export const namedStep = (text: string): string => {
  const [, index, name, rest = ""] = AT.exec(text) ?? []
  return index === undefined
    ? text
    : `${Number(index) + 1}: ${name === "close_percent" ? "part" : "profit"} ${rest}`
}
