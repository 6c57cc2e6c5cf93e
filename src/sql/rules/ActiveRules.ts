// The stored layer of the rules at work.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { AccountId, TokenId } from "../../domain/Account.ts"
import { SignalId } from "../../domain/Signal.ts"
import { RuleDocument } from "../../domain/signalRule/RuleDocument.ts"
import { ActiveRules, type RuleProgress, type RuleStamp, stamped } from "../../services/rules/ActiveRules.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"
import { RuleChanges } from "./RuleChanges.ts"
import * as RuleProgressRows from "./RuleProgressRows.ts"

const Stamp = Schema.Struct({
  id: SignalId,
  account: AccountId,
  version: Schema.Int,
  madeAt: Schema.Int,
  updatedAt: Schema.Int
})
const stamps = Rows.reader(Stamp)
const rules = Rows.reader(
  Schema.Struct({ ...Stamp.fields, token: TokenId, document: Schema.parseJson(RuleDocument) })
)

const STAMP = `signals.id, signals.account, rule_version AS version, rule_made_at AS "madeAt", updated_at AS "updatedAt"`

/** Rules read in one statement, and rows written in one commit: others wait no longer than for these. */
const RULES_AT_A_TIME = 500
const ROWS_AT_A_TIME = 2_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* RuleChanges
  const stamp = sql.literal(STAMP)
  const columns = sql.literal(RuleProgressRows.COLUMNS)

  /** Takes the oldest token of the account: rows of tokens are never deleted. */
  const read = (signals: ReadonlyArray<SignalId>) =>
    rules.all(sql`SELECT ${stamp}, rule AS document,
      (SELECT min(tokens.id) FROM tokens WHERE tokens.account = signals.account) AS token
      FROM signals WHERE signals.id IN ${Dialect.ids(sql, signals)} AND active = 1 AND rule IS NOT NULL
      AND EXISTS (SELECT 1 FROM tokens WHERE tokens.account = signals.account) ORDER BY signals.id`)

  /** A signal that is deleted meanwhile gets no row. */
  const write = (rows: ReadonlyArray<RuleProgress>) =>
    sql`INSERT INTO rule_progress (signal_id, place, version, looked_at)
      SELECT signals.id, made.value ->> 1, CAST(made.value ->> 2 AS BIGINT), CAST(made.value ->> 3 AS BIGINT)
      FROM ${Dialect.jsonRows(
        sql,
        rows.map(({ lookedAt, place, signal, version }) => [signal, place, version, lookedAt])
      )} JOIN signals ON signals.id = CAST(made.value ->> 0 AS BIGINT)
      WHERE 1 = 1 ${Dialect.keptThere(sql, "signals")}
      ON CONFLICT (signal_id, place) DO UPDATE SET version = excluded.version, looked_at = excluded.looked_at
      WHERE excluded.version > rule_progress.version
        OR (excluded.version = rule_progress.version AND excluded.looked_at > rule_progress.looked_at)`

  return ActiveRules.of({
    stamps: Effect.suspend(() => {
      changes.reading()
      return Effect.map(
        stamps.all(sql`SELECT ${stamp} FROM signals WHERE active = 1 AND rule IS NOT NULL ORDER BY id`),
        (rows) => rows.map(stampOf)
      )
    }),
    among: Effect.fn("ActiveRules.among")((signals) =>
      Effect.map(Effect.forEach(Arr.chunksOf(signals, RULES_AT_A_TIME), read), (found) =>
        found.flat().map(({ document, token, ...row }) => ({ ...stampOf(row), token, document }))
      )
    ),
    changed: changes.rings,
    progress: RuleProgressRows.progress.all(
      sql`SELECT ${columns} FROM rule_progress ORDER BY signal_id, place`
    ),
    advance: Effect.fn("ActiveRules.advance")((rows) =>
      Effect.forEach(Arr.chunksOf(rows, ROWS_AT_A_TIME), (some) => orDie(write(some)), { discard: true })
    ),
    rest: Effect.fn("ActiveRules.rest")((signals) =>
      signals.length === 0
        ? Effect.void
        : Effect.asVoid(orDie(sql`DELETE FROM rule_progress WHERE signal_id IN ${Dialect.ids(sql, signals)}`))
    )
  })
})

const stampOf = ({ id, madeAt, updatedAt, version, account }: typeof Stamp.Type): RuleStamp =>
  stamped({ id, account, updatedAt }, { madeAt, version })

export const layer = Layer.effect(ActiveRules, make).pipe(Layer.provide(RuleChanges.layer))
