// The list of received alerts, newest first, with a filter by signal.
import { useEffect } from "preact/hooks"
import { call, paged } from "../client.ts"
import type { Happening } from "../live.ts"
import { Badge } from "../parts/Badge.tsx"
import { useCursors } from "../parts/Cursors.tsx"
import { SelectField } from "../parts/Field.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Price, Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import { href } from "../routes.ts"
import { Details } from "./Details.tsx"
import type { Incoming } from "./Incoming.ts"

const PAGE = 50

const concerns = ({ kind }: Happening) => kind.startsWith("alert_")

export const Received = ({ signal, open }: { signal: string; open: string | undefined }) => {
  const { cursor, pager, reset } = useCursors()
  useEffect(reset, [signal])
  const list = useQuery(
    `alerts ${signal} ${cursor}`,
    (abort) =>
      paged("incoming", "alerts", {
        urlParams: {
          limit: PAGE,
          ...(cursor === undefined ? {} : { cursor }),
          ...(signal === "" ? {} : { signal_id: signal })
        },
        signal: abort
      }),
    { on: concerns }
  )
  return (
    <>
      <SignalChoice signal={signal} />
      <Loaded query={list}>
        {({ body, next }) => (
          <>
            <Table
              label="Received alerts"
              columns={columnsOf(open)}
              rows={body.data}
              id={(it) => it.id}
              below={(it) => (String(it.id) === open ? <Details of={it} /> : null)}
              empty={<Nothing filtered={signal !== ""} />}
            />
            {pager(next)}
          </>
        )}
      </Loaded>
    </>
  )
}

const Nothing = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <Empty title="No alert for this signal yet" />
  ) : (
    <Empty title="No alerts yet">
      <p>
        The page of <a href={href("signals")}>each signal</a> has the address and the messages for your
        charting platform, and can send a test.
      </p>
    </Empty>
  )

const SignalChoice = ({ signal }: { signal: string }) => {
  const signals = useQuery("signals", (abort) => call("records", "signals", { signal: abort }))
  const known = signals.data?.data ?? []
  if (known.length < 2 && signal === "") return null
  return (
    <div class="filters">
      <SelectField
        label="Signal"
        value={signal}
        onValue={(chosen) => setQuery({ signal: chosen, alert: undefined })}
        options={[
          { value: "", label: "All signals" },
          ...known.map(({ id, name }) => ({ value: String(id), label: name }))
        ]}
      />
    </div>
  )
}

const columnsOf = (open: string | undefined): ReadonlyArray<Column<Incoming>> => [
  { key: "at", title: "Received", cell: (it) => <Opener of={it} isOpen={String(it.id) === open} /> },
  {
    key: "signal",
    title: "Signal",
    cell: (it) =>
      it.signal_name === null ? (
        <span class="quiet">deleted ({it.signal_id})</span>
      ) : (
        <a href={href("signals", [it.signal_id])}>{it.signal_name}</a>
      )
  },
  {
    key: "type",
    title: "Alert",
    cell: (it) => (
      <span class="instruction">
        <Badge tone={isEntry(it) ? "good" : "warn"}>{it.type.replace("_", " ")}</Badge>{" "}
        <span class="strong">
          {it.coin}/{it.quote_currency}
        </span>
      </span>
    )
  },
  { key: "tp", title: "Target", align: "right", wide: true, cell: (it) => <Price value={it.tp} /> },
  { key: "sl", title: "Stop", align: "right", wide: true, cell: (it) => <Price value={it.sl} /> },
  { key: "outcome", title: "Outcome", cell: (it) => <Outcome of={it} /> }
]

const isEntry = ({ type }: Incoming) => type === "buy" || type === "long" || type === "short"

const Opener = ({ of, isOpen }: { of: Incoming; isOpen: boolean }) => (
  <button
    type="button"
    class="opener"
    aria-expanded={isOpen}
    onClick={() => setQuery({ alert: isOpen ? undefined : of.id })}
  >
    <span class="chevron" aria-hidden="true" />
    <Time at={of.received_at} />
    <span class="hidden-words">, details</span>
  </button>
)

/** The outcomes in one line: a single one in full, several as counts. */
const Outcome = ({ of: { has_more_outcomes, outcomes, repeats, warnings } }: { of: Incoming }) => {
  const [only] = outcomes
  const acted = outcomes.filter(({ outcome }) => outcome === "acted").length
  return (
    <span class="outcome">
      {only === undefined ? <Badge>no outcome yet</Badge> : null}
      {only !== undefined && outcomes.length === 1 ? (
        <>
          <Badge tone={acted === 1 ? "good" : "plain"}>{acted === 1 ? "acted" : "ignored"}</Badge> {only.text}
        </>
      ) : null}
      {outcomes.length > 1 ? (
        <>
          {acted > 0 ? <Badge tone="good">{acted} acted</Badge> : null}{" "}
          {acted < outcomes.length ? <Badge>{outcomes.length - acted} ignored</Badge> : null}
        </>
      ) : null}
      {has_more_outcomes ? <Badge>and more</Badge> : null}
      {warnings.length > 0 ? (
        <Badge tone="warn">{warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}</Badge>
      ) : null}
      {repeats > 0 ? <Badge>sent {repeats + 1} times</Badge> : null}
    </span>
  )
}
