// The exchange of a seeded world of rules: its candles on two markets, some of which streams have otherwise, and when it
// answers.
import * as Effect from "effect/Effect"
import type { Columns } from "../../../src/domain/candles/CandleFile.ts"
import { between } from "../../../src/domain/candles/CandleRange.ts"
import { type MarketId, marketKey, Pair } from "../../../src/domain/Market.ts"
import { type CandleSource, HistoryFailed } from "../../../src/services/rules/ClosedCandles.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { type Bar, barAt } from "../../../src/trading/indicators/Plan.ts"
import { barsOf } from "../../trading/ruleWorld.ts"

export const MINUTE = 60_000
export const MARKETS: ReadonlyArray<MarketId> = ["BTC/USDT", "ETH/USDT"].map((pair) => ({
  ...{ exchange: "binance", kind: "spot", pair: Pair.make(pair) }
}))
/** The share of minutes without a trade, and of those whose candle streams have otherwise. */
const EMPTY = 0.06
const OTHERWISE = 0.12

/** The candles of a market. `streamed` are those that streams have otherwise, by opening time (ms). */
export interface Market {
  readonly id: MarketId
  readonly columns: Columns
  readonly streamed: ReadonlyMap<number, Bar>
}

const walk = (dice: SeededRandom, begin: number, count: number): Columns => {
  const rows: Array<Bar> = []
  let last = 100
  for (let minute = 0; minute < count; minute++) {
    const open = last
    last = Math.max(1, open * (1 + dice.between(-0.01, 0.01)))
    if (dice.chance(EMPTY)) continue
    const [high, low] = [Math.max(open, last) * 1.001, Math.min(open, last) * 0.999]
    rows.push({ at: begin + minute * MINUTE, open, high, low, close: last, volume: dice.whole(1, 9) })
  }
  const column = (name: keyof Bar) => Float64Array.from(rows, (row) => row[name])
  return {
    ...{ at: column("at"), open: column("open"), high: column("high"), low: column("low") },
    ...{ close: column("close"), volume: column("volume"), length: rows.length }
  }
}

/** The markets, with candles from `begin` on. */
export const marketsOf = (dice: SeededRandom, begin: number, count: number): ReadonlyArray<Market> =>
  MARKETS.map((id) => {
    const columns = walk(dice, begin, count)
    const bars = barsOf(columns)
    const streamed = new Map<number, Bar>()
    for (let row = 0; row < bars.length; row++) {
      const bar = barAt(bars, row)
      if (!dice.chance(OTHERWISE)) continue
      const close = bar.close * (1 + dice.between(-0.01, 0.01))
      streamed.set(bar.at, { ...bar, close, high: Math.max(bar.high, close), low: Math.min(bar.low, close) })
    }
    return { id, columns, streamed }
  })

/** The candle of a market that opened at a time (ms); undefined if there was no trade. */
export const barOf = ({ columns }: Market, at: number): Bar | undefined => {
  const bars = barsOf(between(columns, at, at + MINUTE))
  return bars.length === 0 ? undefined : barAt(bars, 0)
}

/** The exchange for a server; it fails while `isDown` says so. */
export const sourceOf = (markets: ReadonlyArray<Market>, isDown: () => boolean): CandleSource => ({
  follow: () => Effect.void,
  next: Effect.never,
  history: (series, from, until) =>
    Effect.suspend(() => {
      const market = markets.find(({ id }) => marketKey(id) === marketKey(series))
      if (market === undefined || isDown())
        return new HistoryFailed({ reason: "it is down", isLasting: false })
      return Effect.succeed(barsOf(between(market.columns, from, until)))
    })
})
