// A strategy's timeline, newest first. Entries that arrive while the page is open are marked as new.
import { useRef, useState } from "preact/hooks"
import { SharedFilters } from "../alerts/AlertFilters.tsx"
import { given, isFiltered, type Query, sharedParams, TIMELINE_FILTERS } from "../alerts/search.ts"
import { paged } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Badge } from "../parts/Badge.tsx"
import { SelectField } from "../parts/Field.tsx"
import { folded } from "../parts/folds.ts"
import * as Format from "../parts/format.ts"
import { Empty, Loaded } from "../parts/States.tsx"
import { toast } from "../parts/Toast.tsx"
import { Clock, Sentence } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import { href } from "../routes.ts"
import { byDay, type Entry, extended, groupOf, joined, toneOf } from "./timeline.ts"

const ROWS = 50

interface Props {
  readonly id: number
  /** The page's query, which has the filters. */
  readonly query: Query
}

/** The timeline with its filters. Another filter begins a list of its own. */
export const TimelineList = ({ id, query }: Props) => {
  const params = { ...sharedParams(query), entries: given(query["entries"]) }
  return (
    <section class="panel" aria-label="Timeline">
      <fieldset class="filters" aria-label="Filters">
        <SelectField
          label="Show"
          value={query["entries"] ?? ""}
          onValue={(entries) => setQuery({ entries })}
          options={PARTS}
        />
        <SharedFilters query={query} names={TIMELINE_FILTERS} />
      </fieldset>
      <Entries
        key={JSON.stringify(params)}
        id={id}
        params={params}
        filtered={isFiltered(query, TIMELINE_FILTERS)}
      />
    </section>
  )
}

const PARTS = [
  { value: "", label: "Everything" },
  { value: "rest", label: "All but ignored alerts" },
  { value: "acted", label: "Alerts that acted" },
  { value: "ignored", label: "Ignored alerts" }
]

interface EntriesProps {
  readonly id: number
  readonly params: Readonly<Record<string, string | undefined>>
  readonly filtered: boolean
}

const Entries = ({ filtered, id, params }: EntriesProps) => {
  const fetchPage = (cursor: string | undefined, signal?: AbortSignal) =>
    paged("dashboard", "timeline", {
      path: { id },
      urlParams: { ...params, limit: ROWS, ...(cursor === undefined ? {} : { cursor }) },
      ...(signal === undefined ? {} : { signal })
    })
  const query = useQuery(
    `timeline ${id} ${JSON.stringify(params)}`,
    (signal) => fetchPage(undefined, signal),
    {
      on: ({ strategy_id }) => strategy_id === id
    }
  )
  const [older, setOlder] = useState<ReadonlyArray<Entry>>([])
  const [cursor, setCursor] = useState<string | null>()
  const [busy, setBusy] = useState(false)
  const known = useRef<ReadonlyArray<Entry>>([])
  const seen = useRef<number>()

  if (query.data !== undefined) known.current = joined(extended(known.current, older), query.data.body.data)
  // Cached entries and the first response are not new.
  if (query.data !== undefined && !query.loading) seen.current ??= query.data.body.data[0]?.id ?? 0
  const isNew = (entry: Entry) => seen.current !== undefined && entry.id > seen.current
  const next = cursor === undefined ? query.data?.next : (cursor ?? undefined)

  const more = async () => {
    if (next === undefined) return
    setBusy(true)
    try {
      const page = await fetchPage(next)
      setOlder(extended(known.current, page.body.data))
      setCursor(page.next ?? null)
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
    }
    setBusy(false)
  }

  return (
    <Loaded query={query}>
      {() =>
        known.current.length === 0 && filtered ? (
          <Nothing more={next === undefined ? undefined : more} />
        ) : known.current.length === 0 ? (
          <Empty title="Nothing has happened yet">
            <p>Every alert, order and rule that acts appears here, with its reason.</p>
          </Empty>
        ) : (
          <>
            {byDay(known.current, Format.day).map(({ entries, title }) => (
              <section key={title} class="timeline-day" aria-label={title}>
                <h3>{title}</h3>
                <ol class="timeline">
                  {folded(entries, ({ id }) => id, ignoredOf).map((it) =>
                    "row" in it ? (
                      <Line key={it.key} entry={it.row} isNew={isNew(it.row)} />
                    ) : (
                      <Fold key={it.key} entries={it.ignored} reasons={it.reasons} isNew={isNew} />
                    )
                  )}
                </ol>
              </section>
            ))}
            {next === undefined ? null : (
              <button type="button" class="button" disabled={busy} onClick={more}>
                Load more
              </button>
            )}
          </>
        )
      }
    </Loaded>
  )
}

const Nothing = ({ more }: { more: (() => void) | undefined }) =>
  more === undefined ? (
    <Empty title="No entry is like that" />
  ) : (
    <Empty title="None of the last 5,000 entries is like that">
      <button type="button" class="button" onClick={more}>
        Search further back
      </button>
    </Empty>
  )

/** The reason of an ignored alert. */
const ignoredOf = (entry: Entry): ReadonlyArray<string> | undefined =>
  entry.rule === "alert" && entry.reason !== null && toneOf(entry) === "warn" ? [entry.reason] : undefined

/** Ignored alerts in a row as one line, which opens. */
const Fold = ({
  entries,
  isNew,
  reasons
}: {
  entries: ReadonlyArray<Entry>
  isNew: (entry: Entry) => boolean
  reasons: string
}) => {
  const [isOpen, setOpen] = useState(false)
  const [newest] = entries
  return (
    <>
      <li>
        <span class="quiet">{newest === undefined ? null : <Clock at={newest.at} />}</span>
        <span class="mark">Alerts</span>
        <button type="button" class="opener fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="chevron" aria-hidden="true" />
          {`${entries.length} ignored alerts: ${reasons}`}
        </button>
      </li>
      {isOpen ? entries.map((entry) => <Line key={entry.id} entry={entry} isNew={isNew(entry)} />) : null}
    </>
  )
}

const Line = ({ entry, isNew }: { entry: Entry; isNew: boolean }) => (
  <li class={isNew ? "new" : undefined}>
    <span class="quiet">
      <Clock at={entry.at} />
    </span>
    <span class={`mark ${toneOf(entry)}`}>{groupOf(entry)}</span>
    <span>
      <Text entry={entry} /> {isNew ? <Badge tone="accent">new</Badge> : null}
    </span>
  </li>
)

/** The server's text; an alert at its start becomes a link. */
const Text = ({ entry: { alert_id, rule, text } }: { entry: Entry }) => {
  const name = `Alert ${alert_id}`
  return alert_id !== null && text.startsWith(`${name} `) ? (
    <>
      <a href={href("alerts", [alert_id])}>{name}</a>
      <Sentence text={text.slice(name.length)} />
    </>
  ) : (
    <span>{NAMING.some((it) => it === rule) ? text : <Sentence text={text} />}</span>
  )
}

/** Rules whose text quotes user input, where numbers must stay as typed. */
const NAMING = ["settings_changed", "signal_detached"] as const
