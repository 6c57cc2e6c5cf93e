// The result of a back-test: figures, curve, charts, trades, and every alert that changed nothing.

import { Fragment } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { wordsOf } from "../../../domain/fills/FillWords.ts"
import { MarkedCurve } from "../figures/MarkedCurve.tsx"
import { MarkedFigures } from "../figures/MarkedFigures.tsx"
import { TradeGroups } from "../figures/TradeGroups.tsx"
import * as Format from "../parts/format.ts"
import { Reason } from "../parts/GuideLink.tsx"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Amount, Count, Money, Percent, Price, Ratio, Time } from "../parts/Value.tsx"
import type { Draft } from "../strategies/form.ts"
import { marketOf } from "../strategy/board.ts"
import { PriceChart } from "../strategy/PricePanel.tsx"
import { RulePanel } from "./RulePanel.tsx"
import { saveReport } from "./saveReport.ts"
import type { Result as TestResult } from "./setup.ts"
import { Trades } from "./Trades.tsx"

interface Shown {
  readonly result: TestResult
  readonly took: string
  readonly isStale: boolean
  /** The settings that ran, for the report. */
  readonly strategy: Draft | undefined
}

/** Shows the result and moves the focus to it. */
export const Result = ({ result, took, isStale, strategy }: Shown) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: "start" })
  }, [result])
  return (
    <section class="result" aria-label="Result">
      <h2 class="result-title" tabIndex={-1} ref={heading}>
        Result
      </h2>
      <p class="quiet">
        {factsOf(result)} It took {took}.
      </p>
      {strategy === undefined ? null : (
        <div class="actions">
          <button type="button" class="button" onClick={() => saveReport(result, strategy)}>
            Save as HTML report
          </button>
        </div>
      )}
      {isStale ? <Notice>The settings have changed since: run the back-test again.</Notice> : null}
      <ResultPanels result={result} />
    </section>
  )
}

/** The days of a result, and what it was made from, in a sentence. */
export const factsOf = ({
  alerts,
  ambiguous_candles: ambiguous,
  candles,
  performance
}: TestResult): string => {
  const { end, start } = performance.summary.period
  const days = start === end ? Format.utcDay(start) : `${Format.utcDay(start)} to ${Format.utcDay(end)}`
  return `${days} (UTC): ${Format.counted(candles, "candle")} and ${Format.counted(alerts, "alert")}.${ambiguous === 0 ? "" : ` In ${Format.counted(ambiguous, "candle")} the true sequence of prices cannot be known.`}`
}

/** The panels of a result: in the dashboard, and in a report. */
export const ResultPanels = ({ result }: { result: TestResult }) => {
  const { currency } = result.equity
  return (
    <>
      {result.fills === undefined ? null : <NearerToLife fills={result.fills} currency={currency} />}
      {result.warnings.map(({ code, text }) => (
        <Notice key={code} tone="warn">
          {text.charAt(0).toUpperCase() + text.slice(1)}.
        </Notice>
      ))}
      <MarkedFigures figures={result.figures} />
      <Panel title="Equity">
        {result.candles === 0 ? (
          <Empty title="There were no candles" />
        ) : (
          <MarkedCurve points={result.points} currency={currency} />
        )}
      </Panel>
      <Performance result={result} />
      <Charts charts={result.charts} />
      <TradeGroups completed={result.figures.completed} currency={currency} />
      {result.rule === undefined ? null : <RulePanel rule={result.rule} />}
      {result.open.length === 0 ? null : (
        <Panel title="Still open at the end">
          <Table
            label="Positions still open"
            columns={openColumns(currency)}
            rows={result.open}
            id={marketOf}
          />
        </Panel>
      )}
      {result.ignored.length === 0 ? null : (
        <Panel title="Ignored alerts">
          <Table label="Ignored alerts" columns={IGNORED} rows={result.ignored} id={({ reason }) => reason} />
        </Panel>
      )}
      {result.skipped_lines.length === 0 ? null : (
        <Panel title="Skipped lines">
          <ul class="lines">
            {result.skipped_lines.map((line) => (
              <li key={line}>{line.charAt(0).toUpperCase() + line.slice(1)}</li>
            ))}
          </ul>
        </Panel>
      )}
      <Trades trades={result.trades} total={result.trades_total} currency={currency} />
    </>
  )
}

/** Words with commas between them, and a line may end after each comma. */
const Words = ({ of }: { of: string }) => (
  <>
    {of.split(",").map((word, place) => (
      <Fragment key={word}>
        {place === 0 ? null : ","}
        <wbr />
        {word}
      </Fragment>
    ))}
  </>
)

/** How the fills were made, with their values, and what could not be imitated. */
const NearerToLife = ({ currency, fills }: { fills: NonNullable<TestResult["fills"]>; currency: string }) => (
  <Notice>
    Fills nearer to life: {wordsOf(fills).join("; ")} (--fills <Words of={fills.text} />
    ).
    {fills.funding_received === undefined
      ? ""
      : ` Funding came to ${Format.money(fills.funding_received, currency, true)}.`}{" "}
    {fills.remarks.join(" ")}
  </Notice>
)

const Performance = ({ result }: { result: TestResult }) => {
  const { summary } = result.performance
  const { currency } = result.equity
  const ratio = result.figures.completed.expectancy_ratio
  const factor = summary.profit_factor === null ? "no loss" : Format.ratio(summary.profit_factor)
  return (
    <Panel title="Completed trades">
      <Figures>
        <Figure label="Net P&L" note={`of ${Format.money(summary.starting_equity, currency)}`}>
          <Money value={summary.net_pnl} currency={currency} sign />
        </Figure>
        <Figure label="ROI" note="net P&L over the starting balance">
          <Percent value={summary.roi_pct} sign />
        </Figure>
        <Figure label="Drawdown of closed trades" note="without what open positions lost meanwhile">
          <Percent value={summary.max_drawdown_pct} />
        </Figure>
        <Figure label="Trades" note={`${Format.percent(summary.win_rate_pct, false, 1)} of them won`}>
          <Count value={summary.trade_count} />
        </Figure>
        <Figure label="Profit factor" note="gains over losses">
          <span class="number">{summary.trade_count === 0 ? "–" : factor}</span>
        </Figure>
        <Figure label="Mean trade" note={`held ${Format.duration(summary.avg_hold_time_min * 60)}`}>
          <Money value={summary.avg_trade} currency={currency} sign />
        </Figure>
        <Figure label="Expectancy ratio" note="mean result over the mean loss">
          <Ratio value={ratio} />
        </Figure>
        <Figure label="Best trade">
          <Money value={summary.best_trade} currency={currency} sign />
        </Figure>
        <Figure label="Worst trade">
          <Money value={summary.worst_trade} currency={currency} sign />
        </Figure>
        <Figure label="Fees paid" note="included in the figures">
          <Money value={summary.fees_paid} currency={currency} />
        </Figure>
        <Figure label="Volatility" note="standard deviation of daily returns">
          <Percent value={summary.volatility_pct} />
        </Figure>
      </Figures>
    </Panel>
  )
}

/** Prices and fills, one market at a time. */
const Charts = ({ charts }: Pick<TestResult, "charts">) => {
  const [chosen, setChosen] = useState(0)
  const shown = charts[chosen] ?? charts[0]
  if (shown === undefined) return null
  return (
    <Panel
      title="Prices and fills"
      actions={
        charts.length === 1 ? null : (
          <select
            class="market-choice"
            aria-label="Market"
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {charts.map((it, index) => (
              <option key={marketOf(it)} value={index}>
                {marketOf(it)}
              </option>
            ))}
          </select>
        )
      }
    >
      <PriceChart
        key={marketOf(shown)}
        prices={shown.chart}
        levels={NO_LEVELS}
        label={marketOf(shown)}
        fit={marketOf(shown)}
      />
      <p class="explain">
        Blue marks are entries: arrows open, circles add. Green and red marks are exits: arrows close, squares
        close a part, and red ones are stops. Arrows up buy, arrows down sell.
      </p>
    </Panel>
  )
}

const NO_LEVELS: [] = []

type Open = TestResult["open"][number]
const openColumns = (currency: string): ReadonlyArray<Column<Open>> => [
  { key: "market", title: "Market", cell: (it) => `${marketOf(it)}, ${it.side}` },
  { key: "opened", title: "Opened", cell: ({ opened_at }) => <Time at={opened_at} /> },
  { key: "quantity", title: "Quantity", align: "right", cell: ({ quantity }) => <Amount value={quantity} /> },
  {
    key: "entry",
    title: "Mean entry",
    align: "right",
    cell: ({ entry_price }) => <Price value={entry_price} />
  },
  {
    key: "cost",
    title: "Cost",
    align: "right",
    cell: ({ cost }) => <Money value={cost} currency={currency} />
  },
  {
    key: "entries",
    title: "Entries",
    align: "right",
    wide: true,
    cell: ({ entries }) => <Count value={entries} />
  }
]

type Ignored = TestResult["ignored"][number]
const IGNORED: ReadonlyArray<Column<Ignored>> = [
  {
    key: "why",
    title: "Why",
    cell: ({ reason, text }) => (
      <>
        {text.charAt(0).toUpperCase() + text.slice(1)}{" "}
        <span class="quiet">
          (<Reason reason={reason} />)
        </span>
      </>
    )
  },
  {
    key: "count",
    title: "Alerts",
    align: "right",
    cell: ({ count }) => <Count value={count} />
  }
]
