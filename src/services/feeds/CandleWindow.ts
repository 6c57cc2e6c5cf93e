// Fetches all candles of a window that is at most one page wide, however an exchange fills its pages: with the first
// candles, or the last, or with fewer than it could. An empty answer counts only once it is confirmed.
import * as Effect from "effect/Effect"

/** A stretch of time (ms, `until` excluded). */
export interface Gap {
  readonly from: number
  readonly until: number
}

/** Asks for the candles of a gap. */
export type Ask<A, E> = (gap: Gap) => Effect.Effect<ReadonlyArray<A>, E>

/** The candles of a window, whose length is a multiple of `span` (ms), sorted. Each request finds new ones, or settles a gap. */
export const fetchWindow = Effect.fnUntraced(function* <A extends { readonly at: number }, E>(
  window: Gap,
  span: number,
  ask: Ask<A, E>
) {
  const found = new Map<number, A>()
  const gaps: Array<Gap & { readonly isConfirming?: boolean }> = [window]
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    const { from, isConfirming = false, until } = gap
    const candles = yield* ask({ from, until })
    for (const candle of candles) found.set(candle.at, candle)
    const [first, last] = [candles[0], candles.at(-1)]
    if (first === undefined || last === undefined) {
      if (!isConfirming) gaps.push({ from, until, isConfirming: true })
      continue
    }
    if (first.at > from) gaps.push({ from, until: first.at })
    if (last.at + span < until) gaps.push({ from: last.at + span, until })
  }
  return [...found.values()].sort((one, other) => one.at - other.at)
})
