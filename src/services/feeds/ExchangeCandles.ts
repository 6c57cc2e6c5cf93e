// Past candles of exchanges for charts, where too few were recorded: asked for once, kept for a while, and continued.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { between } from "../../domain/candles/CandleRange.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { merged, NONE } from "../../trading/candles/Bars.ts"
import { ClosedCandles } from "../rules/ClosedCandles.ts"
import { seriesKey } from "./CandleStore.ts"

/** The most candles of a series that are asked for, and the series that are kept. */
const MAX_CANDLES = 6_000
const MAX_SERIES = 16
/** The longest wait for an exchange (ms), and how long one that gave nothing is not asked again for a series. */
const PATIENCE_MS = 6_000
const AGAIN_MS = 30_000

/** Candles that were asked for: all of the exchange's from `from` up to `until` (ms). */
interface Kept {
  readonly from: number
  readonly until: number
  readonly columns: Columns
  /** Not asked again before (ms). */
  readonly notBefore: number
}

/**
 * Makes the reader of a series' closed candles from a time (ms) on, `MAX_CANDLES` of them at most. It gives what it has where
 * the exchange does not answer, and none where there is no exchange to ask. One series is asked for at a time, so that
 * charts take little of an exchange's rate.
 */
export const make = Effect.gen(function* () {
  const source = yield* ClosedCandles
  const kept = new Map<string, Kept>()
  const turns = yield* Effect.makeSemaphore(1)
  if (Option.isNone(source)) return (_: CandleSeries, __: number) => Effect.succeed(NONE)
  const { history } = source.value

  const keep = (key: string, found: Kept): void => {
    kept.delete(key)
    kept.set(key, found)
    const [oldest] = kept.keys()
    if (kept.size > MAX_SERIES && oldest !== undefined) kept.delete(oldest)
  }

  return Effect.fn("ExchangeCandles.read")(function* (series: CandleSeries, wanted: number) {
    const key = seriesKey(series)
    const span = millisOf(series.timeframe)
    const now = yield* Clock.currentTimeMillis
    const until = Math.floor(now / span) * span
    const from = Math.max(Math.floor(wanted / span) * span, until - MAX_CANDLES * span)
    const fetch = Effect.gen(function* () {
      const before = kept.get(key)
      const isContinued = before !== undefined && before.from <= from && before.until >= from
      if (before !== undefined && (now < before.notBefore || (isContinued && before.until >= until))) return
      const since = isContinued ? before.until : from
      const found = yield* Effect.option(history(series, since, until))
      if (Option.isNone(found)) return keep(key, { ...(before ?? nothing(from)), notBefore: now + AGAIN_MS })
      const columns = isContinued ? merged(between(before.columns, from, since), found.value) : found.value
      keep(key, { from, until, columns, notBefore: 0 })
    })
    const late = Effect.sync(() =>
      keep(key, { ...(kept.get(key) ?? nothing(from)), notBefore: now + AGAIN_MS })
    )
    yield* Effect.timeoutTo(turns.withPermits(1)(fetch), {
      duration: PATIENCE_MS,
      onSuccess: () => Effect.void,
      onTimeout: () => late
    }).pipe(Effect.flatten)
    return between(kept.get(key)?.columns ?? NONE, from, until)
  })
})

const nothing = (from: number): Omit<Kept, "notBefore"> => ({ from, until: from, columns: NONE })
