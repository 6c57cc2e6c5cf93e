// Random cases that shrink: small numbers, coarse steps and minimums, so that levels coincide and rounding matters.
import * as FastCheck from "effect/FastCheck"
import type { AlertKind, Candle, Case, CaseAlert, Rung, Wishes } from "./Case.ts"

const MINUTE = 60_000
const PAIRS = ["BTC/USDT", "ETH/USDT"] as const

const int = (min: number, max: number) => FastCheck.integer({ min, max })
const pick = <A>(first: A, ...others: ReadonlyArray<A>) => FastCheck.constantFrom(first, ...others)
/** Absent in `absent` of `absent + 1` draws, and in the simplest case. */
const maybe = <A>(of: FastCheck.Arbitrary<A>, absent: number) =>
  FastCheck.oneof(
    { withCrossShrink: true },
    { weight: absent, arbitrary: FastCheck.constant(undefined) },
    { weight: 1, arbitrary: of }
  )

const move = FastCheck.record({
  gap: FastCheck.oneof({ weight: 9, arbitrary: pick(1) }, { weight: 1, arbitrary: int(2, 6) }),
  open: FastCheck.oneof({ weight: 3, arbitrary: pick(0) }, { weight: 1, arbitrary: int(-6, 6) }),
  body: int(-9, 9),
  up: FastCheck.oneof({ weight: 1, arbitrary: pick(0) }, { weight: 1, arbitrary: int(0, 9) }),
  down: FastCheck.oneof({ weight: 1, arbitrary: pick(0) }, { weight: 1, arbitrary: int(0, 9) })
})

const candlesOf = (
  unit: number,
  moves: ReadonlyArray<typeof move extends FastCheck.Arbitrary<infer A> ? A : never>
) => {
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

const percents = pick(50, 100, 25, 10, 20, 30, 33.3, 40, 5, 60, 75, 1)

const steps = FastCheck.array(FastCheck.record({ rise: pick(2, 1, 3, 5, 0.5, 8), close: percents }), {
  minLength: 1,
  maxLength: 5
})

/** Steps whose percents stay within 100 together. */
const within100 = <A extends { readonly close: number }>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  let left = 100
  return all.flatMap((each): ReadonlyArray<A> => {
    if (left <= 0) return []
    const close = Math.min(each.close, left)
    left = Number((left - close).toFixed(6))
    return [{ ...each, close }]
  })
}

const stepsOf = (drawn: ReadonlyArray<{ readonly rise: number; readonly close: number }>) => {
  let profit = 0
  return within100(drawn).map(({ close, rise }) => {
    profit += rise
    return { profit_percent: profit, close_percent: close }
  })
}

/** How often features are absent, of so many draws; a higher number is a plainer case. */
export interface Taste {
  readonly candles: number
  readonly alerts: number
  readonly pairs: 1 | 2
  readonly types: ReadonlyArray<AlertKind>
  /** Whether the fields and settings of charts that add, reduce and turn are drawn. */
  readonly isFollowing: boolean
}

const wishes = (taste: Taste) => {
  const off = FastCheck.constant(undefined)
  const following = <A>(of: FastCheck.Arbitrary<A>, freq: number) =>
    taste.isFollowing ? maybe(of, freq) : off
  return FastCheck.record({
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
    maxEntries: following(pick(3, 1, 2, 50), 1),
    opposite: following(pick<"ignore" | "close" | "reverse">("reverse", "close", "ignore"), 1),
    steps: following(steps, 1),
    even: following(int(1, 3), 1),
    risk: following(pick(1, 0.5, 2, 5), 4)
  })
}

type Drawn<A> = A extends FastCheck.Arbitrary<infer B> ? B : never

const wishesOf = (drawn: Drawn<ReturnType<typeof wishes>>, pairs: ReadonlyArray<string>): Wishes => {
  const taken = drawn.steps === undefined ? undefined : stepsOf(drawn.steps)
  const even = drawn.even === undefined ? undefined : Math.min(drawn.even, taken?.length ?? 5)
  return plainly({
    active: drawn.active,
    buy_percentage: drawn.buy,
    maker_fee: drawn.maker,
    taker_fee: drawn.taker,
    pairs,
    sell_minprofitpercent: drawn.min,
    signal_ignores_sell_min_profit_percent: drawn.ignores,
    trailing_buy_percentage: drawn.trailingBuy,
    dca: drawn.dca,
    trailing_sell: drawn.trailingSell,
    stop_loss_percentage: drawn.stop,
    balance_take_profit: drawn.balanceUp,
    balance_stop_loss: drawn.balanceDown,
    auto_close_position_value: drawn.auto,
    max_entries: drawn.maxEntries,
    on_opposite: drawn.opposite,
    take_profit_steps: taken,
    break_even_after: even,
    risk_percent: drawn.risk
  })
}

type Plain<A> = { readonly [K in keyof A as undefined extends A[K] ? never : K]: A[K] } & {
  readonly [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
}
/** Without the fields that are absent. */
const plainly = <A extends object>(fields: A): Plain<A> => JSON.parse(JSON.stringify(fields))

const alert = (taste: Taste) => {
  const off = FastCheck.constant(undefined)
  const following = <A>(of: FastCheck.Arbitrary<A>, freq: number) =>
    taste.isFollowing ? maybe(of, freq) : off
  return FastCheck.record({
    candle: int(0, taste.candles * 2),
    pair: int(0, taste.pairs - 1),
    type: FastCheck.constantFrom(...taste.types),
    tp: maybe(int(-1, 15), 4),
    sl: maybe(int(-1, 12), 3),
    tps: following(
      FastCheck.array(FastCheck.record({ away: int(1, 6), close: percents }), { minLength: 1, maxLength: 5 }),
      3
    ),
    part: following(percents, 1),
    reverse: following(pick(true, false), 2),
    buy: following(pick(10, 100, 35, 20, 7, 0), 4)
  })
}

interface Around {
  readonly series: Case["series"]
  readonly unit: number
}

const alertOf = (
  drawn: Drawn<ReturnType<typeof alert>>,
  { series, unit }: Around
): ReadonlyArray<CaseAlert> => {
  const { candles, pair } = series[drawn.pair % series.length] ?? { candles: [], pair: PAIRS[0] }
  // One in so many comes after the last candle.
  const isLate = drawn.candle === candles.length * 2
  const candle = isLate ? candles.at(-1) : candles[drawn.candle % candles.length]
  const open = candle?.[1] ?? 100
  const late = isLate ? MINUTE : 0
  const isEntry = drawn.type === "buy" || drawn.type === "long" || drawn.type === "short"
  const way = drawn.type === "short" ? -1 : 1
  const at = (away: number) => Math.max(unit, Number((open + way * away * unit).toFixed(6)))
  const rungs: Array<Rung> = []
  let away = 0
  for (const each of within100(drawn.tps ?? [])) {
    away += each.away
    if (open + way * away * unit > unit / 2) rungs.push({ price: at(away), percent: each.close })
  }
  const tps = isEntry && rungs.length > 0 ? rungs : undefined
  return [
    plainly({
      time: (candle?.[0] ?? MINUTE) + late,
      pair,
      type: drawn.type,
      tp: isEntry && tps === undefined && drawn.tp !== undefined ? at(drawn.tp) : undefined,
      sl: isEntry && drawn.sl !== undefined ? at(-drawn.sl) : undefined,
      tps,
      close_percent: isEntry ? undefined : drawn.part,
      reverse: drawn.type === "long" || drawn.type === "short" ? drawn.reverse : undefined,
      buy_percentage: isEntry ? drawn.buy : undefined
    })
  ]
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
        series.map(({ pair }) => pair)
      ),
      series,
      alerts: alerts.flatMap((each) => alertOf(each, { series, unit }))
    }
  })
