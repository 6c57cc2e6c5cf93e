// The filters of the Trades page: from the page's URL to the request's parameters. Pure.
import { times } from "../parts/reader/time.ts"

/** The page's query: empty texts filter nothing. */
export type Query = Readonly<Record<string, string>>

/** The filters' names in the URL, in the sequence of their fields. */
export const FILTERS = ["strategy", "pair", "side", "why", "result", "mode", "from", "to"] as const

/** Whether any filter is set. */
export const isFiltered = (query: Query): boolean => FILTERS.some((name) => (query[name] ?? "") !== "")

/** The request's parameters. A day that is none is left out, as its field shows none. */
export const paramsOf = (query: Query) => {
  const text = (name: (typeof FILTERS)[number]) => (query[name] === "" ? undefined : query[name])
  return {
    strategy_id: text("strategy"),
    pair: text("pair"),
    side: text("side"),
    exit_reason: text("why"),
    result: text("result"),
    mode: text("mode"),
    from: secondsText(times().dayBegins(query["from"] ?? "")),
    to: secondsText(times().dayEnds(query["to"] ?? ""))
  }
}

const secondsText = (seconds: number | undefined) => (seconds === undefined ? undefined : String(seconds))
