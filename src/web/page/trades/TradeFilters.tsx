// The filters of the Trades page. Each stands in the page's URL, so that a filtered list can be kept and sent.
import { call } from "../client.ts"
import { SelectField, TextField } from "../parts/Field.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import { exitTitle } from "../strategy/board.ts"
import { FILTERS, isFiltered, type Query } from "./filters.ts"
import { PairFilter } from "./PairFilter.tsx"

/** The most strategies that the list offers. */
const STRATEGIES = "500"

/** Another filter begins at the first page. */
const set = (name: string) => (value: string) => setQuery({ [name]: value, offset: undefined })

export const TradeFilters = ({ query }: { query: Query }) => (
  <fieldset class="filters" aria-label="Filters">
    <StrategyFilter chosen={query["strategy"] ?? ""} />
    <PairFilter text={query["pair"] ?? ""} onPair={set("pair")} />
    <SelectField label="Side" value={query["side"] ?? ""} onValue={set("side")} options={SIDES} />
    <SelectField label="Closed by" value={query["why"] ?? ""} onValue={set("why")} options={REASONS} />
    <SelectField label="Result" value={query["result"] ?? ""} onValue={set("result")} options={RESULTS} />
    <SelectField label="Money" value={query["mode"] ?? ""} onValue={set("mode")} options={MODES} />
    <TextField label="Closed from" type="date" value={query["from"] ?? ""} onValue={set("from")} />
    <TextField label="Closed to" type="date" value={query["to"] ?? ""} onValue={set("to")} />
    {isFiltered(query) ? (
      <button
        type="button"
        class="button"
        onClick={() =>
          setQuery({ ...Object.fromEntries(FILTERS.map((name) => [name, undefined])), offset: undefined })
        }
      >
        Clear filters
      </button>
    ) : null}
  </fieldset>
)

const SIDES = [
  { value: "", label: "Long and short" },
  { value: "long", label: "Long" },
  { value: "short", label: "Short" }
]
const RESULTS = [
  { value: "", label: "Wins and losses" },
  { value: "win", label: "Wins" },
  { value: "loss", label: "Losses" }
]
const MODES = [
  { value: "", label: "Paper and real" },
  { value: "paper", label: "Paper" },
  { value: "live", label: "Real money" }
]
const REASONS = [
  { value: "", label: "Anything" },
  ...__EXIT_REASONS__.map((value) => ({ value, label: exitTitle(value) }))
]

const StrategyFilter = ({ chosen }: { chosen: string }) => {
  const known = useQuery("strategies by name", (signal) =>
    call("dashboard", "strategies", { urlParams: { sort: "name", limit: STRATEGIES }, signal })
  )
  const options = (known.data?.data ?? []).map(({ name, strategy_id }) => ({
    value: String(strategy_id),
    label: name
  }))
  const isKnown = chosen === "" || options.some(({ value }) => value === chosen)
  return (
    <SelectField
      label="Strategy"
      value={chosen}
      onValue={set("strategy")}
      options={[
        { value: "", label: "All strategies" },
        ...(isKnown ? [] : [{ value: chosen, label: `Strategy ${chosen}` }]),
        ...options
      ]}
    />
  )
}
