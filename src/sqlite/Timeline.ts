import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { type AlertId, Outcome } from "../domain/Alert.ts"
import { StrategyNotFound } from "../domain/Strategy.ts"
import { TimelineEntry } from "../domain/Timeline.ts"
import { Timeline } from "../services/Timeline.ts"
import * as Rows from "./rows/Rows.ts"

const entries = Rows.reader(
  Schema.Struct({ ...TimelineEntry.fields, facts: Schema.parseJson(TimelineEntry.fields.facts) })
)
const outcomes = Rows.reader(Outcome)
const found = Rows.reader(Schema.Struct({ id: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = Rows.orFail(() => new StrategyNotFound())

  return Timeline.of({
    list: Effect.fn("Timeline.list")(function* (account, strategy, { before, limit }) {
      yield* known(
        found.first(sql`SELECT id FROM strategies WHERE id = ${strategy} AND account = ${account}`)
      )
      return yield* entries.all(sql`SELECT id, strategy_id AS strategyId, at, rule, alert_id AS alertId,
        reason, text, facts FROM timeline
        WHERE strategy_id = ${strategy} AND id < ${before ?? Number.MAX_SAFE_INTEGER}
        ORDER BY id DESC LIMIT ${limit}`)
    }),
    outcomes: Effect.fn("Timeline.outcomes")((account: AccountId, alerts: ReadonlyArray<AlertId>) =>
      outcomes.all(sql`SELECT alert_id AS alertId, strategy_id AS strategyId, account, reason, at FROM outcomes
        WHERE alert_id IN (SELECT value FROM json_each(${JSON.stringify(alerts)})) AND account = ${account}
        ORDER BY alert_id, strategy_id`)
    )
  })
})

export const layer = Layer.effect(Timeline, make)
