// Finds pairs of an exchange and adds or removes them. A pair that is typed in full is added as it is.
import { useEffect, useId, useState } from "preact/hooks"
import { call } from "../client.ts"
import { after } from "../clock.ts"
import { useQuery } from "../query.ts"
import { pairsIn } from "./pairs.ts"

interface Props {
  readonly exchange: string
  readonly quote: string
  readonly chosen: ReadonlyArray<string>
  readonly onToggle: (pair: string) => void
  /** Adds pairs that were typed in full. */
  readonly onAdd: (pairs: ReadonlyArray<string>) => void
  readonly invalid: boolean
  readonly name: string | undefined
}

const PAUSE_MS = 200
const SHOWN = 24

export const PairSearch = ({ exchange, quote, chosen, onToggle, onAdd, invalid, name }: Props) => {
  const id = useId()
  const [text, setText] = useState("")
  const [isOpen, setOpen] = useState(false)
  const search = useSettled(text.trim().toUpperCase())
  const isWholePair = search.includes("/")
    ? (search.split(/[\s,;]+/).at(-1) ?? "")
    : search === ""
      ? `/${quote}`
      : search
  const { data, problem } = useQuery(isOpen ? `markets ${exchange} ${isWholePair}` : null, (signal) =>
    call("operator", "markets", { signal, urlParams: { exchange, search: isWholePair, limit: "500" } })
  )
  const found = [...(data?.data ?? [])]
    .filter(({ kind, pair }) => kind === "spot" && (search.includes("/") || pair.endsWith(`/${quote}`)))
    .sort((a, b) => rank(a.pair, search) - rank(b.pair, search))
  const addWritten = (): boolean => {
    const written = pairsIn(text)
    if (written.length > 0) {
      onAdd(written)
      setText("")
    }
    return written.length > 0
  }
  return (
    <div class="pair-search">
      <label for={id}>Find pairs on {exchange}</label>
      <input
        id={id}
        name={name}
        type="search"
        autoComplete="off"
        spellcheck={false}
        placeholder={`BTC, ETH/${quote}`}
        aria-invalid={invalid}
        value={text}
        onFocus={() => setOpen(true)}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={addWritten}
        // Enter adds the typed pairs or the first match, and does not submit the form.
        onKeyDown={(event) => {
          if (event.key !== "Enter") return
          event.preventDefault()
          if (addWritten()) return
          const [first] = found
          if (first !== undefined && search !== "" && !isShut(first)) onToggle(first.pair)
        }}
      />
      {isOpen ? (
        <>
          <ul class="chips" aria-label={`Pairs found on ${exchange}`}>
            {found.slice(0, SHOWN).map((market) => (
              <li key={market.pair}>
                <button
                  type="button"
                  class="chip pick"
                  aria-pressed={chosen.includes(market.pair)}
                  disabled={isShut(market) && !chosen.includes(market.pair)}
                  title={isShut(market) ? "Switched off, or closed for buying" : undefined}
                  onClick={() => onToggle(market.pair)}
                >
                  {market.pair}
                </button>
              </li>
            ))}
          </ul>
          <p class="explain" role="status">
            {statusText(problem?.message, data === undefined, found.length, quote)}
          </p>
        </>
      ) : null}
    </div>
  )
}

const isShut = ({ active, buy_enabled }: { readonly active: boolean; readonly buy_enabled: boolean }) =>
  !active || !buy_enabled

const statusText = (
  problem: string | undefined,
  isLoading: boolean,
  count: number,
  quote: string
): string => {
  if (problem !== undefined) return problem
  if (isLoading) return "Searching…"
  if (count === 0)
    return `No ${quote} pair matches. For another currency type whole pairs, like BTC/EUR, BNB/EUR.`
  return count > SHOWN ? `${SHOWN} of ${count} pairs: type to find others.` : `${count} found.`
}

/** Ranks exact matches first, then prefixes; without a search, the large coins. */
const LARGE = ["BTC", "ETH", "SOL", "BNB", "XRP", "ADA", "DOGE", "LTC", "LINK", "AVAX", "DOT", "TRX"]
const rank = (pair: string, search: string): number => {
  const [base = ""] = pair.split("/")
  if (search !== "") return base === search || pair === search ? 0 : base.startsWith(search) ? 1 : 2
  const at = LARGE.indexOf(base)
  return at < 0 ? LARGE.length : at
}

/** A value after a pause in typing. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => after(PAUSE_MS, () => setSettled(value)), [value])
  return settled
}
