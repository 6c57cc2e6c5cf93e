// The filters of alerts, and those that a strategy's timeline shares. They stand in the page's URL.
import { call } from "../client.ts"
import { SelectField, TextField } from "../parts/Field.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import { PairFilter } from "../trades/PairFilter.tsx"
import { ALERT_FILTERS, cleared, isFiltered, type Query, REASON_CHOICES } from "./search.ts"

const set = (name: string) => (value: string) => setQuery({ [name]: value, alert: undefined })

export const AlertFilters = ({ query }: { query: Query }) => (
  <fieldset class="filters" aria-label="Filters">
    <SignalChoice signal={query["signal"] ?? ""} />
    <SelectField label="Outcome" value={query["outcome"] ?? ""} onValue={set("outcome")} options={OUTCOMES} />
    <SharedFilters query={query} names={ALERT_FILTERS} />
  </fieldset>
)

const OUTCOMES = [
  { value: "", label: "Acted and ignored" },
  { value: "acted", label: "Acted" },
  { value: "ignored", label: "Ignored" }
]

/** Reason, pair and days, and a button that clears all the filters of these names. */
export const SharedFilters = ({ names, query }: { names: ReadonlyArray<string>; query: Query }) => (
  <>
    <SelectField
      label="Reason"
      value={query["reason"] ?? ""}
      onValue={set("reason")}
      options={REASON_CHOICES}
    />
    <PairFilter text={query["pair"] ?? ""} onPair={set("pair")} />
    <TextField label="From" type="date" value={query["from"] ?? ""} onValue={set("from")} />
    <TextField label="To" type="date" value={query["to"] ?? ""} onValue={set("to")} />
    {isFiltered(query, names) ? (
      <button type="button" class="button" onClick={() => setQuery(cleared(names))}>
        Clear filters
      </button>
    ) : null}
  </>
)

const SignalChoice = ({ signal }: { signal: string }) => {
  const signals = useQuery("signals", (abort) => call("records", "signals", { signal: abort }))
  const known = signals.data?.data ?? []
  return (
    <SelectField
      label="Signal"
      value={signal}
      onValue={set("signal")}
      options={[
        { value: "", label: "All signals" },
        ...known.map(({ id, name }) => ({ value: String(id), label: name }))
      ]}
    />
  )
}
