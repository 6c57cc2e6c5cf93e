// The request for a back-test: a strategy in the request dialect, candles for up to 20 pairs, alerts and a balance. All
// violations of the request are reported together.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { STARTING_BALANCES, startingBalanceOf } from "../Bot.ts"
import * as Decimal from "../Decimal.ts"
import * as FillModel from "../fills/FillModel.ts"
import { optional } from "../internal/Optional.ts"
import * as SchemaViolations from "../internal/SchemaViolations.ts"
import { ExchangeName, isPair, MarketKind, type Pair } from "../Market.ts"
import { exchangeOf, INTERFACE, schemasOf, type VenueList } from "../market/VenueList.ts"
import type { Settings } from "../Strategy.ts"
import { RuleDocument } from "../signalRule/RuleDocument.ts"
import { inWords } from "../signalRule/RuleError.ts"
import * as RuleReading from "../signalRule/RuleReading.ts"
import { AMOUNT_WORDS, isAmount } from "./Bounds.ts"
import { StrategyDraft } from "./StrategyDraft.ts"
import { parseBody } from "./StrategyRequest.ts"
import { type Violation, violation } from "./Violations.ts"

/** The most pairs with candles in one back-test. */
export const MAX_SERIES = 20
/** The most candles of a back-test, over all pairs. */
export const MAX_CANDLES = 5_000_000
/** The most alerts of a back-test. */
export const MAX_ALERTS = 200_000

const seconds = (description: string) =>
  optional(
    Schema.Finite.pipe(
      Schema.filter((value) =>
        value >= 0 && value <= 8.64e12 ? undefined : "must be seconds since the Unix epoch"
      )
    ).annotations({ description: `${description}, seconds since the Unix epoch` })
  )

/** Candles uploaded as the text of a file. */
const Uploaded = Schema.Struct({
  pair: Schema.String,
  csv: Schema.String.annotations({
    description:
      "CSV of timestamp, open, high, low, close, volume, a header line optional, or freqtrade's JSON; timestamps in seconds, ms, microseconds or as dates"
  })
})
/** Candles that a server recorded: of the spot market, or of the perpetual if only that was recorded. */
const recordedOf = (exchange: Schema.Schema<ExchangeName>) =>
  Schema.Struct({
    pair: Schema.String,
    exchange,
    kind: optional(MarketKind),
    from: seconds("the first minute"),
    to: seconds("the last minute")
  })
/** Stored alerts: those that concerned a strategy, or all of a signal. */
const OnRecord = Schema.Struct({
  recorded: Schema.Literal("strategy", "signal").annotations({
    description: "alerts on record that concerned this strategy, or all of this signal"
  }),
  id: Schema.Int,
  from: seconds("from when"),
  to: seconds("until when")
})
/** Alerts uploaded as the text of a file. */
const Listed = Schema.Struct({
  text: Schema.String.annotations({
    description: "a file: one JSON object a line, or a charting platform's list of trades as CSV"
  }),
  pair: optional(Schema.String).annotations({
    description:
      "the pair of a list of trades, which names none; the first pair with candles where it is left out"
  })
})

/** The request on the wire. */
export const Body = Schema.Struct({
  strategy: StrategyDraft,
  candles: Schema.Array(Schema.Union(Uploaded, recordedOf(ExchangeName))).annotations({
    description: `for each pair, 1 to ${MAX_SERIES}`
  }),
  alerts: optional(Schema.Union(OnRecord, Listed)),
  rule: optional(RuleDocument).annotations({
    description:
      "a rule that raises the alerts by itself, in place of `alerts`: its candles are made of those given, also of recorded ones from before `from`"
  }),
  balance: optional(Schema.Finite).annotations({ description: "the starting balance" }),
  fills: optional(FillModel.FillModelDocument).annotations({
    description:
      "fills nearer to life than whole, at once, at the price of the decision; all of it is off by default"
  }),
  any_time: optional(Schema.Boolean).annotations({
    description:
      "true where times of candles and alerts are made up: they are taken as milliseconds, and need not lie from 2009 to a year from now"
  })
})

/** The source of a pair's candles. Times in ms, `until` excluded. */
export type Candles =
  | { readonly _tag: "Uploaded"; readonly pair: Pair; readonly csv: string }
  | (Span & {
      readonly _tag: "Recorded"
      readonly pair: Pair
      readonly exchange: ExchangeName
      readonly kind: MarketKind | undefined
    })
/** The source of the alerts. */
export type Alerts =
  | { readonly _tag: "None" }
  | { readonly _tag: "Listed"; readonly text: string; readonly pair: Pair }
  | (Span & { readonly _tag: "OnRecord"; readonly of: "strategy" | "signal"; readonly id: number })
/** A time range in ms since the epoch, `until` excluded. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** A request without violations, as far as the request alone shows. */
export interface BacktestRequest {
  readonly settings: Settings
  readonly candles: ReadonlyArray<Candles>
  readonly alerts: Alerts
  /** The rule that raises the alerts, in place of others. */
  readonly rule: RuleReading.ReadRule | undefined
  readonly balance: Decimal.Decimal
  /** How fills are made nearer to life, if they are. */
  readonly fillModel: FillModel.FillModel | undefined
  /** Whether the times in files are made up. */
  readonly anyTime: boolean
}

/** The request, or all its violations; those of the strategy as on creation. */
export const read = (
  body: Readonly<Record<string, unknown>>,
  venues: VenueList = INTERFACE
): Either.Either<BacktestRequest, ReadonlyArray<Violation>> => {
  const violations: Array<Violation> = []
  const settings = settingsOf(body["strategy"], venues, violations)
  const candles = candlesOf(body["candles"], venues, violations)
  const alerts = alertsOf(body["alerts"], candles[0]?.pair, violations)
  const rule = ruleOf(body["rule"], body["alerts"], violations)
  const given = body["balance"]
  if (given !== undefined && !isBalance(given))
    violations.push(violation("balance", `must be ${AMOUNT_WORDS}`))
  const fillModel = fillsOf(body["fills"], violations)
  const anyTime = body["any_time"] ?? false
  if (typeof anyTime !== "boolean") violations.push(violation("any_time", "must be true or false"))
  if (settings === undefined || alerts === undefined || violations.length > 0) return Either.left(violations)
  const balance = isBalance(given)
    ? Decimal.fromNumber(given)
    : startingBalanceOf(STARTING_BALANCES, settings.quote)
  return Either.right({ settings, candles, alerts, rule, balance, fillModel, anyTime: anyTime === true })
}

const isBalance = (value: unknown): value is number => typeof value === "number" && isAmount(value)
const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const settingsOf = (
  strategy: unknown,
  venues: VenueList,
  violations: Array<Violation>
): Settings | undefined => {
  if (!isRecord(strategy)) {
    violations.push(violation("strategy", strategy === undefined ? "is required" : "must be an object"))
    return undefined
  }
  const parsed = parseBody(strategy, venues)
  if (Either.isRight(parsed)) return parsed.right.settings
  violations.push(...parsed.left.map(({ field, text }) => violation(`strategy.${field}`, text)))
  return undefined
}

const candlesOf = (
  value: unknown,
  venues: VenueList,
  violations: Array<Violation>
): ReadonlyArray<Candles> => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_SERIES) {
    violations.push(violation("candles", `must be a list of 1 to ${MAX_SERIES} pairs with candles`))
    return []
  }
  const found: Array<Candles> = []
  for (const [index, one] of value.entries()) {
    const field = `candles[${index}]`
    const read = readCandles(field, one, venues, violations)
    if (read === undefined) continue
    if (found.some(({ pair }) => pair === read.pair))
      violations.push(violation(`${field}.pair`, "has candles already: each pair is given once"))
    found.push(read)
  }
  return found
}

const readCandles = (
  field: string,
  one: unknown,
  venues: VenueList,
  violations: Array<Violation>
): Candles | undefined => {
  const isUploaded = isRecord(one) && "csv" in one
  const candles = isUploaded
    ? accepted(Uploaded, field, one, violations)
    : accepted(recordedOf(schemasOf(venues).exchange), field, withExchangeId(one, venues), violations)
  if (candles === undefined) return undefined
  const pair = pairOf(`${field}.pair`, candles.pair, violations)
  if (pair === undefined) return undefined
  if ("csv" in candles) return { _tag: "Uploaded", pair, csv: candles.csv }
  const { exchange, kind } = candles
  return { _tag: "Recorded", pair, exchange, kind, ...spanOf(field, candles, violations) }
}

/** Replaces the exchange's name by its id; an unknown name stays and is refused. */
const withExchangeId = (one: unknown, venues: VenueList): unknown => {
  const known = isRecord(one) ? exchangeOf(venues, one["exchange"]) : undefined
  return isRecord(one) && known !== undefined ? { ...one, exchange: known } : one
}

const alertsOf = (
  value: unknown,
  first: Pair | undefined,
  violations: Array<Violation>
): Alerts | undefined => {
  if (value === undefined || value === null) return { _tag: "None" }
  const isText = isRecord(value) && "text" in value
  const alerts = isText
    ? accepted(Listed, "alerts", value, violations)
    : accepted(OnRecord, "alerts", value, violations)
  if (alerts === undefined) return undefined
  if ("text" in alerts) {
    const pair = alerts.pair === undefined ? first : pairOf("alerts.pair", alerts.pair, violations)
    return pair === undefined ? undefined : { _tag: "Listed", text: alerts.text, pair }
  }
  return { _tag: "OnRecord", of: alerts.recorded, id: alerts.id, ...spanOf("alerts", alerts, violations) }
}

const ruleOf = (
  value: unknown,
  alerts: unknown,
  violations: Array<Violation>
): RuleReading.ReadRule | undefined => {
  if (value === undefined || value === null) return undefined
  if (alerts !== undefined && alerts !== null)
    violations.push(violation("rule", "raises the alerts itself, in place of alerts: send one of the two"))
  const rule = RuleReading.read(value)
  if (Either.isRight(rule)) return rule.right
  violations.push(...rule.left.map((error) => violation("rule", inWords(error))))
  return undefined
}

const fillsOf = (value: unknown, violations: Array<Violation>): FillModel.FillModel | undefined => {
  if (value === undefined || value === null) return undefined
  const document = accepted(FillModel.FillModelDocument, "fills", value, violations)
  if (document === undefined) return undefined
  const model = FillModel.ofDocument(document)
  if (Either.isRight(model)) return model.right
  violations.push(violation(`fills.${model.left.field}`, model.left.text))
  return undefined
}

const accepted = <A, I>(
  schema: Schema.Schema<A, I>,
  field: string,
  value: unknown,
  violations: Array<Violation>
): A | undefined => {
  const read = SchemaViolations.decode(schema, value)
  if (Either.isRight(read)) return read.right
  violations.push(...read.left.map(({ path, text }) => violation(`${field}${path}`, text)))
  return undefined
}

const pairOf = (field: string, text: string, violations: Array<Violation>): Pair | undefined => {
  const pair = text.trim().toUpperCase()
  if (isPair(pair)) return pair
  violations.push(violation(field, "must be a pair like BTC/USDT"))
  return undefined
}

const spanOf = (
  field: string,
  { from, to }: { readonly from?: number; readonly to?: number },
  violations: Array<Violation>
): Span => {
  if (from !== undefined && to !== undefined && from > to)
    violations.push(violation(`${field}.to`, "must not be before from"))
  return { from: (from ?? 0) * 1000, until: to === undefined ? Number.POSITIVE_INFINITY : to * 1000 + 1 }
}
