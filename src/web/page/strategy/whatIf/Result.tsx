// The result of a what-if: three columns, their curves, what may be luck, and the trades side by side.
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { Chart } from "../../parts/Chart.tsx"
import * as Format from "../../parts/format.ts"
import { type Column, Table } from "../../parts/Table.tsx"
import { Notice } from "../../parts/Toast.tsx"
import { Count, Money, Percent, Sentence, Time } from "../../parts/Value.tsx"
import { href } from "../../routes.ts"
import { MatchedTrades } from "./MatchedTrades.tsx"
import {
  curvesOf,
  curveWords,
  labelOf,
  SIDES,
  type SideName,
  sentence,
  type Tried,
  titleOf
} from "./tried.ts"

interface Shown {
  readonly of: Tried
  readonly isStale: boolean
  readonly onCopy: () => void
  readonly onApply: () => void
}

/** Shows the result and moves the focus to it. */
export const Result = ({ of, isStale, onCopy, onApply }: Shown) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: "start" })
  }, [of])
  const curves = useMemo(() => curvesOf(of), [of])
  return (
    <section class="result" aria-label="Result">
      <h3 class="result-title" tabIndex={-1} ref={heading}>
        What would have been
      </h3>
      <p>
        <Time at={of.from} /> to <Time at={of.to} />
      </p>
      {isStale ? <Notice>The settings or the time have changed since: try it again.</Notice> : null}
      <Changes of={of} />
      <Columns of={of} />
      <Recording of={of} />
      {of.notices.map((text) => (
        <Notice key={text}>
          <Sentence text={sentence(text)} />
        </Notice>
      ))}
      <Luck of={of} />
      <Chart label={curveWords(of)} series={curves} height={320} fit={`${of.from} ${of.to}`} />
      <p class="explain">
        Equity after each completed trade. Grey is what happened, violet the test of the present settings, and
        blue that of the changed ones.
      </p>
      {of.changes.length === 0 ? null : (
        <div class="actions">
          <button type="button" class="button" disabled={isStale} onClick={onCopy}>
            Make a copy with these settings…
          </button>
          <button type="button" class="button" disabled={isStale} onClick={onApply}>
            Edit the strategy with these settings…
          </button>
        </div>
      )}
      <MatchedTrades of={of} />
      <Tries of={of} />
      <Holes of={of} />
    </section>
  )
}

type Change = Tried["changes"][number]
const CHANGES: ReadonlyArray<Column<Change>> = [
  { key: "setting", title: "Setting", cell: ({ setting }) => labelOf(setting) },
  { key: "from", title: "Present", cell: ({ from }) => from || "none" },
  { key: "to", title: "Changed", cell: ({ to }) => to || "none" }
]

const Changes = ({ of: { changes } }: { of: Tried }) =>
  changes.length === 0 ? (
    <Notice>Nothing is changed that decides about a trade: both tests are the same.</Notice>
  ) : (
    <Table label="Settings that differ" columns={CHANGES} rows={changes} id={({ setting }) => setting} />
  )

type Side = Tried["real"]
interface Row {
  readonly title: string
  readonly cell: (side: Side, currency: string) => ComponentChildren
}

const ROWS: ReadonlyArray<Row> = [
  {
    title: "Net result",
    cell: ({ net_pnl }, currency) => <Money value={net_pnl} currency={currency} sign />
  },
  { title: "Trades", cell: ({ trades }) => <Count value={trades} /> },
  {
    title: "Win rate",
    cell: ({ trades, win_rate_pct }) => <Percent value={trades === 0 ? null : win_rate_pct} digits={1} />
  },
  {
    title: "Profit factor",
    cell: ({ profit_factor, trades }) => (
      <span class="number">
        {trades === 0 ? "–" : profit_factor === null ? "no loss" : Format.ratio(profit_factor)}
      </span>
    )
  },
  { title: "Drawdown", cell: ({ max_drawdown_pct }) => <Percent value={max_drawdown_pct} /> },
  { title: "Fees", cell: ({ fees_paid }, currency) => <Money value={fees_paid} currency={currency} /> },
  { title: "Still open at the end", cell: ({ open }) => <Count value={open} /> }
]

/** What happened, and both tests. */
const Columns = ({ of }: { of: Tried }) => {
  const columns: ReadonlyArray<Column<Row>> = [
    { key: "title", title: "Of completed trades", cell: ({ title }) => title },
    ...SIDES.map(
      (side: SideName): Column<Row> => ({
        key: side,
        title: titleOf(side, of),
        align: "right",
        cell: ({ cell }) => cell(of[side], of.currency)
      })
    )
  ]
  return <Table label="Results side by side" columns={columns} rows={ROWS} id={({ title }) => title} />
}

/** What the first two columns differ by is not of the settings that are tried. */
const Recording = ({ of: { currency, present, real, strategy_id } }: { of: Tried }) => {
  const difference = real.net_pnl - present.net_pnl
  return (
    <p class="explain">
      {difference === 0 ? (
        "The test of the present settings comes to what happened. "
      ) : (
        <>
          What happened is <Money value={difference} currency={currency} sign /> from the test of the present
          settings: the fills, fees, outages and settings of its time. Compare the two tests with each other.{" "}
        </>
      )}
      <a href={href("strategy", [strategy_id], { tab: "compare" })}>Why it did otherwise</a>
    </p>
  )
}

/** What may be luck, in the server's sentences. */
const Luck = ({ of: { luck } }: { of: Tried }) =>
  luck === null ? null : (
    <Notice tone={luck.verdict === "holds" ? "good" : "warn"}>
      {luck.lines.map((line) => (
        <p key={line}>
          <Sentence text={line} />
        </p>
      ))}
    </Notice>
  )

type Try = Tried["tries"][number]

const Tries = ({ of: { currency, tries, tries_total } }: { of: Tried }) => {
  const columns: ReadonlyArray<Column<Try>> = [
    { key: "at", title: "Tried", cell: ({ at }) => <Time at={at} /> },
    {
      key: "changes",
      title: "Changed",
      cell: ({ changes }) => (
        <span class="reasons">
          {changes.map(({ setting, to }) => `${labelOf(setting)} ${to || "none"}`).join(", ")}
        </span>
      )
    },
    {
      key: "net",
      title: "Net result",
      align: "right",
      cell: ({ net_pnl }) => <Money value={net_pnl} currency={currency} sign />,
      sort: ({ net_pnl }) => net_pnl
    },
    { key: "trades", title: "Trades", align: "right", cell: ({ trades }) => <Count value={trades} /> }
  ]
  return tries_total < 2 ? null : (
    <details>
      <summary>{`All ${Format.count(tries_total)} what-ifs on this stretch`}</summary>
      <Table label="What-ifs on this stretch" columns={columns} rows={tries} id={({ at }) => at} />
    </details>
  )
}

/** The stretches without candles. */
const Holes = ({ of: { holes, holes_total } }: { of: Tried }) =>
  holes.length === 0 ? null : (
    <details>
      <summary>{`${Format.counted(holes_total, "stretch", "stretches")} without candles, in which neither test could trade`}</summary>
      <ul>
        {holes.map(({ exchange, from, pair, to }) => (
          <li key={`${exchange} ${pair} ${from}`}>
            {pair} on {exchange}: <Time at={from} /> to <Time at={to} />
          </li>
        ))}
      </ul>
      <p>
        <a href={href("settings", ["candles"])}>Settings, Candles</a> downloads them.
      </p>
    </details>
  )
