// The values of a rule's conditions at the last closed candle, and at the one under way, which may still change.
import { Badge } from "../../parts/Badge.tsx"
import * as Format from "../../parts/format.ts"
import { type Column, Table } from "../../parts/Table.tsx"
import { type Present, type RuleChart, valueText } from "./chart.ts"

/** A line of the table: a condition, or a number that it names. */
interface Line {
  readonly key: string
  readonly text: string
  readonly isCondition: boolean
  readonly closed: string
  readonly forming: string
}

export const LiveValues = ({ chart }: { chart: RuleChart }) => (
  <>
    <h3>Values at present</h3>
    <p class="explain">
      A rule is looked at when a candle closes: an alert is raised where a condition holds that did not hold
      at the candle before. The candle under way may still change.
    </p>
    <Table
      label="Values of the rule at present"
      columns={chart.forming === null ? COLUMNS.filter(({ key }) => key !== "forming") : COLUMNS}
      rows={chart.entries.flatMap(linesOf)}
      id={({ key }) => key}
    />
  </>
)

const linesOf = ({ by, holds, holds_forming, type, values, when }: Present): ReadonlyArray<Line> => [
  {
    key: by,
    text: `${Format.words(type)} when ${when}`,
    isCondition: true,
    closed: holdsText(holds),
    forming: holdsText(holds_forming)
  },
  ...values.map(({ closed, forming, text }) => ({
    key: `${by} ${text}`,
    text,
    isCondition: false,
    closed: valueText(closed),
    forming: valueText(forming)
  }))
]

const holdsText = (holds: boolean | null): string =>
  holds === null ? "–" : holds ? "holds" : "does not hold"

const cell = (line: Line, value: string) =>
  line.isCondition ? (
    <Badge tone={value === "holds" ? "good" : "plain"}>{value}</Badge>
  ) : (
    <span class="number">{value}</span>
  )

const COLUMNS: ReadonlyArray<Column<Line>> = [
  {
    key: "text",
    title: "Condition or number",
    cell: ({ isCondition, text }) => <code class={isCondition ? "strong" : "rule-part"}>{text}</code>
  },
  { key: "closed", title: "Last closed candle", align: "right", cell: (line) => cell(line, line.closed) },
  { key: "forming", title: "Candle under way", align: "right", cell: (line) => cell(line, line.forming) }
]
