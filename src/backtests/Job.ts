// The payloads of the frames. One back-test, in order:
// 1. The server sends `Read`: the body of the request as it came.
// 2. The child process answers `Asks`: the markets and the alerts on record that it has to know.
// 3. The server sends `Markets`, as many frames of them as it takes, and then `Run`.
// 4. The child process answers `Done`: the view as JSON.
// In place of either answer it may send `Refused` or `Unreadable` (words), and nothing after that.
import * as Schema from "effect/Schema"
import { AccountId } from "../domain/Account.ts"
import { ExchangeName, Pair } from "../domain/Market.ts"
import { SignalId } from "../domain/Signal.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"

/** A span may have no end, which JSON has no number for. */
const Until = Schema.transform(Schema.NullOr(Schema.Number), Schema.Number, {
  strict: true,
  decode: (until) => until ?? Number.POSITIVE_INFINITY,
  encode: (until) => (Number.isFinite(until) ? until : null)
})

/** Whose markets have to be known: those of the candles, and those that the strategy lists. */
export const Places = Schema.Array(Schema.Struct({ exchange: ExchangeName, pair: Pair }))

/** What has to be known: the markets of these `Places`, some thousands of them, and which alerts. */
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

/** Some of the markets; all that are sent count. */
export const Markets = Schema.encodedSchema(BacktestMarkets.MarketsMessage)

/** The alerts on record that are the caller's, if any, and where they and recorded prices are found. */
export const Run = Schema.Struct({
  database: Schema.String,
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

/** All that is wrong with the request. */
export const Refused = Schema.Array(Schema.Struct({ field: Schema.String, text: Schema.String }))

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { fatal: true }) }

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => utf8.encoder.encode(text)
export const textOf = (bytes: Uint8Array): string => utf8.decoder.decode(bytes)

/** A payload of JSON. Throws at one that is not what it ought to be. */
export const json = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownSync(Schema.parseJson(schema))
  const encode = Schema.encodeSync(Schema.parseJson(schema))
  return { read: (bytes: Uint8Array) => decode(textOf(bytes)), write: (value: A) => bytesOf(encode(value)) }
}
