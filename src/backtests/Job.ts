// The payloads of the frames, and the protocol of one back-test:
// 1. The server sends `Venues`, which it lists, and then `Read`: the body of the request as it came.
// 2. The child process responds with `Asks`: the markets and the recorded alerts that it needs.
// 3. The server sends the markets in one or more `Markets` frames, and then `Run`.
// 4. The child process responds with `Done`: the result as JSON.
// In place of either response it may send `Refused` (violations) or `Unreadable` (text), and nothing after that.
//
// A comparison of a strategy with its test has another protocol:
// 1. The server sends `Markets` frames and `Rows` frames, and then `Compare`: everything else that it gathered.
// 2. The child process responds with `Done`, or with `Unreadable`: why nothing can be compared.
//
// So has a what-if:
// 1. The server sends `Markets` frames and `Rows` frames, and then `WhatIf`: everything else, with the changed settings.
// 2. The child process responds with `Tried`: the result of the changed settings, or with `Unreadable`.
// 3. The server keeps the result, and sends `Tries`: all on the same stretch.
// 4. The child process responds with `Done`.
import * as Schema from "effect/Schema"
import { AccountId } from "../domain/Account.ts"
import * as Decimal from "../domain/Decimal.ts"
import { ExchangeName, Pair, QuoteCurrency } from "../domain/Market.ts"
import { SignalId } from "../domain/Signal.ts"
import { Settings } from "../domain/Strategy.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"

/** The end of a span (ms); JSON has no infinity, so null stands for an open end. */
const Until = Schema.transform(Schema.NullOr(Schema.Number), Schema.Number, {
  strict: true,
  decode: (until) => until ?? Number.POSITIVE_INFINITY,
  encode: (until) => (Number.isFinite(until) ? until : null)
})

/** The exchanges and quote currencies that the request may name. */
export const Venues = Schema.Struct({
  exchanges: Schema.Array(ExchangeName),
  quoteCurrencies: Schema.Array(QuoteCurrency)
})

/** The pairs whose markets the child needs: those of the candles, and those that the strategy lists. */
export const placesOf = (exchange: Schema.Schema<ExchangeName>) =>
  Schema.Array(Schema.Struct({ exchange, pair: Pair }))

/** The request for markets (thousands of `placesOf`) and for recorded alerts. */
export const Asks = Schema.Struct({
  places: Schema.Array(Schema.Unknown),
  alerts: Schema.UndefinedOr(
    Schema.Struct({
      _tag: Schema.Literal("OnRecord"),
      of: Schema.Literal("strategy", "signal"),
      id: Schema.Int,
      from: Schema.Number,
      until: Until
    })
  )
})

/** A part of the markets. The child uses all parts together. */
export const Markets = Schema.encodedSchema(BacktestMarkets.MarketsMessage)

/**
 * The caller's recorded alerts, if any, and the database beside which prices are recorded; `postgres` is the address of
 * the one that holds the alerts, where that is another. `lacksOwn`: the server has own
 * decisions of an embedder, which are functions and stay in its process.
 */
export const Run = Schema.Struct({
  database: Schema.String,
  postgres: Schema.UndefinedOr(Schema.String),
  lacksOwn: Schema.Boolean,
  alerts: Schema.UndefinedOr(
    Schema.Struct({
      account: AccountId,
      signal: SignalId,
      strategy: Schema.UndefinedOr(StrategyId),
      from: Schema.Number,
      until: Until
    })
  )
})

/** What was gathered but its rows, as services/compare/GatheredMessage.ts writes it, and the database of `Run`. */
export const Compare = Schema.Struct({ database: Schema.String, terms: Schema.String })

/** The same of a what-if, with the changed settings and what has to be said. */
export const WhatIf = Schema.Struct({
  database: Schema.String,
  terms: Schema.String,
  settings: Settings,
  notices: Schema.Array(Schema.String)
})

const outcome = { net: Decimal.Text, trades: Schema.Int, sharpe: Schema.Number }

/** The result of the changed settings. */
export const Outcome = Schema.Struct(outcome)

/** All tries on the stretch, newest first. */
export const Tries = Schema.Array(
  Schema.Struct({
    at: Schema.Number,
    changes: Schema.Array(Schema.Struct({ setting: Schema.String, from: Schema.String, to: Schema.String })),
    ...outcome
  })
)

/** The request's violations. */
export const Refused = Schema.Array(Schema.Struct({ field: Schema.String, text: Schema.String }))

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { fatal: true }) }

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => utf8.encoder.encode(text)
export const textOf = (bytes: Uint8Array): string => utf8.decoder.decode(bytes)

/** Reads and writes a JSON payload. Throws if the payload does not fit the schema. */
export const json = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownSync(Schema.parseJson(schema))
  const encode = Schema.encodeSync(Schema.parseJson(schema))
  return { read: (bytes: Uint8Array) => decode(textOf(bytes)), write: (value: A) => bytesOf(encode(value)) }
}
