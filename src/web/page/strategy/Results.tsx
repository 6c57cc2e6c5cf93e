// A strategy's performance figures, each with its meaning.
import type { ComponentChildren } from "preact"
import { counted, utcDay as day, ratio } from "../parts/format.ts"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Count, Duration, Money, Percent, Time } from "../parts/Value.tsx"
import type { Board } from "./board.ts"

export const Results = ({ board }: { board: Board }) => {
  const { summary } = board.strategy.performance
  const { currency } = board
  const factor =
    summary.profit_factor === null
      ? "no loss yet"
      : summary.trade_count === 0
        ? "–"
        : ratio(summary.profit_factor)
  const rows: ReadonlyArray<readonly [label: string, note: string, value: ComponentChildren]> = [
    [
      "Net P&L",
      "all completed trades, after fees",
      <Money value={summary.net_pnl} currency={currency} sign />
    ],
    ["ROI", "net P&L / starting balance", <Percent value={summary.roi_pct} sign />],
    [
      "Largest drawdown",
      "after completed trades: open positions do not count",
      <Percent value={summary.max_drawdown_pct} />
    ],
    ["Win rate", "trades that made a profit", <Percent value={summary.win_rate_pct} digits={1} />],
    ["Profit factor", "gains over losses; above 1 is a profit", <span class="number">{factor}</span>],
    ["Trades", "completed", <Count value={summary.trade_count} />],
    ["Average trade", "average P&L per trade", <Money value={summary.avg_trade} currency={currency} sign />],
    ["Average hold", "first entry to last exit", <Duration seconds={summary.avg_hold_time_min * 60} />],
    ["Best trade", "the largest gain", <Money value={summary.best_trade} currency={currency} sign />],
    ["Worst trade", "the largest loss", <Money value={summary.worst_trade} currency={currency} sign />],
    ["Fees paid", "included in the figures", <Money value={summary.fees_paid} currency={currency} />],
    ["Volatility", "standard deviation of daily returns", <Percent value={summary.volatility_pct} />],
    [
      "Started with",
      `on ${day(summary.period.start)}`,
      <Money value={summary.starting_equity} currency={currency} />
    ],
    ["Balance", "with completed trades only", <Money value={summary.ending_equity} currency={currency} />]
  ]
  return (
    <Panel title="Completed trades">
      <Period board={board} />
      <Figures>
        {rows.map(([label, note, value]) => (
          <Figure key={label} label={label} note={note}>
            {value}
          </Figure>
        ))}
      </Figures>
      <p class="explain">
        {day(summary.period.start)} to {day(summary.period.end)}, days by UTC.
      </p>
    </Panel>
  )
}

/** When the current period began, unless it is the first. */
const Period = ({ board: { period, period_began_at, trading } }: { board: Board }) =>
  period === 1 ? null : (
    <p class="explain">
      Period {period}, {trading.mode === "paper" ? "on paper" : "at the exchange"}, since{" "}
      <Time at={period_began_at} />: figures and curve start there. Earlier trades are in the list of trades.
    </p>
  )

/** The strategy's current equity, open positions at market. */
export const Now = ({ board }: { board: Board }) => {
  const { currency, strategy } = board
  const { summary } = strategy.performance
  return (
    <Panel title="Now">
      <Figures>
        <Figure label="Equity" note="free cash and open positions, before the fees of closing them">
          <Money value={board.equity} currency={currency} />
        </Figure>
        <Figure label="Open P&L" note="profit or loss if all positions were closed now, after fees">
          <Money value={board.open_pnl} currency={currency} sign />
        </Figure>
        <Figure label="Free cash" note="for new entries">
          <Money value={board.cash} currency={currency} />
        </Figure>
        <Figure label="Net P&L" note={`by ${counted(summary.trade_count, "trade")}`}>
          <Money value={summary.net_pnl} currency={currency} sign />
        </Figure>
        <Figure label="ROI" note="net P&L / starting balance">
          <Percent value={summary.roi_pct} sign />
        </Figure>
      </Figures>
    </Panel>
  )
}
