// The inputs of a back-test, the request made from them, and the assignment of errors to fields. Pure functions.

import { AMOUNT_WORDS, isAmount } from "../../../domain/requests/Bounds.ts"
import { ambiguityHint, numberOf } from "../parts/reader/number.ts"
import { times } from "../parts/reader/time.ts"
import type { Draft, Errors } from "../strategies/form.ts"
import type { Answer, Request } from "../wire.ts"
import type { Glance } from "./files.ts"
import * as Fills from "./fills.ts"

export type Result = Answer<"backtests", "run">
export type Recording = Answer<"backtests", "recordings">["data"][number]
type Payload = Request<"backtests", "run">["payload"]
type Candles = Payload["candles"][number]

/** The source of a pair's candles. Days are the reader's, like `2026-11-22`; empty means no limit. */
export type Source =
  | {
      readonly kind: "file"
      readonly key: number
      readonly name: string
      readonly pair: string
      readonly csv: string
      readonly glance: Glance
    }
  | {
      readonly kind: "recorded"
      readonly key: number
      readonly recording: Recording
      readonly from: string
      readonly to: string
    }

export const pairOf = (source: Source): string =>
  (source.kind === "file" ? source.pair : source.recording.pair).trim().toUpperCase()

/** The source of the alerts: `choice` is `none`, `file`, `rule`, `signal:ID` or `strategy:ID`. */
export interface Sent {
  readonly choice: string
  readonly name: string
  readonly text: string
  /** The pair of a list of trades, which names none. */
  readonly pair: string
  /** A rule as JSON, as typed. */
  readonly rule: string
}

export interface Setup {
  readonly sources: ReadonlyArray<Source>
  readonly sent: Sent
  /** As typed. */
  readonly balance: string
  readonly fills: Fills.Typed
}

/** The time that a source covers, in seconds, as far as known. */
export const spanOf = (
  source: Source
): { readonly from: number | undefined; readonly to: number | undefined } => {
  if (source.kind === "file") return source.glance
  const to = times().dayEnds(source.to)
  return {
    from: times().dayBegins(source.from) ?? source.recording.from,
    to: Math.min(source.recording.to, to ?? source.recording.to)
  }
}

/** The request. Recorded alerts are limited to the time of the candles. */
export const payloadOf = (strategy: Draft, { balance, fills, sent, sources }: Setup): Payload => {
  const amount = numberOf(balance)
  const alerts = alertsOf(sent, sources)
  const nearer = Fills.documentOf(fills)
  const rule = sent.choice === "rule" ? ruleIn(sent.rule) : undefined
  return {
    strategy,
    candles: sources.map(candlesOf),
    ...(alerts === undefined ? {} : { alerts }),
    ...(rule === undefined ? {} : { rule }),
    ...(amount === undefined ? {} : { balance: amount }),
    ...(nearer === undefined ? {} : { fills: nearer })
  }
}

/** The object in a JSON text; the server says what is wrong with one that is no rule. */
const ruleIn = (text: string): Payload["rule"] => {
  try {
    const value: unknown = JSON.parse(text)
    return isRule(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRule = (value: unknown): value is NonNullable<Payload["rule"]> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const candlesOf = (source: Source): Candles => {
  if (source.kind === "file") return { pair: pairOf(source), csv: source.csv }
  const { exchange, kind, pair } = source.recording
  const [from, to] = [times().dayBegins(source.from), times().dayEnds(source.to)]
  return {
    pair,
    exchange,
    kind,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to })
  }
}

const alertsOf = (sent: Sent, sources: ReadonlyArray<Source>): Payload["alerts"] => {
  if (sent.choice === "none" || sent.choice === "rule") return undefined
  if (sent.choice === "file")
    return { text: sent.text, ...(sent.pair.trim() === "" ? {} : { pair: sent.pair.trim() }) }
  const [of, id] = sent.choice.split(":")
  const spans = sources.map(spanOf)
  const from = least(spans.map((span) => span.from))
  const to = most(spans.map((span) => span.to))
  return {
    recorded: of === "signal" ? "signal" : "strategy",
    id: Number(id),
    ...(from === undefined ? {} : { from }),
    // The last candle lasts a minute.
    ...(to === undefined ? {} : { to: to + 59 })
  }
}

const known = (values: ReadonlyArray<number | undefined>) => values.filter((value) => value !== undefined)
const least = (values: ReadonlyArray<number | undefined>): number | undefined =>
  known(values).reduce<number | undefined>((low, value) => Math.min(low ?? value, value), undefined)
const most = (values: ReadonlyArray<number | undefined>): number | undefined =>
  known(values).reduce<number | undefined>((high, value) => Math.max(high ?? value, value), undefined)

/** Errors that are found without the server. */
export const missing = ({ balance, fills, sent, sources }: Setup): Errors => {
  const errors: Record<string, ReadonlyArray<string>> = { ...Fills.errorsOf(fills) }
  if (sources.length === 0) errors["candles"] = ["choose a file or recorded prices"]
  for (const [index, source] of sources.entries()) {
    const pair = pairOf(source)
    if (!/^[A-Z0-9]+\/[A-Z0-9]+$/.test(pair))
      errors[`candles[${index}].pair`] = ["must be a pair like BTC/USDT"]
    else if (sources.slice(0, index).some((other) => pairOf(other) === pair))
      errors[`candles[${index}].pair`] = ["has candles already: each pair is given once"]
    if (source.kind === "recorded" && source.from !== "" && source.to !== "" && source.from > source.to)
      errors[`candles[${index}].to`] = ["must not be before the first day"]
  }
  if (sent.choice === "file" && sent.text === "") errors["alerts"] = ["choose a file"]
  if (sent.choice === "rule" && ruleIn(sent.rule) === undefined)
    errors["rule"] = ["must be a rule as JSON: an object with markets, timeframe and on"]
  const amount = numberOf(balance)
  if (amount !== undefined && !isAmount(amount))
    errors["balance"] = [`must be ${AMOUNT_WORDS}${ambiguityHint(balance)}`]
  return errors
}

/** The errors about the strategy's settings, by the settings' own names. */
export const strategyErrors = (errors: Errors): Errors =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([field, texts]) =>
      field.startsWith("strategy.") ? [[field.slice("strategy.".length), texts]] : []
    )
  )

/** All errors of fields with one of these prefixes. */
export const errorsUnder = (
  errors: Errors,
  ...prefixes: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const found = Object.entries(errors).flatMap(([field, texts]) =>
    prefixes.some((prefix) => field === prefix || field.startsWith(`${prefix}.`)) ? texts : []
  )
  return found.length === 0 ? undefined : found
}
