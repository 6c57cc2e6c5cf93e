// The stored layer of signals. Each alert reads one, so they are cached; a detachment is in the transaction of the
// change that causes it.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { type SignalDraft, SignalNotFound, TooManySignals } from "../domain/Signal.ts"
import type { RuleDocument } from "../domain/signalRule/RuleDocument.ts"
import * as StoredRule from "../domain/signalRule/StoredRule.ts"
import { Limits } from "../services/health/Limits.ts"
import type { Page } from "../services/records/Page.ts"
import { Signals } from "../services/Signals.ts"
import * as Cache from "./client/Cache.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as SignalRecordRows from "./directory/SignalRecordRows.ts"
import { Followers } from "./rows/Followers.ts"
import * as Rows from "./rows/Rows.ts"
import * as SignalRows from "./rows/SignalRows.ts"
import { RuleChanges } from "./rules/RuleChanges.ts"

/** The most signals that are cached. */
const MAX_KNOWN = 10_000

const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))
const totals = Rows.reader(Schema.Struct({ total: Schema.Int, active: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const limit = (yield* Limits).signals
  const followers = yield* Followers
  const rules = yield* RuleChanges
  const columns = sql.literal(SignalRows.COLUMNS)
  const provided = Effect.provideService(SqlClient.SqlClient, sql)
  const notFound = Rows.orFail(() => new SignalNotFound())

  const known = yield* Cache.make(MAX_KNOWN, (id: number) =>
    Effect.map(SignalRows.first(sql`SELECT ${columns} FROM signals WHERE id = ${id}`), Option.getOrUndefined)
  )
  /** Without a span, which would cost more than the look-up, on every alert. */
  const get = (account: AccountId, id: number) =>
    Effect.flatMap(known.get(id), (signal) =>
      signal?.account === account ? Effect.succeed(signal) : Effect.fail(new SignalNotFound())
    )

  /** Reads within the current transaction. */
  const own = (account: AccountId, id: number) =>
    notFound(SignalRows.first(sql`SELECT ${columns} FROM signals WHERE id = ${id} AND account = ${account}`))

  const historyOf = (id: number) =>
    SignalRows.history(sql`SELECT ${sql.literal(SignalRows.RULE)} FROM signals WHERE id = ${id}`)
  /** Stores a change of the rule within the current transaction. */
  const setRule = Effect.fnUntraced(function* (id: number, change: RuleDocument | null, now: number) {
    const before = Option.getOrElse(yield* historyOf(id), () => ({ version: 0 }))
    const rule = ruleColumns(StoredRule.after(before, change, now))
    yield* sql`UPDATE signals SET rule = ${rule.text}, rule_version = ${rule.version}, rule_made_at = ${rule.madeAt}
      WHERE id = ${id}`
  })

  const create = Effect.fn("Signals.create")(
    function* (account: AccountId, draft: SignalDraft) {
      const now = yield* Rows.nowSeconds
      yield* Dialect.inTurn(sql, "signals", account)
      const { count } = yield* counts.one(
        sql`SELECT count(*) AS count FROM signals WHERE account = ${account}`
      )
      if (count >= limit) return yield* new TooManySignals({ limit })
      const rule = ruleColumns(StoredRule.after({ version: 0 }, draft.rule, now))
      const signal = yield* SignalRows.one(sql`INSERT INTO signals
      (account, name, description, active, public, display_name, rule, rule_version, rule_made_at, created_at, updated_at)
      VALUES (${account}, ${draft.name}, ${draft.description}, ${Rows.bit(draft.active)},
        ${Rows.bit(draft.public)}, ${nameOf(draft)}, ${rule.text}, ${rule.version}, ${rule.madeAt}, ${now}, ${now})
      RETURNING ${columns}`)
      yield* provided(SignalRecordRows.written(undefined, signal, now))
      rules.written()
      return signal
    },
    sql.withTransaction,
    orDie
  )

  const update = Effect.fn("Signals.update")(
    function* (account: AccountId, id: number, patch: Partial<SignalDraft>) {
      yield* Dialect.inTurn(sql, "signals", account)
      const before = yield* own(account, id)
      const { rule: change, ...changes } = patch
      const next = { ...before, ...changes }
      const { active, description, name, public: visible } = next
      const now = yield* Rows.nowSeconds
      // Most changes leave the rule, which may be long.
      if (change !== undefined) yield* setRule(id, change, now)
      const signal =
        yield* SignalRows.one(sql`UPDATE signals SET name = ${name}, description = ${description},
      active = ${Rows.bit(active)}, public = ${Rows.bit(visible)}, display_name = ${nameOf(next)}, updated_at = ${now}
      WHERE id = ${id} RETURNING ${columns}`)
      yield* provided(SignalRecordRows.written(before, signal, now))
      known.drop()
      rules.written()
      const detached = visible ? [] : yield* followers.detach(signal, "private")
      return { signal, detached }
    },
    sql.withTransaction,
    orDie
  )

  const remove = Effect.fn("Signals.remove")(
    function* (account: AccountId, id: number) {
      const signal = yield* own(account, id)
      yield* sql`DELETE FROM signals WHERE id = ${id}`
      known.drop()
      rules.written()
      return { signal, detached: yield* followers.detach(signal, "deleted") }
    },
    sql.withTransaction,
    orDie
  )

  return Signals.of({
    create,
    get,
    recall: (account, id) => {
      const signal = known.peek(id)
      return signal?.account === account ? signal : undefined
    },
    visible: Effect.fn("Signals.visible")((account: AccountId, id: number) =>
      notFound(
        SignalRows.first(sql`SELECT ${columns} FROM signals
          WHERE id = ${id} AND (account = ${account} OR public = 1)`)
      )
    ),
    rule: Effect.fn("Signals.rule")((account: AccountId, id: number) =>
      Effect.map(
        notFound(
          SignalRows.history(
            sql`SELECT ${sql.literal(SignalRows.RULE)} FROM signals WHERE id = ${id} AND account = ${account}`
          )
        ),
        ({ rule }) => Option.fromNullable(rule)
      )
    ),
    list: Effect.fn("Signals.list")((account: AccountId, { after = 0, limit = Rows.NO_LIMIT }: Page) =>
      SignalRows.all(sql`SELECT ${columns} FROM signals
        WHERE account = ${account} AND id > ${after} ORDER BY id LIMIT ${limit}`)
    ),
    count: Effect.fn("Signals.count")((account: AccountId) =>
      totals.one(sql`SELECT count(*) AS total, CAST(coalesce(sum(active), 0) AS BIGINT) AS active FROM signals
        WHERE account = ${account}`)
    ),
    update,
    remove
  })
})

/** A rule as its columns hold it. */
const ruleColumns = ({ rule, version }: StoredRule.RuleHistory) => ({
  text: rule === undefined ? null : SignalRows.ruleText(rule.document),
  version,
  madeAt: rule?.madeAt ?? null
})

/** The display name as its column holds it. */
const nameOf = ({ displayName = "" }: Pick<SignalDraft, "displayName">): string | null =>
  displayName === "" ? null : displayName

export const layer = Layer.scoped(Signals, make).pipe(
  Layer.provide(Layer.merge(Followers.layer, RuleChanges.layer))
)
