// Makes a restored database safe: its age is unknown, so nothing in it may trade by itself until somebody has compared
// it with the exchanges.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import { EVERYBODY } from "../../services/Events.ts"
import { answerText } from "../Commands.ts"
import * as Dialect from "../Dialect.ts"
import * as RestoreRows from "../rows/RestoreRows.ts"
import * as Rows from "../rows/Rows.ts"
import * as TimelineRows from "../rows/TimelineRows.ts"

const bots = Rows.reader(Schema.Struct({ strategy: StrategyId, account: AccountId, state: Schema.String }))

/** The part of an armed bot's state that a restore changes; the rest stays as it is written. */
const Armed = Schema.parseJson(
  Schema.Struct(
    { live: Schema.Struct({}, Schema.Record({ key: Schema.String, value: Schema.Unknown })) },
    Schema.Record({ key: Schema.String, value: Schema.Unknown })
  )
)
const readArmed = lazily(() => Schema.decodeUnknownEither(Armed))

/** A restore: the source in words, the time (ms), and the ledger's head. */
export interface Restored {
  readonly file: string
  readonly at: number
  readonly head: string
}

/**
 * Marks the database:
 * 1. The restore is recorded, and entries are halted for everybody.
 * 2. Armed bots only manage their open positions, under new tags: the exchange may have seen later orders.
 * 3. Commands left without an answer are void.
 * 4. All sessions, codes and paired chats end: those that were ended after the backup would live again.
 */
export const mark = Effect.fn("RestoreMark.mark")(function* ({
  at,
  file,
  head
}: Restored): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const why = `the database was restored from ${file}`
  for (const table of ["sessions", "sign_in_codes", "chat_codes", "chats"])
    yield* sql`DELETE FROM ${sql.literal(table)}`
  yield* RestoreRows.record({ at: Math.floor(at / 1000), file, head })
  yield* sql`INSERT INTO halts (account, at, cause, text)
    VALUES (0, ${at}, 'restored', ${`${why}. Compare it with your exchanges before you go on`})
    ON CONFLICT (account) DO UPDATE SET at = excluded.at, cause = excluded.cause, text = excluded.text`
  const live = yield* disarm(sql)
  const answer = answerText({ isDone: false, text: `it is void: ${why}` })
  yield* sql`UPDATE mandates SET answer = ${answer} WHERE answer IS NULL`
  yield* Effect.all(
    TimelineRows.insert(sql, [
      TimelineRows.row(
        EVERYBODY,
        0,
        noteOf(at, "halted", `Entries are halted for everybody: ${why}. Exits go on.`)
      ),
      ...live.map(({ account, strategy }) =>
        TimelineRows.row(
          account,
          strategy,
          noteOf(at, "disarmed", `Disarmed: ${why}. What is open is managed on.`)
        )
      )
    ]),
    { discard: true }
  )
})

/** Disarms all bots, and returns those that were armed. A damaged row is reported by `verify`. */
const disarm = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* bots.all(sql`SELECT bots.strategy_id AS strategy,
    coalesce(strategies.account, 0) AS account, bots.state FROM bots
    LEFT JOIN strategies ON strategies.id = bots.strategy_id
    WHERE ${Dialect.holds(sql, "bots.state", '"live"')} ORDER BY bots.strategy_id`)
  const armed = found.flatMap(({ account, state, strategy }) =>
    Either.match(readArmed(state), {
      onLeft: () => [],
      onRight: (whole) => [{ account, strategy, whole }]
    })
  )
  for (const { strategy, whole } of armed) {
    const live = { ...whole.live, leaving: true, tag: tag() }
    yield* sql`UPDATE bots SET state = ${JSON.stringify({ ...whole, live })} WHERE strategy_id = ${strategy}`
  }
  return armed
})

/** A new tag of a bot's orders: 16 hexadecimal digits. */
const tag = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 16)

const noteOf = (at: number, rule: string, text: string): TimelineNote => ({
  at,
  rule,
  alertId: Option.none(),
  reason: Option.none(),
  text,
  facts: {}
})
