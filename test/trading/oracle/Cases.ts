// Random cases that shrink: small numbers, coarse steps and minimums, so that levels coincide and rounding matters.
import * as FastCheck from "effect/FastCheck"
import { alert, alertOf } from "./AlertDraws.ts"
import type { Candle, Case } from "./Case.ts"
import { type Drawn, int, maybe, pick, plainly, type Taste } from "./Draws.ts"
import { wishes, wishesOf } from "./Strategies.ts"

const MINUTE = 60_000
const PAIRS = ["BTC/USDT", "ETH/USDT"] as const

const move = FastCheck.record({
  gap: FastCheck.oneof({ weight: 9, arbitrary: pick(1) }, { weight: 1, arbitrary: int(2, 6) }),
  open: FastCheck.oneof({ weight: 3, arbitrary: pick(0) }, { weight: 1, arbitrary: int(-6, 6) }),
  body: int(-9, 9),
  up: FastCheck.oneof({ weight: 1, arbitrary: pick(0) }, { weight: 1, arbitrary: int(0, 9) }),
  down: FastCheck.oneof({ weight: 1, arbitrary: pick(0) }, { weight: 1, arbitrary: int(0, 9) })
})

const candlesOf = (unit: number, moves: ReadonlyArray<Drawn<typeof move>>) => {
  let ticks = 100
  let minute = 0
  const at = (n: number) => Number((n * unit).toFixed(6))
  return moves.map((each): Candle => {
    minute += each.gap
    const open = Math.max(12, ticks + each.open)
    const close = Math.max(12, open + each.body)
    ticks = close
    return [
      minute * MINUTE,
      at(open),
      at(Math.max(open, close) + each.up),
      at(Math.max(3, Math.min(open, close) - each.down)),
      at(close)
    ]
  })
}

const market = FastCheck.record({
  price_step: pick(0.01, 0.1, 0.5),
  amount_step: pick(0.01, 0.1, 1, 0.5),
  min_amount: pick(0, 0.05, 1, 0.6),
  min_cost: pick(0, 5, 50, 120),
  buy_enabled: maybe(pick(false), 40)
})

/** Random cases to a taste. */
export const cases = (taste: Taste): FastCheck.Arbitrary<Case> =>
  FastCheck.record({
    unit: pick(1, 0.1, 0.5),
    balance: pick(1000, 10_000, 300),
    pairs: int(1, taste.pairs),
    moves: FastCheck.tuple(
      FastCheck.array(move, { minLength: 1, maxLength: taste.candles, size: "max" }),
      FastCheck.array(move, { minLength: 1, maxLength: taste.candles, size: "max" })
    ),
    markets: FastCheck.tuple(market, market),
    wishes: wishes(taste),
    alerts: FastCheck.array(alert(taste), { minLength: 1, maxLength: taste.alerts, size: "max" })
  }).map(({ alerts, balance, markets, moves, pairs, unit, wishes }) => {
    const series = PAIRS.slice(0, pairs).map((pair, index) => ({
      pair,
      market: plainly(markets[index] ?? markets[0]),
      candles: candlesOf(unit, moves[index] ?? moves[0])
    }))
    return {
      balance,
      strategy: wishesOf(
        wishes,
        series.map(({ pair }) => pair),
        1
      ),
      series,
      alerts: alerts.flatMap((each) => alertOf(each, { series, unit }))
    }
  })

const fills = FastCheck.record({
  slip: pick(
    {},
    { slippage_percent: 0.5 },
    { slippage_percent: 3 },
    { slippage_ticks: 2 },
    { slippage_ticks: 900 }
  ),
  spread_percent: maybe(pick(0.1, 2), 1),
  limits: pick(undefined, "through" as const)
})

/** Cases whose fills are nearer to life. */
export const nearerToLife = (drawn: FastCheck.Arbitrary<Case>): FastCheck.Arbitrary<Case> =>
  FastCheck.tuple(drawn, fills).map(([one, { slip, ...rest }]) => ({
    ...one,
    fills: plainly({ ...slip, ...rest })
  }))
