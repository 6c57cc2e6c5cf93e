// What a rule is doing now, market by market.

import { Badge } from "../../parts/Badge.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Value.tsx"
import type { Answer } from "../../wire.ts"

/** The status of a rule, as a signal of one's own has it. */
export type RuleStatus = NonNullable<Answer<"records", "signal">["rule_status"]>
type Market = RuleStatus["markets"][number]

export const StatusTable = ({ status }: { status: RuleStatus }) => (
  <>
    <h3>What it is doing</h3>
    {status.markets.length === 0 ? (
      <p>
        <State of={status} />
      </p>
    ) : (
      <Table
        label="What the rule is doing"
        columns={COLUMNS}
        rows={status.markets}
        id={({ exchange, kind, pair }) => `${exchange} ${pair} ${kind}`}
        most={10}
      />
    )}
  </>
)

const WORDS = {
  acting: "looks at each candle",
  warming_up: "warms up",
  waiting: "waits for candles",
  stopped: "does nothing"
} as const

const State = ({ of }: { of: Pick<Market, "state" | "acts_from" | "reason"> }) => (
  <>
    <Badge tone={of.state === "acting" ? "good" : of.state === "stopped" ? "warn" : "plain"}>
      {WORDS[of.state]}
    </Badge>{" "}
    {of.acts_from === null ? null : (
      <>
        acts from <Time at={of.acts_from} />{" "}
      </>
    )}
    {of.reason === null ? null : <span class="quiet">{of.reason}</span>}
  </>
)

const COLUMNS: ReadonlyArray<Column<Market>> = [
  {
    key: "market",
    title: "Market",
    cell: ({ exchange, kind, pair }) => `${pair} on ${exchange}${kind === "swap" ? ", perpetual" : ""}`
  },
  { key: "state", title: "State", cell: (market) => <State of={market} /> },
  {
    key: "looked_at",
    title: "Last candle looked at",
    align: "right",
    cell: ({ looked_at }) => (looked_at === null ? "none yet" : <Time at={looked_at} />)
  }
]
