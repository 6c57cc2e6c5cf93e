// Requests at both ends of every bound and one step beyond, and settings that only older versions accepted.
import { Either } from "effect"
import { shelf } from "../../src/domain/catalogue/Catalogue.ts"
import { EXCHANGE_NAMES, type MarketId } from "../../src/domain/Market.ts"
import { parseBody } from "../../src/domain/requests/StrategyRequest.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import type { Body } from "./strategy.ts"

/** What a number may be at its ends, and what it may not be. */
interface Ends {
  readonly within: ReadonlyArray<number>
  readonly beyond: ReadonlyArray<number>
}

const distance: Ends = { within: [1e-13, 1e-11, 0.01, 50, 99.999999], beyond: [0, -1, 100, 1e308] }
const profit: Ends = { within: [1e-13, 1e-11, 0.01, 1_000_000], beyond: [0, 1_000_000.1, 1e12, 1e308] }
const share: Ends = { within: [0, 1e-11, 0.01, 100], beyond: [-0.01, 100.01, 1e308] }
const fee: Ends = { within: [0, 1e-13, 10], beyond: [-0.01, 10.01, 1e308] }
const size: Ends = { within: [1e-13, 0.01, 1000], beyond: [0, 1000.01, 1e308] }
const retries: Ends = { within: [1, 200], beyond: [0, 201, 1.5] }
const minutes: Ends = { within: [1, 525_600], beyond: [0, -1, 525_601, 1.5] }
const wait: Ends = { within: [0, 1, 525_600], beyond: [-1, 525_601, 0.5] }
const price: Ends = { within: [1e-12, 1e12], beyond: [0, -1, 1.01e12, 1e308] }

/** Each feature with its switch, where it has one, and its numbers. */
const features: ReadonlyArray<{ readonly on?: string; readonly numbers: Readonly<Record<string, Ends>> }> = [
  { numbers: { buy_percentage: share } },
  { numbers: { maker_fee: fee, taker_fee: fee } },
  { numbers: { sell_minprofitpercent: profit } },
  { on: "strategy_trailing_buy_switch", numbers: { trailing_buy_percentage: distance } },
  { on: "trailing_sell", numbers: { trailing_sell_arm: profit, trailing_sell_percentage: distance } },
  { on: "stop_loss", numbers: { stop_loss_percentage: distance } },
  {
    on: "strategy_dca_switch",
    numbers: {
      dca_aftertime: wait,
      dca_maxretries: retries,
      dca_percentagetrigger: distance,
      dca_ordersize: size
    }
  },
  {
    on: "balance_take_profit",
    numbers: {
      balance_take_profit_trigger: { within: [0.01, 1_000_000], beyond: [1e-13, 0.0099, 1_000_001, 1e308] },
      balance_take_profit_cooldown: wait
    }
  },
  {
    on: "balance_stop_loss",
    numbers: {
      balance_stop_loss_trigger: { within: [0.01, 99.99], beyond: [1e-11, 0.0099, 100, 1e308] },
      balance_stop_loss_cooldown: wait
    }
  },
  { on: "auto_close_position_enabled", numbers: { auto_close_position_value: minutes } }
]

const MOST_PAIRS = 200
const FEW_PAIRS = 2
const isOurs = ({ exchange, pair }: MarketId): boolean =>
  exchange === "binance" && (pair === "BTC/USDT" || pair === "ETH/USDT")
/** Every spot market that there is, those of this world first. */
const SPOT = EXCHANGE_NAMES.flatMap((name) => [...shelf(name).markets.values()])
  .filter(({ kind }) => kind === "spot")
  .sort((one, other) => Number(isOurs(other)) - Number(isOurs(one)))

/** So many pairs, as a request lists them. */
const listing = (count: number): ReadonlyArray<Body> =>
  [...Map.groupBy(SPOT.slice(0, count), ({ exchange }) => exchange)].map(([exchange_name, markets]) => ({
    exchange_name,
    coin_pairs: markets.map(({ pair }) => pair)
  }))

/** Rules at the ends of their bounds, in the request dialect. */
export const rulesOf = (dice: SeededRandom): Body => {
  const body: Record<string, unknown> = {}
  for (const { numbers, on } of features) {
    if (on !== undefined) {
      body[on] = dice.chance(0.4)
      if (body[on] === false) continue
    } else if (!("buy_percentage" in numbers) && dice.chance(0.5)) continue
    for (const [name, { within }] of Object.entries(numbers)) body[name] = dice.pick(within)
  }
  return body
}

/** A whole strategy with such rules. */
export const requestOf = (dice: SeededRandom, signal: number | null, name: string): Body => ({
  ...{ name, description: "", active: true, public: dice.chance(0.5), signal_id: signal },
  ...{ default_quote_currency: "USDT", default_exchange_name: "binance" },
  exchanges: listing(dice.chance(0.05) ? MOST_PAIRS : FEW_PAIRS),
  ...rulesOf(dice)
})

/** The same with one value beyond its bound: nobody may be let in with it. */
export const beyond = (dice: SeededRandom, body: Body): Body => {
  if (dice.chance(0.1)) return { ...body, exchanges: listing(MOST_PAIRS + 1) }
  const { numbers, on } = dice.pick(features)
  const given = Object.entries(numbers).map(([name, { within }]) => [name, dice.pick(within)])
  const [name, ends] = dice.pick(Object.entries(numbers))
  const switched = on === undefined ? {} : { [on]: true }
  return { ...body, ...switched, ...Object.fromEntries(given), [name]: dice.pick(ends.beyond) }
}

/** A target's price at the ends of what it may be. */
export const target = (dice: SeededRandom): number => dice.pick(price.within)
/** One that it may not be. */
export const targetBeyond = (dice: SeededRandom): number => dice.pick(price.beyond)
/** One that older versions took. */
export const OLD_TARGET = 1e308

/** Settings that versions before the bounds took, and that may be on disk still. */
export const oldSettings = (dice: SeededRandom, signal: number, name: string): Settings | undefined => {
  const read = parseBody({ ...requestOf(dice, signal, name), buy_percentage: 50, signal_id: signal })
  if (Either.isLeft(read)) return undefined
  const { settings } = read.right
  const cooldownMinutes = 0
  return dice.pick<() => Settings>([
    () => ({ ...settings, minProfitPercent: 1e308 }),
    () => ({ ...settings, trailingSell: { armPercent: 1e308, percent: 1 } }),
    () => ({ ...settings, balanceTakeProfit: { triggerPercent: 1e308, cooldownMinutes } }),
    () => ({ ...settings, balanceTakeProfit: { triggerPercent: 1e-13, cooldownMinutes } }),
    () => ({ ...settings, balanceStopLoss: { triggerPercent: 1e-11, cooldownMinutes } })
  ])()
}
