// The parts of the difference as a waterfall, from the test's result to the real one.
import { type Column, Table } from "../../parts/Table.tsx"
import { Count, Money } from "../../parts/Value.tsx"
import { type Comparison, type Step, stepsOf } from "./waterfall.ts"

export const Waterfall = ({ of }: { of: Comparison }) => (
  <>
    <h3>Where the difference comes from</h3>
    <Table
      label="Parts of the difference"
      columns={columnsOf(of.currency)}
      rows={stepsOf(of)}
      id={({ key }) => key}
    />
  </>
)

const columnsOf = (currency: string): ReadonlyArray<Column<Step>> => [
  {
    key: "part",
    title: "Part",
    cell: ({ label, text }) => (
      <span class="whole-words">
        {label}
        <span class="under">{text}</span>
      </span>
    )
  },
  { key: "trades", title: "Trades", align: "right", cell: ({ trades }) => <Count value={trades} /> },
  {
    key: "amount",
    title: "Amount",
    align: "right",
    cell: ({ amount }) => <Money value={amount} currency={currency} sign />
  },
  { key: "bar", title: "From the test to the real result", wide: true, cell: (step) => <Bar of={step} /> }
]

/** The figure beside it says the same. */
const Bar = ({ of: { amount, isResult, width, x } }: { of: Step }) => (
  <svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect
      class={isResult ? "middle" : amount < 0 ? "bad" : "good"}
      x={x}
      width={amount === 0 ? 0 : Math.max(width, 0.5)}
      height="10"
    />
  </svg>
)
