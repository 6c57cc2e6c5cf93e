// The `Candles` port over recorded files, extended by what the server itself has seen: the minutes not written yet, or
// everything if nothing was recorded.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Columns } from "../domain/candles/CandleFile.ts"
import { join } from "../domain/candles/CandleJoin.ts"
import { between } from "../domain/candles/CandleRange.ts"
import type { MarketId } from "../domain/Market.ts"
import { type CandleRange, Candles, charted, type Seen } from "../services/feeds/Candles.ts"
import { fitted, joined, merged, NONE, spanFor } from "../trading/candles/Bars.ts"
import * as Months from "./tape/Months.ts"
import * as Place from "./tape/Place.ts"

export interface Options {
  /** The data folder of the recorded candles. */
  readonly folder: string
  /** The candles that this server has seen itself. */
  readonly seen?: Seen
}

/** Charts of recorded and seen candles. */
export const layer = ({ folder, seen = () => NONE }: Options): Layer.Layer<Candles> =>
  Layer.effect(
    Candles,
    Effect.gen(function* () {
      const read = yield* Months.make
      const candles = Place.candlesIn(folder)

      const recorded = Effect.fnUntraced(function* (
        months: ReadonlyArray<Months.Month>,
        grain: Months.Grain
      ) {
        const newest = months.at(-1)
        const parts = yield* Effect.forEach(months, (month) =>
          // The newest month is read in minutes, because the seen candles continue it.
          Effect.map(read(month, month === newest ? "minutes" : grain), (columns) => ({
            name: month.folder,
            columns
          }))
        )
        return Either.getOrElse(join(parts), () => NONE)
      })

      const range = Effect.fn("Candles.range")(function* (market: MarketId, requested: CandleRange) {
        const now = yield* Clock.currentTimeMillis
        const from = requested.from
        const until = Math.min(requested.until, now + 1)
        const all = yield* Months.monthsIn(Place.folderOf(candles, market))
        const months = all.filter((month) => month.until > from && month.from < until)
        const live = seen(market, from, until)
        const readGrain = (grain: Months.Grain) =>
          Effect.map(recorded(months, grain), (columns) => {
            const written = between(columns, from, until)
            return { written, whole: merged(written, live) }
          })
        const stretch =
          Math.min(until, months.at(-1)?.until ?? until) - Math.max(from, months[0]?.from ?? from)
        const isCoarse = spanFor(stretch, requested.points) >= Months.HOUR_MS
        const rough = isCoarse ? yield* readGrain("hours") : undefined
        // If only some of the months were recorded, finer candles may fit.
        const isRough = rough !== undefined && spanOf(rough.whole, requested.points) >= Months.HOUR_MS
        const { whole, written } = isRough ? rough : yield* readGrain("minutes")
        const spanMs = spanOf(whole, requested.points)
        const bars = isRough ? { spanMs, columns: joined(whole, spanMs) } : fitted(whole, requested.points)
        return charted(written.length > 0 ? "recorded" : "live", bars)
      })

      return { range }
    })
  )

const spanOf = ({ at, length }: Columns, points: number): number =>
  spanFor((at[length - 1] ?? 0) - (at[0] ?? 0), points)
