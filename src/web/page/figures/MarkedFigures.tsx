// The figures of equity marked to the market, each with its meaning.
import type { ComponentChildren } from "preact"
import * as Format from "../parts/format.ts"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Money, Percent, Ratio } from "../parts/Value.tsx"
import type { Answer } from "../wire.ts"

type All = Answer<"backtests", "run">["figures"]
/** The figures that are no amounts of money. */
type Ratios = Omit<All["marked"], "starting_equity" | "equity">
type Rows = ReadonlyArray<readonly [label: string, note: string, value: ComponentChildren]>

export const MarkedFigures = ({
  figures: { currency, marked }
}: {
  figures: Pick<All, "currency" | "marked">
}) => (
  <Rows
    title="Marked to the market"
    rows={[
      [
        "Equity",
        `began with ${Format.money(marked.starting_equity, currency)}`,
        <Money value={marked.equity} currency={currency} />
      ],
      ...ratioRows(marked)
    ]}
  />
)

/** The figures of equity whose amounts are nobody's business. */
export const RatioFigures = ({ of, title }: { of: Ratios; title: string }) => (
  <Rows title={title} rows={ratioRows(of)} />
)

const ratioRows = (marked: Ratios): Rows => {
  const longest = Format.duration(marked.longest_drawdown_seconds)
  return [
    ["Return", "open positions at the last price", <Percent value={marked.return_pct} sign />],
    ["Buy and hold", "the same pairs, bought and kept", <Percent value={marked.hold_return_pct} sign />],
    [
      "Return of a year",
      "at the same pace; from 30 days on",
      <Percent value={marked.annual_return_pct} sign />
    ],
    [
      "Drawdown now",
      "from the highest equity to the present one",
      <Percent value={marked.drawdown_now_pct} />
    ],
    ["Largest drawdown", "deepest fall from a peak", <Percent value={marked.max_drawdown_pct} />],
    [
      "Longest drawdown",
      marked.longest_drawdown_recovered ? "until the peak was reached again" : "not over at the end",
      <span class="number">{marked.longest_drawdown_seconds === 0 ? "none" : longest}</span>
    ],
    ["Exposure", "mean worth of positions over equity", <Percent value={marked.exposure_pct} />],
    ["Time in the market", "with any position open", <Percent value={marked.time_in_market_pct} />],
    ["Sharpe", "mean daily return over its deviation, of a year", <Ratio value={marked.sharpe} />],
    ["Sortino", "the same over losing days only", <Ratio value={marked.sortino} />],
    ["Calmar", "return of a year over the largest drawdown", <Ratio value={marked.calmar} />]
  ]
}

const Rows = ({ rows, title }: { rows: Rows; title: string }) => (
  <Panel title={title}>
    <Figures>
      {rows.map(([label, note, value]) => (
        <Figure key={label} label={label} note={note}>
          {value}
        </Figure>
      ))}
    </Figures>
  </Panel>
)
