// What a record says in words: how long it is, and where its publication lies among its periods. Pure.
import type { Tone } from "../parts/tone.ts"
import type { Answer } from "../wire.ts"

export type Detail = Answer<"public", "strategy">
export type Line = Answer<"public", "strategies">["data"][number]
export type SignalLine = Answer<"public", "signals">["data"][number]
export type Period = Detail["periods"][number]

/** The levels of records as the sorting knows them, and their badges. */
const LEVELS: Readonly<Record<number, readonly [tone: Tone, words: string]>> = {
  3: ["good", "over a year"],
  2: ["good", "over 90 days"],
  1: ["plain", "over 30 days"]
}

/** The badge of a record's level. A short one is named so: a few trades are luck as easily as skill. */
export const levelBadge = (level: number): readonly [tone: Tone, words: string] =>
  LEVELS[level] ?? ["warn", "short record"]

/** How the directory sorts by record. */
export const SORTING =
  "By record: one of a year and 50 trades since its publication comes before one of 90 days and 25, that before one of 30 days and 10, and that before all shorter ones. Within each, the higher return since publication comes first, and losses come last. A week of luck never stands above a year."

/** How a period stands to the first publication (seconds). */
export const placeOf = ({ since, until }: Pick<Period, "since" | "until">, first: number): PlaceOfPeriod =>
  until < first ? "before" : since >= first ? "after" : "during"
export type PlaceOfPeriod = "before" | "during" | "after"

/** Whole days ago, in words. */
export const agoText = (days: number): string => {
  if (days === 0) return "today"
  return days === 1 ? "1 day ago" : `${days} days ago`
}

/** The point of a curve at which it was published; undefined where that was before its first point or after its last. */
export const publicationPoint = (
  curve: ReadonlyArray<readonly [time: number, ...values: ReadonlyArray<number>]>,
  published: number
): number | undefined => {
  const [first] = curve
  if (first === undefined || published < first[0]) return undefined
  return curve.find(([time]) => time >= published)?.[0]
}
