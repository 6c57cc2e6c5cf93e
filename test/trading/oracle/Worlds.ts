// The long worlds of `world.ts` as cases: hundreds of candles with holes and gaps, and wild ones.
import type { Settings } from "../../../src/domain/Strategy.ts"
import type { World } from "../world.ts"
import type { Candle, Case, Wishes } from "./Case.ts"

const wishesOf = (s: Settings): Wishes => ({
  active: s.active,
  buy_percentage: s.buyPercent,
  maker_fee: s.makerFeePercent ?? 0,
  taker_fee: s.takerFeePercent ?? 0,
  pairs: s.exchanges.flatMap(({ pairs }): ReadonlyArray<string> => pairs),
  signal_ignores_sell_min_profit_percent: s.signalIgnoresMinProfit,
  ...(s.minProfitPercent !== undefined && { sell_minprofitpercent: s.minProfitPercent }),
  ...(s.trailingBuy && { trailing_buy_percentage: s.trailingBuy.percent }),
  ...(s.dca && {
    dca: {
      after: s.dca.waitMinutes,
      retries: s.dca.maxRetries,
      trigger: s.dca.triggerPercent,
      size: s.dca.orderSizePercent
    }
  }),
  ...(s.trailingSell && {
    trailing_sell: { arm: s.trailingSell.armPercent, percent: s.trailingSell.percent }
  }),
  ...(s.stopLoss && { stop_loss_percentage: s.stopLoss.percent }),
  ...(s.balanceTakeProfit && {
    balance_take_profit: {
      trigger: s.balanceTakeProfit.triggerPercent,
      cooldown: s.balanceTakeProfit.cooldownMinutes
    }
  }),
  ...(s.balanceStopLoss && {
    balance_stop_loss: {
      trigger: s.balanceStopLoss.triggerPercent,
      cooldown: s.balanceStopLoss.cooldownMinutes
    }
  }),
  ...(s.autoClose && { auto_close_position_value: s.autoClose.minutes })
})

/** The case of a world. */
export const caseOf = ({ backtest, market }: World): Case => ({
  balance: 10_000,
  strategy: wishesOf(backtest.settings),
  series: backtest.series.map(({ columns, pair }) => ({
    pair,
    market,
    candles: Array.from({ length: columns.length }, (_, i): Candle => {
      const at = (column: Float64Array) => column[i] ?? Number.NaN
      return [at(columns.at), at(columns.open), at(columns.high), at(columns.low), at(columns.close)]
    })
  })),
  alerts: backtest.alerts.map(({ at, pair, sl, tp, type }) => ({
    time: at,
    pair,
    type,
    ...(tp !== undefined && { tp }),
    ...(sl !== undefined && { sl })
  }))
})
