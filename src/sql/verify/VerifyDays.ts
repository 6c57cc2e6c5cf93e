// Checks the sums of days against the trades behind them.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import type { Check } from "./Fault.ts"
import * as RowDecoder from "./RowDecoder.ts"
import { each, type Source, type Statements } from "./Source.ts"

/** The versions that introduced the sums, and kept real money apart in them. */
const SINCE = 6
const SINCE_LIVE = 8

const TRADES: Statements = {
  sqlite: `SELECT substr(pair, instr(pair, '/') + 1) AS currency,
    json_extract(trade, '$.live') IS NOT NULL AS live, closed_at / 86400000 AS day,
    json_extract(trade, '$.pnl') AS made FROM trades WHERE pnl IS NOT NULL`,
  pg: `SELECT substr(pair, strpos(pair, '/') + 1) AS currency, live, closed_at / 86400000 AS day,
    trade::json ->> 'pnl' AS made FROM trades WHERE pnl IS NOT NULL`
}
const daysOf = (version: number) =>
  `SELECT currency, ${version < SINCE_LIVE ? "0 AS live" : "live"}, day, net AS made FROM result_days`

/** The database's columns hold numbers and texts; an amount that is none counts as zero, as rows are checked elsewhere. */
const decodeDay = RowDecoder.make(
  Schema.Struct({
    currency: Schema.NullOr(Schema.String),
    live: Schema.Number,
    day: Schema.NullOr(Schema.Number),
    made: Schema.Unknown
  })
)

/**
 * Finds differing sums: by currency, over all accounts, on paper and with real money. Call it only on sound books,
 * which report faulty trades themselves.
 */
export function* disagreeing(source: Source): Check {
  if (source.version < SINCE) return
  const sums = new Map<string, Decimal.Decimal>()
  const adding = (sign: (amount: Decimal.Decimal) => Decimal.Decimal) => (row: object) => {
    const { currency, day, live, made } = Either.getOrThrow(decodeDay(row))
    const amount = Option.getOrElse(Decimal.fromText(String(made)), () => Decimal.zero)
    const key = `${live === 1 ? "live " : ""}${currency} of day ${day}`
    sums.set(key, Decimal.add(sums.get(key) ?? Decimal.zero, sign(amount)))
    return undefined
  }
  yield* each(
    source.rows(TRADES[source.dialect]),
    adding((amount) => amount)
  )
  yield* each(source.rows(daysOf(source.version)), adding(Decimal.negate))
  for (const [name, left] of sums)
    if (!Decimal.isZero(left))
      yield { table: "result_days", text: `${name} is off by ${Decimal.toText(Decimal.negate(left))}` }
}
