// A what-if as the page shows it: the names of its settings, its curves, and the errors of its fields. Pure.
import type { Drawing, Point } from "../../parts/drawing.ts"
import * as Format from "../../parts/format.ts"
import { fullLabel, isFieldName } from "../../strategies/fields.ts"
import type { Errors } from "../../strategies/form.ts"
import type { Answer } from "../../wire.ts"

/** What was tried. */
export type Tried = NonNullable<Answer<"backtests", "whatIf">["what_if"]>
export type MatchedTrade = Tried["trades"][number]
export type SideName = "real" | "present" | "changed"

/** The columns, in their sequence. */
export const SIDES: ReadonlyArray<SideName> = ["real", "present", "changed"]

/** The title of a column. */
export const titleOf = (side: SideName, { mode }: Pick<Tried, "mode">): string => {
  if (side === "real") return mode === "live" ? "What happened" : "What happened, on paper"
  return side === "present" ? "Test, present settings" : "Test, changed settings"
}

/** The label of a setting in the form. */
export const labelOf = (setting: string): string => (isFieldName(setting) ? fullLabel(setting) : setting)

/** The equity curves of all columns. */
export const curvesOf = (of: Tried): Drawing["series"] =>
  SIDES.map((side) => ({
    kind: "line",
    title: CURVES[side],
    tone: TONES[side],
    points: pointsOf(of[side].points),
    format: (value) => Format.money(value, of.currency)
  }))

/** Short, as the chart writes them beside the lines. */
const CURVES = { real: "Happened", present: "Present", changed: "Changed" } as const
const TONES = { real: "quiet", present: "violet", changed: "accent" } as const

/** Of points of the same second the last one counts. */
const pointsOf = (points: Tried["real"]["points"]): ReadonlyArray<Point> =>
  [...new Map(points.map(([time, value]) => [time, value]))].map(([time, value]) => ({ time, value }))

/** What the chart shows, for those who do not see it. */
export const curveWords = (of: Tried): string =>
  `Equity ${SIDES.map((side) => `${titleOf(side, of)}: ${Format.money(of[side].points.at(-1)?.[1], of.currency)}`).join("; ")}`

/** The errors about settings, by the settings' own names. */
export const settingErrors = (errors: Errors): Errors =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field.replace(/^changes\./, ""), texts]))

/** A text of the server as a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
