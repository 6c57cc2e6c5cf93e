// Random strategies with rules tight enough to act within minutes.
import { type AlertType, type Extras, isEntry } from "../../src/domain/Alert.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"

export type Body = Readonly<Record<string, unknown>>

/** Fixed waiting times (minutes), so that a check knows them. */
export interface Waits {
  readonly dcaMinutes: number
  readonly closeMinutes: number | undefined
}

/** Random rules, with the field names of a request. */
export const rulesOf = (dice: SeededRandom, { closeMinutes, dcaMinutes }: Waits): Body => {
  const maybe = (share: number, body: () => Body): Body => (dice.chance(share) ? body() : {})
  return {
    buy_percentage: dice.pick([5, 20, 50, 100]),
    ...maybe(0.25, () => ({
      strategy_trailing_buy_switch: true,
      trailing_buy_percentage: dice.pick([0.3, 0.8])
    })),
    ...maybe(0.5, () => ({ sell_minprofitpercent: dice.pick([0.2, 0.8, 2]) })),
    ...maybe(0.3, () => ({
      trailing_sell: true,
      trailing_sell_arm: dice.pick([0.5, 1]),
      trailing_sell_percentage: dice.pick([0.2, 0.5])
    })),
    ...maybe(0.5, () => ({ stop_loss: true, stop_loss_percentage: dice.pick([1, 3, 8]) })),
    ...maybe(0.6, () => ({
      strategy_dca_switch: true,
      dca_aftertime: dcaMinutes,
      dca_maxretries: dice.pick([1, 3]),
      dca_percentagetrigger: dice.pick([0.5, 1.5]),
      dca_ordersize: dice.pick([20, 50])
    })),
    ...maybe(0.5, () => ({
      balance_take_profit: true,
      balance_take_profit_trigger: dice.pick([0.15, 0.6]),
      balance_take_profit_cooldown: dice.pick([1, 2])
    })),
    ...maybe(0.5, () => ({
      balance_stop_loss: true,
      balance_stop_loss_trigger: dice.pick([0.3, 1.5]),
      balance_stop_loss_cooldown: dice.pick([1, 2])
    })),
    ...maybe(0.5, () => ({ max_entries: dice.pick([2, 4]) })),
    ...maybe(0.5, () => ({ on_opposite: dice.pick(["ignore", "close", "reverse"]) })),
    ...maybe(0.4, () => ({ take_profit_steps: stepsOf(dice), break_even_after: dice.pick([null, 1]) })),
    ...maybe(0.15, () => ({ risk_percent: dice.pick([0.3, 1]) })),
    ...(closeMinutes === undefined
      ? {}
      : { auto_close_position_enabled: true, auto_close_position_value: closeMinutes })
  }
}

/** Two steps that leave something, or three that leave nothing. */
const stepsOf = (dice: SeededRandom) =>
  dice.chance(0.5)
    ? [
        { profit_percent: 0.2, close_percent: 40 },
        { profit_percent: 0.6, close_percent: 30 }
      ]
    : [
        { profit_percent: 0.3, close_percent: 33.3 },
        { profit_percent: 0.5, close_percent: 33.3 },
        { profit_percent: 1, close_percent: 33.4 }
      ]

/** A whole strategy. */
export const requestOf = (dice: SeededRandom, signal: number, waits: Waits): Body => ({
  name: "Sim",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  signal_id: signal,
  exchanges: [
    {
      exchange_name: "binance",
      coin_pairs: dice.pick([["BTC/USDT", "ETH/USDT"], ["ETH/USDT", "BTC/USDT"], ["BTC/USDT"]])
    }
  ],
  // Fees of an exchange whose taker fee is far above its maker fee.
  ...(dice.chance(0.4) ? { maker_fee: 0.1, taker_fee: 0.6 } : {}),
  ...rulesOf(dice, waits)
})

/** Optional fields of an alert: a part, a turn, a ladder around the price, a size. */
export const extrasOf = (dice: SeededRandom, type: AlertType, price: number): Extras => {
  if (!isEntry(type)) return dice.chance(0.4) ? { closePercent: dice.pick([1, 10, 33.3, 50, 70, 100]) } : {}
  const way = type === "short" ? -1 : 1
  const at = (percent: number) => Math.round(price * (100 + way * percent)) / 100
  return {
    ...(type !== "buy" && dice.chance(0.4) ? { reverse: dice.chance(0.8) } : {}),
    ...(dice.chance(0.2)
      ? {
          tps: [
            { price: at(0.3), percent: dice.pick([20, 50]) },
            { price: at(0.9), percent: dice.pick([30, 50]) }
          ]
        }
      : {}),
    ...(dice.chance(0.15) ? { buyPercentage: dice.pick([0, 3, 30]) } : {})
  }
}
