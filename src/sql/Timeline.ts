// The stored layer that reads timelines and outcomes.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { type AlertId, Outcome, ReasonFacts } from "../domain/Alert.ts"
import { StrategyNotFound } from "../domain/Strategy.ts"
import { TimelineEntry } from "../domain/Timeline.ts"
import { type OutcomePage, Timeline } from "../services/Timeline.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/Rows.ts"

const entries = Rows.reader(
  Schema.Struct({ ...TimelineEntry.fields, facts: Schema.parseJson(TimelineEntry.fields.facts) })
)
const announcements = Rows.reader(
  Schema.Struct({
    at: Schema.Int,
    rule: Schema.String,
    facts: Schema.parseJson(TimelineEntry.fields.facts)
  })
)
const outcomes = Rows.reader(
  Schema.Struct({
    ...Outcome.fields,
    facts: Schema.NullOr(Schema.parseJson(ReasonFacts))
  })
)
const OUTCOME = 'alert_id AS "alertId", strategy_id AS "strategyId", account, reason, at, facts'
const found = Rows.reader(Schema.Struct({ id: Schema.Int }))

/** Each alert's rows stand together by strategy, so that a stretch of them is read and no more. */
const selectOutcomes = (
  sql: SqlClient.SqlClient,
  account: AccountId,
  alerts: ReadonlyArray<AlertId>,
  { after = 0, limit = Rows.NO_LIMIT }: OutcomePage
) =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT own.* FROM ${Dialect.ids(sql, alerts)} AS wanted (alert) CROSS JOIN LATERAL (
        SELECT ${sql.literal(OUTCOME)} FROM outcomes
        WHERE alert_id = wanted.alert AND account = ${account} AND strategy_id > ${after}
        ORDER BY strategy_id LIMIT ${limit}
      ) AS own ORDER BY "alertId", "strategyId"`,
    orElse: () => sql`SELECT ${sql.literal(OUTCOME)}
        FROM json_each(${JSON.stringify(alerts)}) AS wanted CROSS JOIN outcomes ON alert_id = wanted.value
        WHERE strategy_id IN (
          SELECT own.strategy_id FROM outcomes AS own
          WHERE own.alert_id = wanted.value AND own.account = ${account} AND own.strategy_id > ${after}
          ORDER BY own.strategy_id LIMIT ${limit}
        ) ORDER BY alert_id, strategy_id`
  })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = Rows.orFail(() => new StrategyNotFound())

  return Timeline.of({
    list: Effect.fn("Timeline.list")(function* (account, strategy, { before, limit }) {
      yield* known(
        found.first(sql`SELECT id FROM strategies WHERE id = ${strategy} AND account = ${account}`)
      )
      return yield* entries.all(sql`SELECT id, strategy_id AS "strategyId", at, rule, alert_id AS "alertId",
        reason, text, facts FROM timeline
        WHERE strategy_id = ${strategy} AND id < ${before ?? Number.MAX_SAFE_INTEGER}
        ORDER BY id DESC LIMIT ${limit}`)
    }),
    announced: Effect.fn("Timeline.announced")((account, { from, limit, rules, until }) =>
      announcements.all(sql`SELECT at, rule, facts FROM timeline
        WHERE strategy_id = 0 AND account IN (${account}, 0) AND ${sql.in("rule", rules)}
          AND at >= ${from} AND at < ${until} ORDER BY id LIMIT ${limit}`)
    ),
    outcomes: Effect.fn("Timeline.outcomes")(
      (account: AccountId, alerts: ReadonlyArray<AlertId>, page: OutcomePage = {}) =>
        Effect.map(outcomes.all(selectOutcomes(sql, account, alerts, page)), (rows) =>
          rows.map(({ facts, ...row }): Outcome => (facts === null ? row : { ...row, facts }))
        )
    )
  })
})

export const layer = Layer.effect(Timeline, make)
