// The search and the filters of the directory. Each stands in the page's URL, so that a filtered list can be kept.
import { useEffect, useState } from "preact/hooks"
import { EXCHANGE_NAMES } from "../../../domain/internal/ExchangeFacts.ts"
import { after } from "../clock.ts"
import { SelectField, TextField } from "../parts/Field.tsx"
import { setQuery } from "../router.ts"
import {
  AGES,
  MODES,
  pairOf,
  type Query,
  SIGNAL_FILTERS,
  SIGNAL_SORTS,
  STRATEGY_FILTERS,
  STRATEGY_SORTS
} from "./search.ts"

const PAUSE_MS = 300
const set = (name: string) => (value: string) => setQuery({ [name]: value })

export const StrategyFilters = ({ query }: { query: Query }) => (
  <fieldset class="filters" aria-label="Filters">
    <Typed label="Search" placeholder="Name, description or pair" name="q" query={query} />
    <SelectField label="Sort by" value={query["sort"] ?? ""} onValue={set("sort")} options={STRATEGY_SORTS} />
    <SelectField
      label="Exchange"
      value={query["exchange"] ?? ""}
      onValue={set("exchange")}
      options={EXCHANGES}
    />
    <Typed label="Pair" placeholder="BTC/USDT" name="pair" query={query} errors={pairErrors} />
    <SelectField label="Money" value={query["mode"] ?? ""} onValue={set("mode")} options={MODES} />
    <SelectField label="Published" value={query["age"] ?? ""} onValue={set("age")} options={AGES} />
    <Clear query={query} names={STRATEGY_FILTERS} />
  </fieldset>
)

export const SignalFilters = ({ query }: { query: Query }) => (
  <fieldset class="filters" aria-label="Filters">
    <Typed label="Search" placeholder="Name or description" name="q" query={query} />
    <SelectField label="Sort by" value={query["sort"] ?? ""} onValue={set("sort")} options={SIGNAL_SORTS} />
    <Clear query={query} names={SIGNAL_FILTERS} />
  </fieldset>
)

const EXCHANGES = [
  { value: "", label: "Any exchange" },
  ...EXCHANGE_NAMES.map((name) => ({ value: name, label: name }))
]

const pairErrors = (text: string) =>
  text === "" || pairOf(text) !== undefined ? undefined : ["write the whole pair, like BTC/USDT"]

interface TypedProps {
  readonly label: string
  readonly placeholder: string
  readonly name: string
  readonly query: Query
  readonly errors?: (text: string) => ReadonlyArray<string> | undefined
}

/** A text that is searched by once the typing pauses. */
const Typed = ({ errors, label, name, placeholder, query }: TypedProps) => {
  const text = query[name] ?? ""
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  useEffect(
    () => (typed === text ? undefined : after(PAUSE_MS, () => setQuery({ [name]: typed }))),
    [typed, text]
  )
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      maxLength={64}
      value={typed}
      onValue={setTyped}
      errors={errors?.(typed)}
    />
  )
}

const Clear = ({ names, query }: { query: Query; names: ReadonlyArray<string> }) =>
  names.some((name) => (query[name] ?? "") !== "") ? (
    <button
      type="button"
      class="button"
      onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, undefined])))}
    >
      Clear filters
    </button>
  ) : null
