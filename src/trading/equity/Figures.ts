// The figures of a strategy as they are answered, from the fold over samples and the groups of completed trades. All
// rounding happens here: percentages and ratios to 4 decimals, money to 8, times to whole seconds.
import type {
  CompletedFigures,
  EquityFigures,
  EquityPoint,
  MarkedFigures
} from "../../domain/equity/EquityFigures.ts"
import { ExchangeName, type MarketId, Pair } from "../../domain/Market.ts"
import { EXIT_REASONS } from "../../domain/Order.ts"
import { MONEY_PLACES, money, PERCENT_PLACES, rounded } from "../Performance.ts"
import * as EquityFold from "./EquityFold.ts"
import * as TradeGroups from "./TradeGroups.ts"

/** What the figures are made of. `hold` is the worth (quote) of buying and holding; null where there is no pair. */
export interface Measured {
  readonly currency: string
  readonly state: EquityFold.EquityState
  readonly hold: number | null
  readonly groups: ReadonlyArray<TradeGroups.TradeGroup>
}

/** All figures, times in seconds. */
export const figuresOf = (measured: Measured): EquityFigures => {
  const { currency, groups, state } = measured
  return {
    currency,
    since: seconds(state.since),
    until: seconds(state.at),
    samples: state.samples,
    marked: markedOf(measured),
    completed: completedOf(groups)
  }
}

const seconds = (at: number): number => Math.floor(at / 1000)
const percent = (fraction: number): number => rounded(fraction * 100, PERCENT_PLACES)
const ratio = (value: number | null): number | null =>
  value === null ? null : rounded(value, PERCENT_PLACES)

/** A point as it is shown; its time stays as it is. */
export const shownPoint = ([at, equity, drawdown, hold]: EquityPoint): EquityPoint => [
  at,
  rounded(equity, MONEY_PLACES),
  rounded(drawdown, PERCENT_PLACES),
  hold === null ? null : rounded(hold, MONEY_PLACES)
]

/** A point as the API shows it: its time in seconds. */
export const pointInSeconds = (point: EquityPoint): EquityPoint => {
  const [at, ...rest] = shownPoint(point)
  return [seconds(at), ...rest]
}

const markedOf = ({ hold, state }: Measured): MarkedFigures => {
  const { ms, recovered } = EquityFold.longestDrawdown(state)
  const annual = EquityFold.annualReturn(state)
  return {
    starting_equity: rounded(state.starting, MONEY_PLACES),
    equity: rounded(state.equity, MONEY_PLACES),
    return_pct: percent(EquityFold.totalReturn(state)),
    max_drawdown_pct: percent(state.drawdown),
    drawdown_now_pct: percent(EquityFold.drawdownNow(state)),
    longest_drawdown_seconds: seconds(ms),
    longest_drawdown_recovered: recovered,
    exposure_pct: rounded(EquityFold.exposure(state), PERCENT_PLACES),
    time_in_market_pct: percent(EquityFold.timeInMarket(state)),
    hold_return_pct: hold === null ? null : percent(state.starting === 0 ? 0 : hold / state.starting - 1),
    annual_return_pct: annual === null ? null : percent(annual),
    sharpe: ratio(EquityFold.sharpe(state)),
    sortino: ratio(EquityFold.sortino(state)),
    calmar: ratio(EquityFold.calmar(state))
  }
}

/** The figures of completed trades: markets by name, reasons as they are listed, months in sequence. */
export const completedOf = (groups: ReadonlyArray<TradeGroups.TradeGroup>): CompletedFigures => {
  const all = groups.find(({ by }) => by === "all") ?? TradeGroups.empty({ by: "all", name: "" })
  const of = (wanted: TradeGroups.Grouping) =>
    groups.filter(({ by }) => by === wanted).sort((one, other) => (one.name < other.name ? -1 : 1))
  return {
    trades: all.trades,
    expectancy: money(TradeGroups.expectancy(all)),
    expectancy_ratio: ratio(TradeGroups.expectancyRatio(all)),
    by_pair: of("pair").flatMap((group) => {
      const market = marketOf(group.name)
      return market === undefined ? [] : [{ ...market, ...sumsOf(group) }]
    }),
    by_exit_reason: EXIT_REASONS.flatMap((exit_reason) =>
      of("exit_reason")
        .filter(({ name }) => name === exit_reason)
        .map((group) => ({ exit_reason, ...sumsOf(group) }))
    ),
    by_month: of("month").map((group) => ({ month: group.name, ...sumsOf(group) }))
  }
}

const sumsOf = (group: TradeGroups.TradeGroup) => ({
  trades: group.trades,
  wins: group.wins,
  net_pnl: money(TradeGroups.net(group)),
  fees: money(group.fees)
})

/** The market of a key. */
const marketOf = (key: string): MarketId | undefined => {
  const [exchange = "", pair = "", kind] = key.split(":")
  if (kind !== "spot" && kind !== "swap") return undefined
  return { exchange: ExchangeName.make(exchange), pair: Pair.make(pair), kind }
}

/** Times in ms, as `backtest --json` has them. */
export const inMs = (measured: Measured) => {
  const { marked, ...figures } = figuresOf(measured)
  const { longest_drawdown_seconds: _, ...others } = marked
  const { at, since } = measured.state
  const longest = EquityFold.longestDrawdown(measured.state).ms
  return { ...figures, since, until: at, marked: { ...others, longest_drawdown_ms: longest } }
}
