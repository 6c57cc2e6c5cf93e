// The filters and sortings of the directory: from the page's URL to the request's parameters. Pure.

/** The page's query: empty texts filter nothing. */
export type Query = Readonly<Record<string, string>>

/** The filters of strategies in the URL, in the sequence of their fields. */
export const STRATEGY_FILTERS = ["q", "exchange", "pair", "mode", "age"] as const
/** The filters of signals. */
export const SIGNAL_FILTERS = ["q"] as const

const PAIR = /^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/
const DAYS = /^\d{1,4}$/

/** A typed pair as the server takes it; undefined where it is not a whole pair yet. */
export const pairOf = (text: string): string | undefined => {
  const pair = text.trim().toUpperCase()
  return PAIR.test(pair) ? pair : undefined
}

const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** The parameters of a list of strategies. A pair or an age that is not whole is left out: its field says so. */
export const strategyParams = (query: Query) => ({
  search: given(query["q"]),
  sort: given(query["sort"]),
  exchange: given(query["exchange"]),
  pair: pairOf(query["pair"] ?? ""),
  mode: given(query["mode"]),
  min_age: DAYS.test(query["age"] ?? "") ? query["age"] : undefined
})

/** The parameters of a list of signals. */
export const signalParams = (query: Query) => ({ search: given(query["q"]), sort: given(query["sort"]) })

export const STRATEGY_SORTS = [
  { value: "", label: "Record" },
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
  { value: "copies", label: "Most copies" }
]

export const SIGNAL_SORTS = [
  { value: "", label: "Most followers" },
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" }
]

export const MODES = [
  { value: "", label: "Paper and real" },
  { value: "paper", label: "Paper" },
  { value: "real", label: "Real money" }
]

export const AGES = [
  { value: "", label: "Any age" },
  { value: "30", label: "30 days or more" },
  { value: "90", label: "90 days or more" },
  { value: "365", label: "A year or more" }
]
