// Why a rule raised an alert: the entry, the candle, and the values at its close.
import * as Format from "../parts/format.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { Price } from "../parts/Value.tsx"
import type { Incoming } from "./Incoming.ts"

type Rule = NonNullable<Incoming["rule"]>
type Value = NonNullable<Incoming["values"]>[number]

export const RuleOrigin = ({ rule, values = [] }: { rule: Rule; values: Incoming["values"] }) => (
  <>
    <p>
      Raised by <code>{rule.by}</code>, version {rule.version} of the rule,{" "}
      {rule.close === null ? (
        <>
          at its time, for {rule.pair} on {rule.exchange}.
        </>
      ) : (
        <>
          as the {rule.timeframe} candle of {rule.pair} on {rule.exchange} closed at{" "}
          <Price value={rule.close} />.
        </>
      )}
    </p>
    {values.length === 0 ? null : (
      <Table label="Values that decided" columns={COLUMNS} rows={values} id={({ text }) => text} />
    )}
  </>
)

const COLUMNS: ReadonlyArray<Column<Value>> = [
  { key: "text", title: "Part of the condition", cell: ({ text }) => <code class="rule-part">{text}</code> },
  {
    key: "value",
    title: "Value at the close",
    align: "right",
    cell: ({ value }) => <span class="number">{value === null ? "–" : Format.price(value)}</span>
  }
]
