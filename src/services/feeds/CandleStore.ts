// The port of stored candles: what the server recorded, and the days that somebody downloaded, in one.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { type Columns, parse } from "../../domain/candles/CandleFile.ts"
import { type FetchedDays, type Hole, holesIn } from "../../domain/candles/CandleHoles.ts"
import { between } from "../../domain/candles/CandleRange.ts"
import { type ExactCandle, textOf } from "../../domain/candles/CandleRowWriter.ts"
import { type CandleSeries, dayOf } from "../../domain/candles/CandleSeries.ts"
import { MADE_UP } from "../../domain/candles/CandleTime.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { marketKey } from "../../domain/Market.ts"

/** The candles of one UTC day as the exchange has them. */
export interface CandleDay {
  /** The start of the day (ms). */
  readonly day: number
  /** Up to when the exchange was asked (ms); the end of the day if it is whole. */
  readonly until: number
  /** Sorted by time, within the day. */
  readonly candles: ReadonlyArray<ExactCandle>
}

/** What is stored of a series. Times in ms: the first and the last candle's start. */
export interface Holding extends CandleSeries {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly bytes: number
  /** Between the first and the last candle. */
  readonly holes: ReadonlyArray<Hole>
}

/** Candles could not be stored: the disk is full, or the folder may not be written. */
export class CandlesNotStored extends Data.TaggedError("CandlesNotStored")<{ readonly reason: string }> {
  override get message() {
    return `candles cannot be stored: ${this.reason}`
  }
}

/**
 * Stored candles. A port.
 *
 * **An implementation keeps**
 *
 * - Days: a day is stored whole or not at all, also when the process is killed. A day that is stored again replaces the
 *   one before. A day without candles is stored too: the exchange has none.
 * - Order: candles ascend by time, one for each time. Where a recorded and a downloaded candle have one time, the
 *   downloaded one is read, since it is the exchange's own.
 * - Scope: a series is a market, its kind and a timeframe; nothing of one is read as another's.
 *
 * **Proved by** `CandleStoreContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class CandleStore extends Context.Tag("signalbox/services/feeds/CandleStore")<
  CandleStore,
  {
    /** The downloaded days of a series. */
    readonly days: (series: CandleSeries) => Effect.Effect<FetchedDays>
    /** Stores a day. */
    readonly put: (series: CandleSeries, day: CandleDay) => Effect.Effect<void, CandlesNotStored>
    /** Reads the candles that begin from `from` on and before `until` (ms). */
    readonly read: (series: CandleSeries, from: number, until: number) => Effect.Effect<Columns>
    /** Lists what is stored, sorted by exchange, pair, kind and timeframe. */
    readonly holdings: Effect.Effect<ReadonlyArray<Holding>>
    /** Removes the downloaded days of a series; returns how many. What was recorded stays. */
    readonly remove: (series: CandleSeries) => Effect.Effect<number, CandlesNotStored>
  }
>() {
  /** Keeps candles in memory. */
  static readonly layerMemory = Layer.sync(CandleStore, () => inMemory())
}

const inMemory = (): typeof CandleStore.Service => {
  const shelves = new Map<string, { readonly series: CandleSeries; readonly days: Map<number, CandleDay> }>()
  const daysOf = (series: CandleSeries): ReadonlyArray<CandleDay> =>
    [...(shelves.get(seriesKey(series))?.days.values() ?? [])].sort((one, other) => one.day - other.day)
  const all = (series: CandleSeries) => columnsOf(daysOf(series).flatMap(({ candles }) => candles))
  const days = (series: CandleSeries): FetchedDays =>
    new Map(daysOf(series).map(({ day, until }) => [day, until]))
  return {
    days: (series) => Effect.sync(() => days(series)),
    put: (series, day) =>
      Effect.sync(() => {
        const shelf = shelves.get(seriesKey(series)) ?? { series, days: new Map() }
        shelf.days.set(dayOf(day.day), day)
        shelves.set(seriesKey(series), shelf)
      }),
    read: (series, from, until) => Effect.sync(() => between(all(series), from, until)),
    holdings: Effect.sync(() =>
      [...shelves.values()]
        .flatMap(({ series }) => {
          const bytes = daysOf(series).flatMap(({ candles }) => candles.map((it) => textOf(it).length + 1))
          return holdingOf(series, all(series), { fetched: days(series), bytes: sum(bytes) }) ?? []
        })
        .sort(bySeries)
    ),
    remove: (series) =>
      Effect.sync(() => {
        const count = daysOf(series).length
        shelves.delete(seriesKey(series))
        return count
      })
  }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

const encoder = new TextEncoder()
const columnsOf = (candles: ReadonlyArray<ExactCandle>): Columns =>
  Either.getOrThrow(parse(encoder.encode(candles.map((it) => `${textOf(it)}\n`).join("")), MADE_UP))

/** A text that names a series. */
export const seriesKey = (series: CandleSeries): string => `${marketKey(series)}:${series.timeframe}`

/** Sorts by exchange, pair, kind, and length of the candles. */
export const bySeries = (one: CandleSeries, other: CandleSeries): number => {
  const [left, right] = [marketKey(one), marketKey(other)]
  if (left !== right) return left < right ? -1 : 1
  return millisOf(one.timeframe) - millisOf(other.timeframe)
}

/** What is stored of a series whose candles are these; undefined if there are none. */
export const holdingOf = (
  series: CandleSeries,
  columns: Columns,
  { bytes, fetched }: { readonly fetched: FetchedDays; readonly bytes: number }
): Holding | undefined => {
  const [from, to] = [columns.at[0], columns.at[columns.length - 1]]
  if (from === undefined || to === undefined) return undefined
  const span = millisOf(series.timeframe)
  const holes = holesIn(columns, { from, until: to + span, span }, fetched)
  return { ...series, from, to, count: columns.length, bytes, holes }
}
