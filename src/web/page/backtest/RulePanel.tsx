// The panel of a rule in a back-test: how warm it was, how many alerts each entry raised, and each alert with its values.
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count, Price, Sentence, Time } from "../parts/Value.tsx"
import type { Result } from "./setup.ts"

type Rule = NonNullable<Result["rule"]>
type Entry = Rule["entries"][number]
type Alert = Rule["alerts"][number]

/** Rows before "Show all". */
const ROWS = 10

export const RulePanel = ({ rule, title = "Rule" }: { rule: Rule; title?: string }) => {
  const { alerts, alerts_total, entries, name, notes, params, timeframe } = rule
  const numbers = Object.entries(params).map(([param, value]) => `${param} ${Format.exact(value)}`)
  return (
    <Panel title={title}>
      <p class="quiet">
        {`Rule ${name}, candles of ${[timeframe, ...numbers].join(", ")}: ${Format.counted(alerts_total, "alert")}.`}
      </p>
      <ul class="lines">
        {notes.map((note) => (
          <li key={note}>
            <Sentence text={note} />
          </li>
        ))}
      </ul>
      <Table label="Entries of the rule" columns={ENTRIES} rows={entries} id={({ by }) => by} />
      <h3>Alerts</h3>
      {alerts_total > alerts.length ? (
        <p class="quiet">
          The last {Format.count(alerts.length)} of {Format.count(alerts_total)}.
        </p>
      ) : null}
      <Table
        label="Alerts of the rule"
        columns={ALERTS}
        rows={alerts}
        id={({ at, by, exchange, kind, pair }) => `${at} ${by} ${exchange} ${pair} ${kind}`}
        initial={{ by: "at", down: true }}
        most={ROWS}
        empty={<Empty title="The rule raised no alert" />}
      />
    </Panel>
  )
}

const ENTRIES: ReadonlyArray<Column<Entry>> = [
  { key: "by", title: "Entry", cell: ({ by }) => <code>{by}</code> },
  { key: "type", title: "Alert", cell: ({ type }) => Format.words(type) },
  { key: "alerts", title: "Raised", align: "right", cell: ({ alerts }) => <Count value={alerts} /> },
  { key: "withheld", title: "Withheld", align: "right", cell: ({ withheld }) => <Count value={withheld} /> },
  { key: "when", title: "When", cell: ({ when }) => <code>{when}</code> }
]

const ALERTS: ReadonlyArray<Column<Alert>> = [
  { key: "at", title: "Raised", cell: ({ at }) => <Time at={at} />, sort: ({ at }) => at },
  { key: "market", title: "Market", cell: ({ pair }) => pair, sort: ({ pair }) => pair },
  {
    key: "type",
    title: "Alert",
    cell: ({ by, type }) => `${Format.words(type)}, ${by}`,
    sort: ({ type }) => type
  },
  { key: "close", title: "Close", align: "right", cell: ({ close }) => <Price value={close} /> },
  { key: "why", title: "Why", cell: whyOf }
]

/** The values that decided it, or why it was withheld. */
function whyOf({ sl, tp, values, withheld }: Alert) {
  if (withheld !== null) return `Withheld: ${withheld}`
  const parts = values.map(({ text, value }) => `${text} ${value === null ? "–" : Format.price(value)}`)
  const targets = [
    ...(tp === null ? [] : [`tp ${Format.price(tp)}`]),
    ...(sl === null ? [] : [`sl ${Format.price(sl)}`])
  ]
  return [...parts, ...targets].join(", ") || "by the clock"
}
