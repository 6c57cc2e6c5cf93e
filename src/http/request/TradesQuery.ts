// The filters of an account's trades, checked with all violations at once.
import * as Schema from "effect/Schema"
import { TRADE_MODES, TRADE_RESULTS } from "../../api/AllTrades.ts"
import { EXIT_REASONS, type ExitReason } from "../../domain/Order.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { TradeFilter } from "../../services/records/TradeSearch.ts"
import type { Stretch } from "../../services/records/Trades.ts"
import { MAX_TIME, type Read, type Texts, type TradePage, tradePage } from "./DashboardQuery.ts"
import { Parameters } from "./Parameters.ts"

/** The filters as they stand in a URL. */
export type Filters = Texts<
  "strategy_id" | "pair" | "side" | "exit_reason" | "result" | "from" | "to" | "mode"
>

/** The longest part of a pair, in UTF-16 units. */
const MAX_PAIR = 64

const isStrategyId = Schema.is(StrategyId)

/** Parses the filters. */
export const filter = (query: Filters): Read<TradeFilter> => {
  const parameters = new Parameters()
  return parameters.done(filterOf(query, parameters))
}

/** Parses the filters and the page. */
export const page = (
  query: Filters & TradePage
): Read<{ readonly filter: TradeFilter; readonly stretch: Stretch }> => {
  const parameters = new Parameters()
  return parameters.done({ filter: filterOf(query, parameters), stretch: tradePage(query, parameters) })
}

const filterOf = (query: Filters, parameters: Parameters): TradeFilter => {
  const strategy = parameters.whole("strategy_id", query.strategy_id, 1, Number.MAX_SAFE_INTEGER)
  const pair = pairIn(query.pair, parameters)
  const side = parameters.oneOrNone("side", query.side, ["long", "short"])
  const exitReason = reasonIn(query.exit_reason, parameters)
  const result = parameters.oneOrNone("result", query.result, [...TRADE_RESULTS])
  const { from, until } = rangeIn(query, parameters)
  const mode = parameters.oneOrNone("mode", query.mode, [...TRADE_MODES])
  return {
    ...(isStrategyId(strategy) ? { strategy } : {}),
    ...(pair === undefined ? {} : { pair }),
    ...(side === undefined ? {} : { side }),
    ...(exitReason === undefined ? {} : { exitReason }),
    ...(result === undefined ? {} : { result }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(mode === undefined ? {} : { live: mode === "live" })
  }
}

/** Why a trade was closed. There are too many reasons to list them in a message. */
const reasonIn = (text: string | undefined, parameters: Parameters): ExitReason | undefined =>
  text === undefined
    ? undefined
    : (EXIT_REASONS.find((it) => it === text) ??
      parameters.refuse("exit_reason", "must be why a trade was closed, such as take_profit or stop_loss"))

/** A part of a pair, in capitals. */
export const pairIn = (text: string | undefined, parameters: Parameters): string | undefined =>
  text === undefined || (text.length <= MAX_PAIR && !text.includes("\0"))
    ? text?.toUpperCase()
    : parameters.refuse("pair", `must be one text of at most ${MAX_PAIR} characters`)

/** A range of time in ms, whose end is exclusive: `to` includes its whole second. */
export const rangeIn = (query: Texts<"from" | "to">, parameters: Parameters) => {
  const from = parameters.whole("from", query.from, 0, MAX_TIME)
  const to = parameters.whole("to", query.to, 0, MAX_TIME)
  if (from !== undefined && to !== undefined && from > to) parameters.refuse("from", "must not be after to")
  return {
    from: from === undefined ? undefined : from * 1000,
    until: to === undefined ? undefined : (to + 1) * 1000
  }
}
