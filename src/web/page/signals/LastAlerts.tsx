// A signal's last alerts with their outcomes.
import { call } from "../client.ts"
import type { Happening } from "../live.ts"
import { Badge } from "../parts/Badge.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Sentence, Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import type { Answer } from "../wire.ts"

type Incoming = Answer<"incoming", "alerts">["data"][number]

const SHOWN = 10
/** The most outcomes in a row; the Alerts page shows all. */
const WRITTEN = 3

const concerns = ({ kind }: Happening) => kind.startsWith("alert_")

export const LastAlerts = ({ signal }: { signal: number }) => {
  const alerts = useQuery(
    `last alerts of ${signal}`,
    (abort) =>
      call("incoming", "alerts", { urlParams: { limit: SHOWN, signal_id: String(signal) }, signal: abort }),
    { on: concerns }
  )
  return (
    <Panel
      title="Last alerts"
      actions={<a href={href("alerts", [], { signal })}>All alerts of this signal</a>}
    >
      <Loaded query={alerts}>
        {({ data }) => (
          <Table
            label="Last alerts of this signal"
            columns={columnsOf(signal)}
            rows={data}
            id={({ id }) => id}
            empty={
              <Empty title="No alerts yet">
                <p>
                  Send one from here, or from your charting platform. Refused alerts are listed{" "}
                  <a href={href("alerts", [], { tab: "refused" })}>on the Alerts page</a>.
                </p>
              </Empty>
            }
          />
        )}
      </Loaded>
    </Panel>
  )
}

const columnsOf = (signal: number): ReadonlyArray<Column<Incoming>> => [
  {
    key: "at",
    title: "Received",
    cell: ({ id, received_at }) => (
      <a href={href("alerts", [], { signal, alert: id })}>
        <Time at={received_at} />
      </a>
    )
  },
  {
    key: "type",
    title: "Alert",
    cell: ({ coin, quote_currency, repeats, type }) => (
      <span class="badges">
        <span class="number">
          <span class="strong">{type.replace("_", " ")}</span> {coin}/{quote_currency}
        </span>
        {repeats > 0 ? <Badge>sent {repeats + 1} times</Badge> : null}
      </span>
    )
  },
  { key: "outcomes", title: "Outcomes", cell: (it) => <Outcomes of={it} /> }
]

const Outcomes = ({ of: { outcomes, warnings } }: { of: Incoming }) => (
  <ul class="outcome-lines">
    {outcomes.length === 0 ? <li class="quiet">no strategy follows it, or none has decided yet</li> : null}
    {outcomes.slice(0, WRITTEN).map(({ outcome, strategy_id, strategy_name, text }) => (
      <li key={strategy_id}>
        <Badge tone={outcome === "acted" ? "good" : "plain"}>
          {outcome === "acted" ? "acted" : "ignored"}
        </Badge>{" "}
        {strategy_name === null ? (
          <span class="quiet">a deleted strategy</span>
        ) : (
          <a href={href("strategy", [strategy_id])}>{strategy_name}</a>
        )}
        : <Sentence text={text} />
      </li>
    ))}
    {outcomes.length > WRITTEN ? <li class="quiet">and {outcomes.length - WRITTEN} more</li> : null}
    {warnings.map((warning) => (
      <li key={warning}>
        <Badge tone="warn">warning</Badge> {warning}
      </li>
    ))}
  </ul>
)
