// The guide's search: a field with its results beneath. `/` comes to the field, arrows go through the results, Enter
// opens one, Escape closes them. The index is fetched when the field is first used.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Indexed } from "../../guide/Addresses.ts"
import { type Entry, entriesOf, type Found, find } from "./find.ts"

/** A phone has no `/` to press. */
const HAS_KEYS = matchMedia("(hover: hover)").matches

export const Search = ({ index }: { index: string }) => {
  const [query, setQuery] = useState("")
  const [entries, setEntries] = useState<ReadonlyArray<Entry>>()
  const [isOpen, setOpen] = useState(false)
  const [failed, setFailed] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const isRequested = useRef(false)

  const load = () => {
    if (isRequested.current) return
    isRequested.current = true
    setFailed(false)
    fetched(index).then(setEntries, () => {
      isRequested.current = false
      setFailed(true)
    })
  }
  const close = () => setOpen(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])

  const found = entries === undefined ? [] : find(entries, query)
  const links = () => [...(list.current?.querySelectorAll("a") ?? [])]
  const move = (event: KeyboardEvent, by: 1 | -1) => {
    const all = links()
    const at = all.findIndex((link) => link.matches(":focus"))
    if (all.length === 0) return
    event.preventDefault()
    // Above the first result is the field.
    const next = at + by < 0 ? field.current : all[Math.min(at + by, all.length - 1)]
    next?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(event, 1)
    else if (event.key === "ArrowUp") move(event, -1)
    else if (event.key === "Escape") {
      field.current?.focus()
      close()
    }
  }
  const openFirst = (event: Event) => {
    event.preventDefault()
    links()[0]?.click()
  }
  const leave = (event: FocusEvent) => {
    const { currentTarget, relatedTarget } = event
    const isInside =
      currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (!isInside) close()
  }
  const isShown = isOpen && query.trim() !== ""
  return (
    <form class="search" onKeyDown={press} onFocusOut={leave} onSubmit={openFirst}>
      <input
        ref={field}
        type="search"
        aria-label="Search the guide"
        placeholder={HAS_KEYS ? "Search   /" : "Search"}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellcheck={false}
        value={query}
        onFocus={() => {
          load()
          setOpen(true)
        }}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setOpen(true)
        }}
      />
      <p class="hidden-words" role="status">
        {isShown ? summaryOf(entries !== undefined, failed, found.length) : ""}
      </p>
      {isShown ? (
        <div class="found">
          {found.length === 0 ? <p class="quiet">{summaryOf(entries !== undefined, failed, 0)}</p> : null}
          <ul ref={list} aria-label="Search results">
            {found.map((it) => (
              <Result key={it.href} of={it} onOpen={close} />
            ))}
          </ul>
        </div>
      ) : null}
    </form>
  )
}

const Result = ({ of, onOpen }: { of: Found; onOpen: () => void }) => (
  <li>
    <a href={of.href} onClick={onOpen}>
      <span class="strong">{of.title}</span>
      {of.title === of.page ? null : <span class="quiet"> {of.page}</span>}
      <span class="excerpt">{of.excerpt.map(({ isHit, text }) => (isHit ? <mark>{text}</mark> : text))}</span>
    </a>
  </li>
)

const summaryOf = (isLoaded: boolean, failed: boolean, count: number): string => {
  if (failed) return "The search cannot be loaded: the server cannot be reached."
  if (!isLoaded) return "Loading…"
  return count === 0 ? "Nothing found" : count === 1 ? "1 result" : `${count} results`
}

const fetched = async (path: string): Promise<ReadonlyArray<Entry>> => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`the index was answered with ${response.status}`)
  const index: ReadonlyArray<Indexed> = await response.json()
  return entriesOf(index)
}

/** Whether a key goes into a field: then it is not for us. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null
