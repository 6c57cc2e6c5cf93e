// The stretches of a comparison without candles, and which trades they concern.
import { holesIn } from "../../domain/candles/CandleHoles.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { LiveRecord, Stretch } from "./LiveRecord.ts"

/** A stretch (ms) in which a pair has no candles. */
export interface NoCandles extends Stretch, Pick<MarketId, "exchange" | "pair"> {}

/** Shorter gaps are minutes in which nobody traded. */
export const HOLE_MS = 10 * 60_000
const CANDLE_MS = 60_000
const NO_DAYS: ReadonlyMap<number, number> = new Map()

/** The stretches without candles, oldest first for each pair. */
export const holesOf = ({ from, series, until }: LiveRecord): ReadonlyArray<NoCandles> => {
  const stretch = { from: Math.ceil(from / CANDLE_MS) * CANDLE_MS, until, span: CANDLE_MS }
  return series.flatMap(({ columns, exchange, pair }) =>
    holesIn(columns, stretch, NO_DAYS)
      .filter((hole) => hole.until - hole.from > HOLE_MS)
      .map((hole) => ({ exchange, pair, from: hole.from, until: hole.until }))
  )
}

/** Whether a trade lies at a time without candles of its pair. */
export const isInHole = (
  trade: Pick<Trade, "closedAt" | "openedAt" | "pair"> | undefined,
  holes: ReadonlyArray<NoCandles>
): boolean =>
  trade !== undefined &&
  holes.some(
    ({ from, pair, until }) => pair === trade.pair && trade.openedAt < until && trade.closedAt >= from
  )
