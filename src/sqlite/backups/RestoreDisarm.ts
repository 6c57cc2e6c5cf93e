// Makes a restored database safe: its age is unknown, so nothing in it may trade by itself until somebody has compared
// it with the exchanges.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import { EVERYBODY } from "../../services/Events.ts"
import { answerText } from "../../sql/Commands.ts"
import * as Rows from "../../sql/rows/Rows.ts"
import * as TimelineRows from "../../sql/rows/TimelineRows.ts"

const bots = Rows.reader(Schema.Struct({ strategy: StrategyId, account: AccountId }))

/**
 * Marks the database (`at` in ms):
 * 1. Entries are halted for everybody.
 * 2. Armed bots only manage their open positions, under new tags: the exchange may have seen later orders.
 * 3. Commands left without an answer are void.
 */
export const mark = Effect.fn("RestoreDisarm.mark")(function* (
  file: string,
  at: number
): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const why = `the database was restored from ${file}`
  yield* sql`INSERT OR REPLACE INTO halts (account, at, cause, text)
    VALUES (0, ${at}, 'restored', ${`${why}. Compare it with your exchanges before you go on`})`
  // A damaged row is reported by `verify`.
  const live = yield* bots.all(sql`UPDATE bots
    SET state = json_set(state, '$.live.leaving', json('true'), '$.live.tag', lower(hex(randomblob(8))))
    WHERE CASE WHEN json_valid(state) THEN json_type(state, '$.live') END = 'object'
    RETURNING strategy_id AS strategy,
      coalesce((SELECT account FROM strategies WHERE id = bots.strategy_id), 0) AS account`)
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

const noteOf = (at: number, rule: string, text: string): TimelineNote => ({
  at,
  rule,
  alertId: Option.none(),
  reason: Option.none(),
  text,
  facts: {}
})
