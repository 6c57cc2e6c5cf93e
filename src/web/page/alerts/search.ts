// The filters of alerts and of a timeline: from the page's URL to the request's parameters. Pure.
import { titleOf } from "../overview/reasons.ts"
import { times } from "../parts/reader/time.ts"

/** The page's query: empty texts filter nothing. */
export type Query = Readonly<Record<string, string>>

/** The filters' names in the URL that alerts and timelines share. */
const SHARED = ["reason", "pair", "from", "to"] as const
export const ALERT_FILTERS = ["signal", "outcome", ...SHARED] as const
export const TIMELINE_FILTERS = ["entries", ...SHARED] as const

export const isFiltered = (query: Query, names: ReadonlyArray<string>): boolean =>
  names.some((name) => (query[name] ?? "") !== "")

/** No filter: what clears them. */
export const cleared = (names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, undefined]))

/** The parameters that alerts and timelines share. */
export const sharedParams = (query: Query) => {
  const from = times().dayBegins(query["from"] ?? "")
  const to = times().dayEnds(query["to"] ?? "")
  return {
    reason: given(query["reason"]),
    pair: given(query["pair"]),
    from: from === undefined ? undefined : String(from),
    to: to === undefined ? undefined : String(to)
  }
}

/** A text that is not empty. */
export const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** The reasons to choose from, those that acted first. */
export const REASON_CHOICES = [
  { value: "", label: "Any reason" },
  ...__REASONS__.map((value) => ({ value, label: titleOf(value) }))
]
