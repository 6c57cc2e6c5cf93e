// The alerts of a back-test, read from a file: one JSON object a line with `time` in ms and the fields of an alert, or
// a charting platform's list of trades. A bad JSON line is an error; a meaningless line of a list is skipped with its
// reason.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Alert, AlertType, type Extras, extrasOf, type Instruction } from "../../domain/Alert.ts"
import * as AlertExtras from "../../domain/alert/AlertExtras.ts"
import * as CandleTime from "../../domain/candles/CandleTime.ts"
import { Pair } from "../../domain/Market.ts"
import { isPrice, PRICE_WORDS } from "../../domain/requests/Bounds.ts"
import type { Violation } from "../../domain/requests/Violations.ts"
import * as TradeListFile from "../../domain/tradeList/TradeListFile.ts"
import type { TimedAlert } from "../Backtest.ts"

/** The first error in an alerts file, with its line (from 1). */
export interface AlertsFileError {
  readonly line: number
  readonly text: string
}

/**
 * Reads one JSON object a line: `time` (ms, within `times`) and the fields of an alert. Empty lines, `signal_id` and
 * unknown fields are ignored. The alerts keep the sequence of their lines.
 */
export const parse = (
  bytes: Uint8Array,
  times: CandleTime.FileTimes
): Either.Either<ReadonlyArray<TimedAlert>, AlertsFileError> => {
  const alerts: Array<TimedAlert> = []
  const file = new TextDecoder().decode(bytes)
  // Cut the lines one at a time: a file of nothing but line ends must not become as many strings.
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

/** The alerts of a file, and the skipped lines of a list of trades, each with its reason. */
export interface Reading {
  readonly alerts: ReadonlyArray<TimedAlert>
  readonly skipped: ReadonlyArray<TradeListFile.SkippedLine>
}

/** Reads either kind of file. A list of trades names no pair, so its alerts get `pair`. */
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

/** Writes a stored alert as a line that `parse` reads, with the signal that it was sent to. */
export const textOf = ({
  coin,
  quoteCurrency,
  receivedAt,
  signalId,
  sl,
  tp,
  type,
  ...extras
}: Sent): string =>
  JSON.stringify({
    time: receivedAt,
    signal_id: signalId,
    coin,
    quote_currency: quoteCurrency,
    type,
    ...(Option.isSome(tp) ? { tp: tp.value } : {}),
    ...(Option.isSome(sl) ? { sl: sl.value } : {}),
    ...wireOf(extras)
  })

/** The optional fields of an alert by their names on the wire. */
const wireOf = ({ buyPercentage, closePercent, eitherSide, growth, reverse, tps }: Extras): object => {
  return {
    ...(closePercent === undefined ? {} : { close_percent: closePercent }),
    ...(reverse === undefined ? {} : { reverse }),
    ...(tps === undefined ? {} : { tps }),
    ...(buyPercentage === undefined ? {} : { buy_percentage: buyPercentage }),
    ...(growth === undefined ? {} : { growth }),
    ...(eitherSide === undefined ? {} : { either_side: eitherSide })
  }
}

/** A stored alert as `parse` would read it from its line. Empty if its coin and quote currency are no pair. */
export const timedOf = ({
  coin,
  quoteCurrency,
  receivedAt,
  sl,
  tp,
  type,
  ...extras
}: Sent): ReadonlyArray<TimedAlert> => {
  const pair = `${coin}/${quoteCurrency}`
  if (!isPair(pair)) return []
  const targets = {
    ...(Option.isSome(tp) ? { tp: tp.value } : {}),
    ...(Option.isSome(sl) ? { sl: sl.value } : {})
  }
  return [{ type, pair, at: receivedAt, ...targets, ...extrasOf(extras) }]
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
  const errors: Array<Violation> = []
  const extras = AlertExtras.read(
    {
      close_percent: body["close_percent"],
      reverse: body["reverse"],
      tps: body["tps"],
      buy_percentage: body["buy_percentage"]
    },
    { type, hasTp: tp !== undefined },
    errors
  )
  const [first] = errors
  if (first !== undefined) return Either.left(`${first.field} ${first.text}`)
  return Either.right({
    type,
    pair,
    at: time,
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl }),
    ...extras,
    ...chartOf(body)
  })
}

/** What only a chart's message says, as `textOf` writes it. */
const chartOf = (body: Readonly<Record<string, unknown>>): Extras => {
  const [growth, either] = [body["growth"], body["either_side"]]
  return {
    ...(typeof growth === "number" && growth > 0 && Number.isFinite(growth) ? { growth } : {}),
    ...(either === true ? { eitherSide: true } : {})
  }
}

/**
 * Alert times must be in ms. Unlike for candles no unit is guessed; the text names the unit that the time seems to
 * have.
 */
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

/** A price as a number or, as forms send it, a text. Undefined if absent or null. */
const priceOf = (value: unknown): number | undefined | "bad" => {
  if (value === undefined || value === null || value === "") return undefined
  const price = typeof value === "string" ? Number(value) : value
  return typeof price === "number" && isPrice(price) ? price : "bad"
}
