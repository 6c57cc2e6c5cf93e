// One page of candles, requested of an exchange through ccxt and read.
import * as Either from "effect/Either"
import type { Ccxt } from "../../ccxt/Ccxt.ts"
import { descriptors } from "../../ccxt/descriptors.ts"
import { fieldOf } from "../../ccxt/Field.ts"
import { candlesIn } from "../../domain/candles/CandlePage.ts"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { isKnownExchange, type KnownExchange } from "../../domain/Market.ts"
import { type CandlePages, PageFailed } from "../../services/feeds/CandlePages.ts"
import { symbolOf } from "../streaming/symbols.ts"

/** The part of ccxt that pages need. */
export type PageCcxt = Pick<Ccxt, "markets" | "loadMarkets" | "fetchOHLCV">

/** What an exchange serves of a series; Left explains why it has none of it. */
export const limitsOf: typeof CandlePages.Service.limits = ({ exchange, kind, timeframe }) => {
  if (!isKnownExchange(exchange)) return Either.left(`${exchange} is none of the exchanges with candles`)
  const { newest, rows, timeframes } = descriptors[exchange].candles
  return timeframes.includes(timeframe)
    ? Either.right({ rows: rows[kind], newest, timeframes })
    : Either.left(`${exchange} has no candles of ${timeframe}; it has ${timeframes.join(", ")}`)
}

/** A page of a series: candles that open from `from` on and before `until` (ms). */
export interface PageQuery {
  readonly series: CandleSeries
  readonly from: number
  readonly until: number
}

/** Requests a page: rejects as ccxt does where the exchange refuses, and is Left where its answer is no good. */
export const send = async (
  ccxt: PageCcxt,
  exchange: KnownExchange,
  { from, series, until }: PageQuery
): Promise<Either.Either<ReadonlyArray<ExactCandle>, PageFailed>> => {
  const { inContracts, takesUntil } = descriptors[exchange].candles
  if (ccxt.markets === undefined) await ccxt.loadMarkets()
  const symbol = symbolOf(series)
  const market = ccxt.markets?.[symbol]
  if (market === undefined)
    return Either.left(lasting(`${exchange} does not list ${series.pair} (${series.kind})`))
  const span = millisOf(series.timeframe)
  const limit = Math.ceil((until - from) / span)
  const answer = await ccxt.fetchOHLCV(
    symbol,
    series.timeframe,
    from,
    limit,
    takesUntil ? { until: until - 1 } : {}
  )
  const candles = candlesIn(answer, { from, until, span })
  if (candles === undefined) return Either.left(passing("its answer is not understood"))
  const size = inContracts && series.kind === "swap" ? Number(fieldOf(market, "contractSize")) : 1
  return Either.right(size > 0 && size !== 1 ? candles.map(inBase(size)) : candles)
}

/** The candle with its volume in the base asset. */
const inBase =
  (size: number) =>
  (candle: ExactCandle): ExactCandle => ({
    ...candle,
    volume: Decimal.product(candle.volume, Decimal.fromNumber(size))
  })

const lasting = (reason: string) => new PageFailed({ reason, pauseMs: 0, kind: "lasting" })
const passing = (reason: string) => new PageFailed({ reason, pauseMs: 0, kind: "passing" })
