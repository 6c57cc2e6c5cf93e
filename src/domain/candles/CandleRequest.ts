// Requests of the operator to download and to remove candles.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isKnownExchange, isPair, MarketKind } from "../Market.ts"
import { exchangeOf, INTERFACE } from "../market/VenueList.ts"
import type { Fields } from "../requests/Form.ts"
import { type Violation, Violations, violation } from "../requests/Violations.ts"
import { type CandleSeries, DAY_MS, dayAt, dayOf, dayText } from "./CandleSeries.ts"
import { TIMEFRAMES, timeframeOf } from "./Timeframe.ts"

/** The most days of one download. */
export const MAX_DAYS = 4_000

const isKind = Schema.is(MarketKind)

/** The series, or all violations. Spot and one minute where they are left out. */
const seriesIn = (fields: Fields, violations: Array<Violation>): CandleSeries | undefined => {
  const { exchange: written, kind = "spot", pair: text, timeframe: length = "1m" } = fields
  const exchange = exchangeOf(INTERFACE, written)
  const pair = typeof text === "string" ? text.trim().toUpperCase() : ""
  const timeframe = typeof length === "string" ? timeframeOf(length) : undefined
  if (exchange === undefined || !isKnownExchange(exchange))
    violations.push(violation("exchange", `must be ${INTERFACE.exchanges.join(", ")}`))
  if (!isPair(pair)) violations.push(violation("pair", "must be a pair like BTC/USDT"))
  if (!isKind(kind)) violations.push(violation("kind", "must be spot or swap"))
  if (timeframe === undefined) violations.push(violation("timeframe", `must be ${TIMEFRAMES.join(", ")}`))
  return exchange !== undefined && isPair(pair) && isKind(kind) && timeframe !== undefined
    ? { exchange, pair, kind, timeframe }
    : undefined
}

/** The series to remove, or all violations. */
export const readSeries = (fields: Fields): Either.Either<CandleSeries, Violations> => {
  const violations: Array<Violation> = []
  const series = seriesIn(fields, violations)
  return series === undefined || violations.length > 0
    ? Either.left(Violations.of(violations))
    : Either.right(series)
}

/** A series and the days to download: from `from` on and before `until` (both the start of a day, ms). */
export interface CandleDays {
  readonly series: CandleSeries
  readonly from: number
  readonly until: number
}

/** What to download, or all violations. Days in UTC; the last is today where it is left out. `now` in ms. */
export const readDownload = (fields: Fields, now: number): Either.Either<CandleDays, Violations> => {
  const violations: Array<Violation> = []
  const series = seriesIn(fields, violations)
  const day = (name: "from" | "to") => {
    const text = fields[name]
    const at = typeof text === "string" ? dayAt(text) : undefined
    if (at === undefined) violations.push(violation(name, "must be a day like 2026-11-01"))
    else if (at > now) violations.push(violation(name, "must not be in the future"))
    return at
  }
  const from = day("from")
  const to = fields["to"] === undefined || fields["to"] === "" ? dayOf(now) : day("to")
  if (from !== undefined && to !== undefined && from > to)
    violations.push(violation("to", `must not be before ${dayText(from)}`))
  else if (from !== undefined && to !== undefined && to - from >= MAX_DAYS * DAY_MS)
    violations.push(violation("from", `must be at most ${MAX_DAYS} days before the last day`))
  return series === undefined || from === undefined || to === undefined || violations.length > 0
    ? Either.left(Violations.of(violations))
    : Either.right({ series, from, until: to + DAY_MS })
}
