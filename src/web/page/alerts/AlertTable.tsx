// The table of received alerts. Runs of alerts that every strategy ignored are folded into one row.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Badge } from "../parts/Badge.tsx"
import { type Folded, folded } from "../parts/folds.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { Price, Sentence, Time } from "../parts/Value.tsx"
import { setQuery } from "../router.ts"
import { href } from "../routes.ts"
import { Details } from "./Details.tsx"
import type { Incoming } from "./Incoming.ts"

interface Props {
  readonly alerts: ReadonlyArray<Incoming>
  /** The id of the alert whose details are shown. */
  readonly open: string | undefined
  readonly empty: ComponentChildren
}

export const AlertTable = ({ alerts, empty, open }: Props) => {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string | number>>(new Set())
  const rows = folded(alerts, ({ id }) => id, ignoredOf).flatMap((it) =>
    "ignored" in it && (unfolded.has(it.key) || it.ignored.some(({ id }) => String(id) === open))
      ? it.ignored.map((row) => ({ row, key: row.id }))
      : [it]
  )
  return (
    <Table
      label="Received alerts"
      columns={columnsOf(open, (key) => setUnfolded(new Set([...unfolded, key])))}
      rows={rows}
      id={({ key }) => key}
      below={(it) => ("row" in it && String(it.row.id) === open ? <Details of={it.row} /> : null)}
      empty={empty}
    />
  )
}

/** The reasons of an alert that strategies only ignored. */
const ignoredOf = ({ has_more_outcomes, outcomes }: Incoming): ReadonlyArray<string> | undefined =>
  outcomes.length > 0 && !has_more_outcomes && outcomes.every(({ outcome }) => outcome === "ignored")
    ? outcomes.map(({ reason }) => reason)
    : undefined

type Row = Folded<Incoming>

/** A cell of an alert; a fold has none. */
const ofAlert = (cell: (alert: Incoming) => ComponentChildren) => (it: Row) =>
  "row" in it ? cell(it.row) : null

const columnsOf = (
  open: string | undefined,
  unfold: (key: string | number) => void
): ReadonlyArray<Column<Row>> => [
  {
    key: "at",
    title: "Received",
    cell: (it) =>
      "row" in it ? (
        <Opener of={it.row} isOpen={String(it.row.id) === open} />
      ) : (
        <button type="button" class="opener fold" aria-expanded={false} onClick={() => unfold(it.key)}>
          <span class="chevron" aria-hidden="true" />
          {`${it.ignored.length} ignored alerts`}
          <span class="hidden-words">: {it.reasons}</span>
        </button>
      )
  },
  {
    key: "signal",
    title: "Signal",
    cell: ofAlert((it) =>
      it.signal_name === null ? (
        <span class="quiet">deleted ({it.signal_id})</span>
      ) : (
        <a href={href("signals", [it.signal_id])}>{it.signal_name}</a>
      )
    )
  },
  {
    key: "type",
    title: "Alert",
    cell: ofAlert((it) => (
      <span class="instruction">
        <Badge tone={isEntry(it) ? "good" : "warn"}>{it.type.replace("_", " ")}</Badge>{" "}
        <span class="strong">
          {it.coin}/{it.quote_currency}
        </span>
      </span>
    ))
  },
  { key: "tp", title: "Target", align: "right", wide: true, cell: ofAlert(({ tp }) => <Price value={tp} />) },
  { key: "sl", title: "Stop", align: "right", wide: true, cell: ofAlert(({ sl }) => <Price value={sl} />) },
  {
    key: "outcome",
    title: "Outcome",
    cell: (it) => ("row" in it ? <Outcome of={it.row} /> : <span class="quiet">{it.reasons}</span>)
  }
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
          <Badge tone={acted === 1 ? "good" : "plain"}>{acted === 1 ? "acted" : "ignored"}</Badge>{" "}
          <Sentence text={only.text} />
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
