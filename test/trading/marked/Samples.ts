// The samples of a back-test, made from its candles and fills alone: money that came and went, and what is held at the
// last close of each market.
import type { Fill } from "../../../src/domain/Fill.ts"
import type { Case, CaseSeries } from "../oracle/Case.ts"
import type { Sample } from "./Independent.ts"

/** A fill and whether it is a liquidation, which returns nothing. */
export interface Flow {
  readonly fill: Fill
  readonly isLiquidation: boolean
}

/** Money and quantities as whole numbers of 10^-24: sums and products of decimals are exact. */
const UNIT = 10n ** 24n
const exact = (value: number): bigint => {
  const [digits = "0", exponent = "0"] = value.toExponential().split("e")
  const [whole = "0", rest = ""] = digits.split(".")
  const power = 24 + Number(exponent) - rest.length
  const all = BigInt(whole + rest)
  return power >= 0 ? all * 10n ** BigInt(power) : all / 10n ** BigInt(-power)
}
const ofDecimal = ({ scale, value }: Fill["fee"]): bigint =>
  scale <= 24 ? value * 10n ** BigInt(24 - scale) : value / 10n ** BigInt(scale - 24)
const times = (one: bigint, other: bigint): bigint => (one * other) / UNIT
const asNumber = (value: bigint): number => Number(`${value}e-24`)
const size = (value: bigint): bigint => (value < 0n ? -value : value)

/** What is held on one market: negative for a short. `paid` is the entry notional of it. */
interface Held {
  quantity: bigint
  paid: bigint
}

/** The last close of a series at a time; undefined before its first candle. */
const closeAt = ({ candles }: CaseSeries, at: number): number | undefined =>
  candles.filter(([time]) => time <= at).at(-1)?.[4]

/** Money of a fill: a short keeps its entry notional as margin, so its result is what the prices differ by. */
const apply = (held: Held, { fill, isLiquidation }: Flow): bigint => {
  const quantity = ofDecimal(fill.quantity)
  const signed = fill.side === "buy" ? quantity : -quantity
  const flow = -times(signed, exact(fill.price)) - ofDecimal(fill.fee)
  const before = held.quantity
  held.quantity += signed
  if (before === 0n || before > 0n === signed > 0n) {
    held.paid += times(quantity, exact(fill.price))
    return flow
  }
  const share = (held.paid * quantity) / size(before)
  held.paid -= share
  if (!isLiquidation) return flow
  // All of the margin is gone: what a liquidation brings is undone by what it loses.
  return before < 0n ? -2n * share : 0n
}

/** One sample at each time at which any series has a candle. */
export const samplesOf = ({ balance, series }: Case, flows: ReadonlyArray<Flow>): ReadonlyArray<Sample> => {
  const times = [...new Set(series.flatMap(({ candles }) => candles.map(([at]) => at)))]
  return times
    .toSorted((one, other) => one - other)
    .map((at) => {
      const books = new Map<string, Held & { readonly pair: string }>()
      let cash = exact(balance)
      for (const flow of flows.filter(({ fill }) => fill.at <= at)) {
        const key = `${flow.fill.pair} ${flow.fill.kind}`
        const held = books.get(key) ?? { pair: flow.fill.pair, quantity: 0n, paid: 0n }
        books.set(key, held)
        cash += apply(held, flow)
      }
      const closes = new Map(series.map((one) => [one.pair, closeAt(one, at)]))
      return {
        at,
        ...worthOf(cash, [...books.values()], closes),
        weight: 1,
        hold: holdOf(balance, series, closes)
      }
    })
}

type Closes = ReadonlyMap<string, number | undefined>

const worthOf = (
  cash: bigint,
  books: ReadonlyArray<Held & { readonly pair: string }>,
  closes: Closes
): Pick<Sample, "equity" | "notional" | "isHeld"> => {
  let [equity, notional] = [cash, 0n]
  for (const { pair, quantity } of books) {
    const worth = times(quantity, exact(closes.get(pair) ?? 0))
    equity += worth
    notional += size(worth)
  }
  return {
    equity: asNumber(equity),
    notional: asNumber(notional),
    isHeld: books.some(({ quantity }) => quantity !== 0n)
  }
}

const holdOf = (balance: number, series: Case["series"], closes: Closes): number => {
  const part = balance / series.length
  return series.reduce((total, { candles, pair }) => {
    const close = closes.get(pair)
    return total + (close === undefined ? part : (part * close) / (candles[0]?.[1] ?? 1))
  }, 0)
}
