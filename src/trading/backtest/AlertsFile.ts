import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Alert, AlertType, type Instruction } from "../../domain/Alert.ts"
import * as CandleTime from "../../domain/candles/CandleTime.ts"
import { Pair } from "../../domain/Market.ts"
import { isPrice, PRICE_WORDS } from "../../domain/requests/Bounds.ts"
import * as TradeListFile from "../../domain/tradeList/TradeListFile.ts"
import type { TimedAlert } from "../Backtest.ts"

/** What is wrong with an alerts file, and in which line (from 1). */
export interface AlertsFileError {
  readonly line: number
  readonly text: string
}

/**
 * Reads one JSON object a line: `time` (ms), which has to lie where `times` says, and the interface's fields. Empty
 * lines are passed over; `signal_id` and anything else is ignored. The alerts stand in the order of their lines.
 */
export const parse = (
  bytes: Uint8Array,
  times: CandleTime.FileTimes
): Either.Either<ReadonlyArray<TimedAlert>, AlertsFileError> => {
  const alerts: Array<TimedAlert> = []
  const file = new TextDecoder().decode(bytes)
  // One at a time: a file of nothing but line ends is not to become as many texts.
  for (let at = 0, line = 1; at < file.length; line++) {
    const end = file.indexOf("\n", at)
    const text = file.slice(at, end < 0 ? file.length : end)
    at += text.length + 1
    if (text.trim() === "") continue
    const alert = readLine(text, times)
    if (Either.isLeft(alert)) return Either.left({ line, text: alert.left })
    alerts.push(alert.right)
  }
  return Either.right(alerts)
}

/** The alerts of a file, and the lines of a list of trades that were left out, each with its reason. */
export interface Reading {
  readonly alerts: ReadonlyArray<TimedAlert>
  readonly skipped: ReadonlyArray<TradeListFile.SkippedLine>
}

/**
 * Reads either kind of file: one JSON object a line, or a charting platform's list of trades, which names no pair and
 * so is taken to be of the one given.
 */
export const read = (
  bytes: Uint8Array,
  pair: Pair,
  times: CandleTime.FileTimes
): Either.Either<Reading, AlertsFileError> => {
  const text = new TextDecoder().decode(bytes)
  if (!TradeListFile.isTradeList(text))
    return Either.map(parse(bytes, times), (alerts) => ({ alerts, skipped: [] }))
  return Either.flatMap(TradeListFile.parse(text), ({ alerts, skipped }) => {
    for (const { at, line } of alerts) {
      const error = CandleTime.errorOf(at, times)
      if (error !== undefined) return Either.left({ line, text: error })
    }
    return Either.right({ alerts: alerts.map(({ at, type }) => ({ at, type, pair })), skipped })
  })
}

/** The line of an alert on record, as `parse` reads it, and with the signal that it was sent to. */
export const textOf = ({ coin, quoteCurrency, receivedAt, signalId, sl, tp, type }: Sent): string =>
  JSON.stringify({
    time: receivedAt,
    signal_id: signalId,
    coin,
    quote_currency: quoteCurrency,
    type,
    ...(Option.isSome(tp) ? { tp: tp.value } : {}),
    ...(Option.isSome(sl) ? { sl: sl.value } : {})
  })

/** An alert on record as it would be read from its line; none where what it names cannot be a pair. */
export const timedOf = ({
  coin,
  quoteCurrency,
  receivedAt,
  sl,
  tp,
  type
}: Sent): ReadonlyArray<TimedAlert> => {
  const pair = `${coin}/${quoteCurrency}`
  if (!isPair(pair)) return []
  const targets = {
    ...(Option.isSome(tp) ? { tp: tp.value } : {}),
    ...(Option.isSome(sl) ? { sl: sl.value } : {})
  }
  return [{ type, pair, at: receivedAt, ...targets }]
}

type Sent = Instruction & Pick<Alert, "receivedAt">

const readLine = (text: string, times: CandleTime.FileTimes): Either.Either<TimedAlert, string> => {
  const json = decodeJson(text)
  if (Either.isLeft(json) || !isRecord(json.right)) return Either.left("is not a JSON object")
  const body = json.right
  const time = body["time"]
  if (!isTime(time)) return Either.left("time must be a whole number of milliseconds, like 1706706000000")
  const error = timeError(time, times)
  if (error !== undefined) return Either.left(error)
  const type = typeof body["type"] === "string" ? body["type"].toLowerCase() : undefined
  if (!isType(type)) return Either.left("type must be one of buy, sell, long, short, close_long, close_short")
  const pair = `${code(body["coin"])}/${code(body["quote_currency"])}`
  if (!isPair(pair)) return Either.left("coin and quote_currency must be asset codes")
  const [tp, sl] = [priceOf(body["tp"]), priceOf(body["sl"])]
  if (tp === "bad" || sl === "bad") return Either.left(`${tp === "bad" ? "tp" : "sl"} must be ${PRICE_WORDS}`)
  return Either.right({
    type,
    pair,
    at: time,
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl })
  })
}

/** The unit of an alert's time is not guessed, as that of candles is: it is named where it seems to be another. */
const timeError = (time: number, times: CandleTime.FileTimes): string | undefined => {
  const error = CandleTime.errorOf(time, times)
  const unit = CandleTime.unitOf(time, times)
  return error === undefined || unit === "milliseconds"
    ? error
    : `time seems to be in ${unit}, and must be in milliseconds`
}

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(Schema.Unknown))
const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const isTime = Schema.is(Schema.Int.pipe(Schema.nonNegative()))
const isType = Schema.is(AlertType)
const isPair = Schema.is(Pair)

const code = (value: unknown): string => (typeof value === "string" ? value.trim().toUpperCase() : "")

/** A price, which may be a text as in forms; nothing where it is absent or null. */
const priceOf = (value: unknown): number | undefined | "bad" => {
  if (value === undefined || value === null || value === "") return undefined
  const price = typeof value === "string" ? Number(value) : value
  return typeof price === "number" && isPrice(price) ? price : "bad"
}
