// Random strategies for cases.
import * as FastCheck from "effect/FastCheck"
import type { Wishes } from "./Case.ts"
import { type Drawn, int, maybe, percents, pick, plainly, type Taste, wanted, within100 } from "./Draws.ts"

const steps = FastCheck.array(FastCheck.record({ rise: pick(2, 1, 3, 5, 0.5, 8), close: percents }), {
  minLength: 1,
  maxLength: 5
})

const stepsOf = (
  drawn: ReadonlyArray<{ readonly rise: number; readonly close: number }>,
  scaled: (percent: number) => number
) => {
  let profit = 0
  return within100(drawn).map(({ close, rise }) => {
    profit += rise
    return { profit_percent: scaled(profit), close_percent: close }
  })
}

/** A strategy, drawn. */
export const wishes = (taste: Taste) =>
  FastCheck.record({
    active: maybe(pick(false), 40),
    buy: pick(50, 100, 50, 30, 20, 20, 10, 10, 5, 0),
    taker: pick(0, 0.1, 0.5, 1),
    maker: pick(0, 0.05, 0.2),
    min: maybe(pick(2, 1, 0.5, 4, 7), 2),
    ignores: maybe(pick(true), 4),
    trailingBuy: maybe(pick(1, 2, 0.5, 4), 4),
    dca: maybe(
      FastCheck.record({
        after: pick(0, 1, 4),
        retries: pick(1, 2, 5),
        trigger: pick(2, 1, 5),
        size: pick(50, 100, 10, 300)
      }),
      2
    ),
    trailingSell: maybe(FastCheck.record({ arm: pick(2, 1, 4), percent: pick(1, 2, 0.5, 3) }), 2),
    stop: maybe(pick(5, 2, 3, 10), 1),
    balanceUp: maybe(FastCheck.record({ trigger: pick(3, 1, 6), cooldown: pick(0, 3, 10) }), 5),
    balanceDown: maybe(FastCheck.record({ trigger: pick(3, 2, 6), cooldown: pick(0, 3, 10) }), 5),
    auto: maybe(pick(3, 1, 10), 5),
    maxEntries: wanted(taste.chart, pick(3, 1, 2, 50), 1),
    opposite: wanted(taste.chart, pick<"ignore" | "close" | "reverse">("reverse", "close", "ignore"), 1),
    steps: wanted(taste.steps, steps, 1),
    even: wanted(taste.steps, int(1, 3), 1),
    risk: wanted(taste.chart, pick(1, 0.5, 2, 5), 4)
  })

/** The drawn strategy for these pairs, with the distances of its rules scaled. */
export const wishesOf = (
  drawn: Drawn<ReturnType<typeof wishes>>,
  pairs: ReadonlyArray<string>,
  scale: number
): Wishes => {
  const scaled = (percent: number) => Number((percent * scale).toFixed(6))
  const maybeScaled = (percent: number | undefined) => (percent === undefined ? undefined : scaled(percent))
  const taken = drawn.steps === undefined ? undefined : stepsOf(drawn.steps, scaled)
  const even = drawn.even === undefined ? undefined : Math.min(drawn.even, taken?.length ?? 5)
  return plainly({
    active: drawn.active,
    buy_percentage: drawn.buy,
    maker_fee: drawn.maker,
    taker_fee: drawn.taker,
    pairs,
    sell_minprofitpercent: maybeScaled(drawn.min),
    signal_ignores_sell_min_profit_percent: drawn.ignores,
    trailing_buy_percentage: maybeScaled(drawn.trailingBuy),
    dca: drawn.dca && { ...drawn.dca, trigger: scaled(drawn.dca.trigger) },
    trailing_sell: drawn.trailingSell && {
      arm: scaled(drawn.trailingSell.arm),
      percent: scaled(drawn.trailingSell.percent)
    },
    stop_loss_percentage: maybeScaled(drawn.stop),
    balance_take_profit: drawn.balanceUp && { ...drawn.balanceUp, trigger: scaled(drawn.balanceUp.trigger) },
    balance_stop_loss: drawn.balanceDown && {
      ...drawn.balanceDown,
      trigger: scaled(drawn.balanceDown.trigger)
    },
    auto_close_position_value: drawn.auto,
    max_entries: drawn.maxEntries,
    on_opposite: drawn.opposite,
    take_profit_steps: taken,
    break_even_after: even,
    risk_percent: drawn.risk
  })
}
