// The exchanges of a strategy, each with its pairs.
import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import type { Listing } from "./form.ts"
import { PairSearch } from "./PairSearch.tsx"
import { named } from "./pairs.ts"

interface Props {
  readonly name: string
  readonly label: string
  readonly explain: ComponentChildren
  readonly errors: ReadonlyArray<string> | undefined
  readonly value: ReadonlyArray<Listing>
  readonly onValue: (value: ReadonlyArray<Listing>) => void
  /** The strategy's currency: only pairs quoted in it trade. */
  readonly quote: string
  readonly exchanges: ReadonlyArray<{ readonly name: Listing["exchange_name"]; readonly active: boolean }>
}

export const ListingsField = ({
  name,
  label,
  explain,
  errors = [],
  value,
  onValue,
  quote,
  exchanges
}: Props) => {
  const id = useId()
  const isInvalid = errors.length > 0
  const free = exchanges.filter((it) => !value.some(({ exchange_name }) => exchange_name === it.name))
  const set = (of: Listing["exchange_name"], coin_pairs: ReadonlyArray<string>) =>
    onValue(value.map((it) => (it.exchange_name === of ? { exchange_name: of, coin_pairs } : it)))
  return (
    <fieldset
      class={`field listings${isInvalid ? " wrong" : ""}`}
      aria-label={label}
      aria-describedby={`${id}-explain${isInvalid ? ` ${id}-error` : ""}`}
    >
      <p class="explain" id={`${id}-explain`}>
        {explain}
      </p>
      {isInvalid ? (
        <p class="field-error" id={`${id}-error`}>
          {errors.map((text) => named(text, value)).join("; ")}
        </p>
      ) : null}
      {value.map(({ exchange_name: exchange, coin_pairs: pairs }, index) => (
        <div key={exchange} class="listing">
          <div class="listing-head">
            <h3>{exchange}</h3>
            {exchanges.some((it) => it.name === exchange && !it.active) ? (
              <span class="badge warn">switched off</span>
            ) : null}
            <button
              type="button"
              class="button small ghost"
              onClick={() => onValue(value.filter((it) => it.exchange_name !== exchange))}
            >
              Remove {exchange}
            </button>
          </div>
          <ul class="chips" aria-label={`Pairs on ${exchange}`}>
            {pairs.map((pair) => (
              <li key={pair} class={pair.split("/")[1] === quote ? "chip" : "chip odd"}>
                {pair}
                <button
                  type="button"
                  class="close"
                  aria-label={`Remove ${pair} from ${exchange}`}
                  onClick={() =>
                    set(
                      exchange,
                      pairs.filter((it) => it !== pair)
                    )
                  }
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
          <PairSearch
            name={index === 0 ? name : undefined}
            invalid={isInvalid && (value.length === 1 || pairs.length === 0)}
            exchange={exchange}
            quote={quote}
            chosen={pairs}
            onToggle={(pair) =>
              set(exchange, pairs.includes(pair) ? pairs.filter((it) => it !== pair) : [...pairs, pair])
            }
            onAdd={(more) => set(exchange, [...new Set([...pairs, ...more])])}
          />
        </div>
      ))}
      {free.length === 0 ? null : (
        <AddExchange
          isInvalid={isInvalid && value.length === 0}
          name={isInvalid && value.length === 0 ? name : undefined}
          free={free}
          onAdd={(exchange_name) => onValue([...value, { exchange_name, coin_pairs: [] }])}
        />
      )}
    </fieldset>
  )
}

const AddExchange = ({
  free,
  onAdd,
  isInvalid,
  name
}: {
  free: Props["exchanges"]
  onAdd: (exchange: Listing["exchange_name"]) => void
  isInvalid: boolean
  name: string | undefined
}) => {
  const id = useId()
  const [chosen, setChosen] = useState("")
  const exchange = free.find((it) => it.name === chosen) ?? free.find(({ active }) => active)
  return (
    <div class="add-exchange">
      <label for={id}>Another exchange</label>
      <select
        id={id}
        name={name}
        aria-invalid={isInvalid}
        value={exchange?.name ?? ""}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {free.map(({ active, name }) => (
          <option key={name} value={name} disabled={!active}>
            {active ? name : `${name} (switched off)`}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button"
        disabled={exchange === undefined}
        onClick={() => exchange === undefined || onAdd(exchange.name)}
      >
        Add
      </button>
    </div>
  )
}
