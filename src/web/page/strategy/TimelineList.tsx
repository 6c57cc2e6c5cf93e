// A strategy's timeline, newest first. Entries that arrive while the page is open are marked as new.
import { useRef, useState } from "preact/hooks"
import { paged } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Badge } from "../parts/Badge.tsx"
import * as Format from "../parts/format.ts"
import { Empty, Loaded } from "../parts/States.tsx"
import { toast } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { byDay, type Entry, extended, groupOf, joined, toneOf } from "./timeline.ts"

const ROWS = 50

export const TimelineList = ({ id }: { id: number }) => {
  const fetchPage = (cursor: string | undefined, signal?: AbortSignal) =>
    paged("dashboard", "timeline", {
      path: { id },
      urlParams: { limit: ROWS, ...(cursor === undefined ? {} : { cursor }) },
      ...(signal === undefined ? {} : { signal })
    })
  const query = useQuery(`timeline ${id}`, (signal) => fetchPage(undefined, signal), {
    on: ({ strategy_id }) => strategy_id === id
  })
  const [older, setOlder] = useState<ReadonlyArray<Entry>>([])
  const [cursor, setCursor] = useState<string | null>()
  const [busy, setBusy] = useState(false)
  const known = useRef<ReadonlyArray<Entry>>([])
  const seen = useRef<number>()

  if (query.data !== undefined) known.current = joined(extended(known.current, older), query.data.body.data)
  // Cached entries and the first response are not new.
  if (query.data !== undefined && !query.loading) seen.current ??= query.data.body.data[0]?.id ?? 0
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
    <section class="panel" aria-label="Timeline">
      <Loaded query={query}>
        {() =>
          known.current.length === 0 ? (
            <Empty title="Nothing has happened yet">
              <p>Every alert, order and rule that acts appears here, with its reason.</p>
            </Empty>
          ) : (
            <>
              {byDay(known.current, Format.day).map(({ entries, title }) => (
                <section key={title} class="timeline-day" aria-label={title}>
                  <h3>{title}</h3>
                  <ol class="timeline">
                    {entries.map((entry) => (
                      <Line
                        key={entry.id}
                        entry={entry}
                        isNew={seen.current !== undefined && entry.id > seen.current}
                      />
                    ))}
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
    </section>
  )
}

const Line = ({ entry, isNew }: { entry: Entry; isNew: boolean }) => (
  <li class={isNew ? "new" : undefined}>
    <time
      class="number quiet"
      dateTime={new Date(entry.at * 1000).toISOString()}
      title={Format.utc(entry.at)}
    >
      {Format.time(entry.at).replace(/^.*, /, "")}
    </time>
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
      {Format.figured(text.slice(name.length))}
    </>
  ) : (
    <span>{NAMING.some((it) => it === rule) ? text : Format.figured(text)}</span>
  )
}

/** Rules whose text quotes user input, where numbers must stay as typed. */
const NAMING = ["settings_changed", "signal_detached"] as const
