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

/** What is held on one market: negative for a short. `paid` is the entry notional of it. */
interface Held {
  quantity: number
  paid: number
}

/** The last close of a series at a time; undefined before its first candle. */
const closeAt = ({ candles }: CaseSeries, at: number): number | undefined =>
  candles.filter(([time]) => time <= at).at(-1)?.[4]

/** Money of a fill: a short keeps its entry notional as margin, so its result is what the prices differ by. */
const apply = (held: Held, { fill, isLiquidation }: Flow): number => {
  const { side } = fill
  const quantity = Number(fill.quantity.value) / 10 ** fill.quantity.scale
  const fee = Number(fill.fee.value) / 10 ** fill.fee.scale
  const signed = side === "buy" ? quantity : -quantity
  const isEntry = held.quantity === 0 || Math.sign(held.quantity) === Math.sign(signed)
  const before = held.quantity
  held.quantity = Math.abs(before + signed) < 1e-9 ? 0 : before + signed
  if (isEntry) {
    held.paid += quantity * fill.price
    return -signed * fill.price - fee
  }
  const share = held.paid * (quantity / Math.abs(before))
  held.paid -= share
  // All of the margin is gone: what a liquidation brings is undone by what it loses.
  if (isLiquidation) return before < 0 ? -2 * share : 0
  return -signed * fill.price - fee
}

/** One sample at each time at which any series has a candle. */
export const samplesOf = ({ balance, series }: Case, flows: ReadonlyArray<Flow>): ReadonlyArray<Sample> => {
  const times = [...new Set(series.flatMap(({ candles }) => candles.map(([at]) => at)))].sort((a, b) => a - b)
  return times.map((at) => {
    const books = new Map<string, Held & { readonly pair: string }>()
    let cash = balance
    for (const flow of flows.filter(({ fill }) => fill.at <= at)) {
      const key = `${flow.fill.pair} ${flow.fill.kind}`
      const held = books.get(key) ?? { pair: flow.fill.pair, quantity: 0, paid: 0 }
      books.set(key, held)
      cash += apply(held, flow)
    }
    let [equity, notional] = [cash, 0]
    for (const { pair, quantity } of books.values()) {
      const one = series.find((each) => each.pair === pair)
      const close = one === undefined ? 0 : (closeAt(one, at) ?? 0)
      equity += quantity * close
      notional += Math.abs(quantity) * close
    }
    const part = balance / series.length
    const hold = series.reduce((total, one) => {
      const close = closeAt(one, at)
      const open = one.candles[0]?.[1] ?? 1
      return total + (close === undefined ? part : (part * close) / open)
    }, 0)
    const isHeld = [...books.values()].some(({ quantity }) => quantity !== 0)
    return { at, equity, notional, isHeld, weight: 1, hold }
  })
}
