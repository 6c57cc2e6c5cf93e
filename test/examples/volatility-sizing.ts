// The size of entries by volatility: the wilder a market was before the run, the less is spent on it. A hook is a plain
// function, so what it knows of the past is computed before; here in a back-test, on a server it is `Decisions.with`.
import assert from "node:assert/strict"
import { Either } from "effect"
import { Decisions, Memory } from "signalbox"
import * as Decimal from "signalbox/domain/Decimal"
import { Pair } from "signalbox/domain/Market"
import { parseCreate } from "signalbox/domain/requests/StrategyRequest"
import * as Backtest from "signalbox/trading/Backtest"
import { type Hooks, OwnDecisions } from "signalbox/trading/OwnDecisions"

const HOUR = 3_600_000
const began = Date.UTC(2025, 0, 1)
const [calm, wild] = [Pair.make("BTC/USDT"), Pair.make("ETH/USDT")]

/** Hourly closes that swing by this share. */
const closesOf = (swing: number) =>
  Array.from({ length: 240 }, (_, hour) => 1_000 * (1 + swing * Math.sin(hour / 3)))
const closes = new Map([
  [calm, closesOf(0.01)],
  [wild, closesOf(0.08)]
])

/** The standard deviation of the relative changes from one close to the next. */
const volatility = (prices: ReadonlyArray<number>): number => {
  const changes = prices.slice(1).map((price, index) => price / (prices[index] ?? price) - 1)
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
  return Math.sqrt(changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / changes.length)
}

/** Spends less where a market is wilder than the target. A market without a past is entered with nothing. */
const sizing = (target: number, known: ReadonlyMap<string, number>): Hooks => ({
  size: ({ market }, amount) => {
    const own = known.get(market.pair)
    return own === undefined ? 0 : amount * Math.min(1, target / own)
  }
})

const measured = new Map([...closes].map(([pair, prices]) => [pair, volatility(prices)]))
const hooks = sizing(0.005, measured)

const columnsOf = (close: ReadonlyArray<number>) => {
  const open = Float64Array.from(close, (price, hour) => close[hour - 1] ?? price)
  return {
    at: Float64Array.from(close, (_, hour) => began + hour * HOUR),
    open,
    high: Float64Array.from(close, (price, hour) => Math.max(price, open[hour] ?? price)),
    low: Float64Array.from(close, (price, hour) => Math.min(price, open[hour] ?? price)),
    close: Float64Array.from(close),
    length: close.length
  }
}

const { settings } = Either.getOrThrow(
  parseCreate({
    name: "Swings",
    description: "",
    active: true,
    public: false,
    buy_percentage: 25,
    default_quote_currency: "USDT",
    default_exchange_name: "binance",
    exchanges: [{ exchange_name: "binance", coin_pairs: [calm, wild] }]
  })
)

const spent = new Map<string, number>()
Backtest.run({
  settings,
  balance: Decimal.fromNumber(10_000),
  series: [...closes].map(([pair, close]) => ({ exchange: "binance", pair, columns: columnsOf(close) })),
  alerts: [calm, wild].map((pair) => ({ type: "buy", pair, at: began + HOUR })),
  market: ({ kind, pair }) =>
    kind === "swap"
      ? undefined
      : {
          ...{ exchange: "binance", pair, kind, active: true, buyEnabled: true },
          ...{ priceStep: Decimal.unsafeFromText("0.01"), amountStep: Decimal.unsafeFromText("0.00001") },
          ...{ minAmount: Decimal.unsafeFromText("0.00001"), minCost: Decimal.unsafeFromText("5") }
        },
  fees: () => ({ makerFeePercent: Decimal.fromNumber(0.1), takerFeePercent: Decimal.fromNumber(0.1) }),
  filled: ({ pair }, { notional }) => void spent.set(pair, Decimal.toNumber(notional)),
  own: new OwnDecisions(hooks, (hook, error) => console.error(hook, error))
})

const [onCalm, onWild] = [spent.get(calm) ?? 0, spent.get(wild) ?? 0]
assert.ok(onWild > 0 && onWild < onCalm / 3)
/** The same on a server. */
export const server = Memory.layerWith(Decisions.with(hooks))
console.log(`spent ${onCalm.toFixed(0)} USDT on the calm market, ${onWild.toFixed(0)} on the wild one`)
