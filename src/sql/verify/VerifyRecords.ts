// Checks the track records of strategies against their trades: a record that was written by hand, or that lost a trade,
// does not have the trades that the books have.
import * as Schema from "effect/Schema"
import type { Standings } from "../../domain/directory/TrackRecord.ts"
import * as RecordRows from "../directory/RecordRows.ts"
import type { Check } from "./Fault.ts"
import { each, type Source } from "./Source.ts"

/** The version that introduced the records. */
const SINCE = 17

const Made = Schema.Struct({
  strategy: Schema.Int,
  live: Schema.Literal(0, 1),
  trades: Schema.Int,
  until: Schema.Int
})
const madeOf = Schema.decodeUnknownSync(Made)
const recordOf = Schema.decodeUnknownSync(RecordRows.records.schema)

const TRADES = `SELECT strategy_id AS strategy, live, count(*) AS trades, max(closed_at) AS until FROM trades
  WHERE strategy_id IN (SELECT id FROM strategies) GROUP BY strategy_id, live ORDER BY strategy_id, live`
const RECORDS = `SELECT ${RecordRows.RECORD} FROM strategy_records ORDER BY strategy_id`
const STRATEGIES = `SELECT id FROM strategies WHERE id NOT IN (SELECT strategy_id FROM strategy_records)`
const idOf = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

/** Finds records that do not count the trades of their strategy. Call it only on sound books. */
export function* miscounted(source: Source): Check {
  if (source.version < SINCE) return
  const made = new Map<string, string>()
  yield* each(source.rows(TRADES), (row) => {
    const { live, strategy, trades, until } = madeOf(row)
    made.set(`${strategy} ${live}`, textOf({ trades, until }))
    return undefined
  })
  yield* each(source.rows(RECORDS), (row) => {
    const { record, strategy } = recordOf(row)
    return Array.from(standingsOf(record.overall).entries()).flatMap(([live, standing]) =>
      (made.get(`${strategy} ${live}`) ?? NONE) === textOf(standing)
        ? []
        : [faultOf(strategy, "does not count the strategy's trades")]
    )
  })
  yield* each(source.rows(STRATEGIES), (row) => [faultOf(idOf(row).id, "is missing")])
}

interface Counted {
  readonly trades: number
  readonly until: number
}

/** On paper, then with real money. */
const standingsOf = ({ paper, real }: Standings): ReadonlyArray<Counted | undefined> => [paper, real]

const NONE = "no trade"
const textOf = (counted: Counted | undefined): string =>
  counted === undefined ? NONE : `${counted.trades} ${counted.until}`

const faultOf = (strategy: number, text: string) => ({
  table: "strategy_records",
  strategy,
  row: strategy,
  text: `the record ${text}`
})
