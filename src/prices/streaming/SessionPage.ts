// A page of candles through the connection that streams an exchange's prices, which knows its markets already.
import * as Either from "effect/Either"
import type { Ccxt } from "../../ccxt/Ccxt.ts"
import { failureOf } from "../../ccxt/Failure.ts"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import * as PageRequest from "../history/PageRequest.ts"
import type { RequestPause } from "./RequestPause.ts"
import { CANDLE_ROW, type PageAnswer } from "./Wire.ts"

/** What the thread answers. */
export type SessionPage = Pick<PageAnswer, "failure" | "rows">

/** The time limit of a request (ms): a candle that closed is wanted within seconds. */
const REQUEST_MS = 5_000

/** Asks for a page, unless the exchange wants a pause. Never rejects. */
export const pageOf = async (
  ccxt: Ccxt | undefined,
  exchange: KnownExchange,
  query: PageRequest.PageQuery,
  pause: RequestPause
): Promise<SessionPage> => {
  const paused = pause.now()
  if (paused !== undefined) return { failure: { ...paused, kind: "limit" } }
  if (ccxt?.markets === undefined)
    return { failure: { reason: "it is not connected yet", pauseMs: 0, kind: "passing" } }
  try {
    ccxt.timeout = REQUEST_MS
    const page = await PageRequest.send(ccxt, exchange, query)
    if (Either.isRight(page)) return { rows: rowsOf(page.right) }
    const { kind, pauseMs, reason } = page.left
    return { failure: { kind, pauseMs, reason } }
  } catch (error) {
    const { isLimit, pauseMs, reason } = pause.heard(failureOf(exchange, error, ccxt.last_response_headers))
    return { failure: { reason, pauseMs, kind: isLimit ? "limit" : "passing" } }
  }
}

const rowsOf = (candles: ReadonlyArray<ExactCandle>): Float64Array => {
  const rows = new Float64Array(candles.length * CANDLE_ROW)
  for (const [index, { at, close, high, low, open, volume }] of candles.entries())
    rows.set([at, open, high, low, close, Decimal.toNumber(volume)], index * CANDLE_ROW)
  return rows
}
