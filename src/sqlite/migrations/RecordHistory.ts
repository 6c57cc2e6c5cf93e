// The records of strategies from before records were kept: folded from their trades, as each commit does from then on.
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { begin, type TrackRecord } from "../../domain/directory/TrackRecord.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { QuoteCurrency, quoteOf } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Trade } from "../../domain/Trade.ts"
import * as RecordRows from "../../sql/directory/RecordRows.ts"
import * as PortfolioRows from "../../sql/rows/PortfolioRows.ts"
import * as StrategyRows from "../../sql/rows/StrategyRows.ts"
import * as Performance from "../../trading/Performance.ts"
import * as TrackRecords from "../../trading/TrackRecord.ts"

/** Strategies read at a time. */
const STRATEGIES = 200

const Texts = lazily(() => Schema.decodeUnknownSync(Schema.Array(Schema.Tuple(Schema.String))))
const tradeOf = lazily(() => Schema.decodeUnknownOption(Schema.parseJson(Trade)))
const postingOf = lazily(() => Schema.decodeUnknownOption(PortfolioRows.columns.posting))
const botOf = lazily(() => Schema.decodeUnknownOption(PortfolioRows.bots.schema))

/** Makes the record of every strategy. A damaged row is in no record; `verify` reports it. */
export const fill = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<void, SqlError> {
  for (let after = 0; ; ) {
    const rows = yield* sql`SELECT ${sql.literal(StrategyRows.COLUMNS)} FROM strategies
      WHERE id > ${after} ORDER BY id LIMIT ${STRATEGIES}`
    const strategies = rows.flatMap((row) => Option.toArray(StrategyRows.tried(row)))
    for (const strategy of strategies) yield* fillOne(sql, strategy)
    const last = rows.at(-1)?.["id"]
    if (typeof last !== "number") return
    after = last
  }
})

const fillOne = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, strategy: Strategy) {
  const texts = Texts(
    yield* sql`SELECT trade FROM trades WHERE strategy_id = ${strategy.id} ORDER BY id`.values
  )
  const trades = texts.flatMap(([text]) => Option.toArray(tradeOf(text)))
  const bot = Option.flatMap(
    Option.fromNullable(
      (yield* sql`SELECT ${sql.literal(PortfolioRows.BOT)} FROM bots WHERE strategy_id = ${strategy.id}`)[0]
    ),
    botOf
  )
  const starting = yield* balances(sql, strategy)
  const periods = new Map<number, { readonly tally: Performance.Tally; readonly last: Trade }>()
  let record: TrackRecord = begin(strategy.createdAt * 1000)
  for (const trade of trades) {
    const { period = 1 } = trade
    const before =
      periods.get(period)?.tally ?? Performance.begin(starting[period - 1] ?? Decimal.zero, trade.openedAt)
    const tally = Performance.add(before, trade)
    periods.set(period, { tally, last: trade })
    record = TrackRecords.add(record, { tally, trades: [trade] })
  }
  if (Option.isSome(bot)) {
    const { state, tally } = bot.value
    const mode = state.live === undefined ? "paper" : "real"
    record = TrackRecords.started(record, { mode, period: state.period ?? 1, since: tally.createdAt })
  }
  const { updatedAt: settingsSince } = strategy
  yield* Effect.all(
    RecordRows.insert(sql, [RecordRows.rowOf(strategy, { record, settingsSince, changes: 1 }, undefined)])
  )
  yield* RecordRows.storePeriods(
    sql,
    Array.from(periods, ([period, { last, tally }]) => ({
      strategy: strategy.id,
      period,
      mode: last.live === true ? ("real" as const) : ("paper" as const),
      currency: QuoteCurrency.make(quoteOf(last.pair)),
      tally,
      until: last.closedAt
    }))
  )
})

/** The balance at the start of each period: what the owner paid in, one after the other. */
const balances = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { id }: Strategy) {
  const texts = Texts(
    yield* sql`SELECT posting FROM ledger WHERE strategy_id = ${id} AND instr(posting, 'capital') > 0 ORDER BY id`
      .values
  )
  return texts
    .flatMap(([text]) => Option.toArray(postingOf(text)))
    .flatMap(({ lines }) => lines)
    .filter(({ account, amount }) => account === "cash" && Decimal.isPositive(amount))
    .map(({ amount }) => amount)
})
