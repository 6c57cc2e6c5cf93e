// The stored layer of strategies' settings. Every change of followers is recorded with the journal's last id, in the
// same transaction.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId } from "../domain/Account.ts"
import type { Copy } from "../domain/directory/Copy.ts"
import { actsOtherwise } from "../domain/directory/Differences.ts"
import type { Partition } from "../domain/Partition.ts"
import {
  AlertsUnjudged,
  MAX_PAST_SETTINGS,
  type Settings,
  type Strategy,
  StrategyChanged,
  StrategyNotFound,
  TooManyStrategies
} from "../domain/Strategy.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import { breathe } from "../services/engine/Breath.ts"
import { Limits } from "../services/health/Limits.ts"
import type { Page } from "../services/records/Page.ts"
import { type OwnedVersion, type StrategyChange, StrategyStore } from "../services/StrategyStore.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as CopyRows from "./directory/Copies.ts"
import * as RecordRows from "./directory/RecordRows.ts"
import * as SignalRecordRows from "./directory/SignalRecordRows.ts"
import * as FollowedRows from "./rows/FollowedRows.ts"
import { Followers } from "./rows/Followers.ts"
import * as KnownStrategies from "./rows/KnownStrategies.ts"
import * as Rows from "./rows/Rows.ts"
import * as StrategyRows from "./rows/StrategyRows.ts"
import * as TimelineRows from "./rows/TimelineRows.ts"

/** Versions that are read without a pause. */
const VERSIONS = 1_000

const versions = Rows.reader(Schema.Struct({ id: StrategyId, account: AccountId, revision: Schema.Int }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const limit = (yield* Limits).strategies
  const followers = yield* Followers
  const strategiesOf = yield* KnownStrategies.KnownStrategies
  const provided = Effect.provideService(SqlClient.SqlClient, sql)
  const columns = sql.literal(StrategyRows.COLUMNS)
  const notFound = Rows.orFail(() => new StrategyNotFound())

  const own = (account: AccountId, id: number) =>
    notFound(
      StrategyRows.first(sql`SELECT ${columns} FROM strategies WHERE id = ${id} AND account = ${account}`)
    )

  /** The strategies of these versions in their sequence, as far as they are still there. */
  const sorted = (those: ReadonlyArray<OwnedVersion>) =>
    Effect.map(strategiesOf(those), (found) => those.flatMap(({ id }) => found.get(id) ?? []))

  const inTurn = (account: AccountId) => Dialect.inTurn(sql, "strategies", account)

  /** The signal's id, unless the signal was deleted or made private since the request was checked. */
  const followed = (account: AccountId, { signalId }: Settings) =>
    sql`(SELECT id FROM signals WHERE id = ${signalId ?? null} AND (account = ${account} OR public = 1)
      ${Dialect.keptTrue(sql)})`

  const create = Effect.fn("StrategyStore.create")(
    function* (account: AccountId, settings: Settings, copy?: Copy) {
      const now = yield* Rows.nowSeconds
      yield* inTurn(account)
      const { count } = yield* counts.one(
        sql`SELECT count(*) AS count FROM strategies WHERE account = ${account}`
      )
      if (count >= limit) return yield* new TooManyStrategies({ limit })
      const strategy = yield* StrategyRows.one(sql`INSERT INTO strategies
        (account, signal_id, copied_from, settings, created_at, updated_at)
        VALUES (${account}, ${followed(account, settings)}, ${copy?.origin ?? null},
          ${StrategyRows.encode(settings)}, ${now}, ${now})
        RETURNING ${columns}`)
      yield* provided(RecordRows.written(undefined, strategy, now))
      if (copy !== undefined) yield* provided(CopyRows.made(strategy, copy))
      yield* followers.follow(strategy)
      followers.drop()
      return strategy
    },
    sql.withTransaction,
    orDie
  )

  /** Keeps the settings that others replaced, and forgets the oldest. */
  const keepPast = Effect.fnUntraced(function* ({ id, revision, settings }: Strategy, after: Strategy) {
    if (!actsOtherwise(settings, after.settings)) return
    const now = yield* Clock.currentTimeMillis
    yield* sql`INSERT INTO past_settings (strategy_id, revision, until, settings)
      VALUES (${id}, ${revision}, ${now}, ${StrategyRows.encode(settings)})`
    yield* sql`DELETE FROM past_settings WHERE strategy_id = ${id} AND revision <= (SELECT revision
      FROM past_settings WHERE strategy_id = ${id} ORDER BY revision DESC LIMIT 1 OFFSET ${MAX_PAST_SETTINGS})`
  })

  const update = Effect.fn("StrategyStore.update")(
    function* (account: AccountId, id: number, settings: Settings, notes: ReadonlyArray<TimelineNote> = []) {
      const now = yield* Rows.nowSeconds
      yield* inTurn(account)
      const before = yield* own(account, id)
      const row =
        yield* StrategyRows.first(sql`UPDATE strategies SET signal_id = ${followed(account, settings)},
        settings = ${StrategyRows.encode(settings)}, updated_at = ${now}, revision = revision + 1
        WHERE id = ${id} AND account = ${account} RETURNING ${columns}`)
      const strategy = yield* notFound(Effect.succeed(row))
      yield* keepPast(before, strategy)
      yield* provided(RecordRows.written(before, strategy, now))
      yield* followers.follow(strategy)
      const noted = notes.map((note) => TimelineRows.row(account, strategy.id, note))
      yield* Effect.all(TimelineRows.insert(sql, noted))
      followers.drop()
      return strategy
    },
    sql.withTransaction,
    orDie
  )

  const change = Effect.fnUntraced(function* (
    account: AccountId,
    { before, notes, settings }: StrategyChange
  ) {
    if (before === undefined) {
      const { count } = yield* counts.one(sql`SELECT count(*) AS count FROM strategies
        WHERE account = ${account} AND ${Dialect.jsonText(sql, "settings", "name")} = ${settings.name}`)
      return count > 0 ? yield* new StrategyChanged() : yield* create(account, settings)
    }
    const { count } = yield* counts.one(sql`SELECT count(*) AS count FROM strategies
      WHERE id = ${before.id} AND account = ${account} AND revision = ${before.revision}`)
    return count === 0 ? yield* new StrategyChanged() : yield* update(account, before.id, settings, notes)
  })

  const apply = Effect.fn("StrategyStore.apply")(
    (account: AccountId, changes: ReadonlyArray<StrategyChange>) =>
      Effect.zipRight(
        inTurn(account),
        Effect.forEach(changes, (it) => change(account, it))
      ).pipe(Effect.catchTag("StrategyNotFound", () => new StrategyChanged())),
    sql.withTransaction,
    orDie
  )

  const remove = Effect.fn("StrategyStore.remove")(
    function* (account: AccountId, id: number, judged: number = Number.MAX_SAFE_INTEGER) {
      yield* inTurn(account)
      const strategy = yield* own(account, id)
      if (yield* followers.isBehind(strategy.id, judged)) return yield* new AlertsUnjudged()
      yield* sql`DELETE FROM strategies WHERE id = ${strategy.id}`
      if (strategy.copiedFrom !== undefined) yield* CopyRows.counted(sql, strategy.copiedFrom)
      if (strategy.settings.signalId !== undefined)
        yield* provided(SignalRecordRows.counted([strategy.settings.signalId]))
      followers.drop()
      return strategy
    },
    sql.withTransaction,
    orDie
  )

  return StrategyStore.of({
    create,
    get: Effect.fn("StrategyStore.get")(own),
    past: Effect.fn("StrategyStore.past")((account: AccountId, id: number) =>
      Effect.zipRight(
        own(account, id),
        StrategyRows.pastRows.all(
          sql`SELECT ${sql.literal(StrategyRows.PAST)} WHERE strategy_id = ${id} ORDER BY revision`
        )
      )
    ),
    visible: Effect.fn("StrategyStore.visible")((account: AccountId, id: number) =>
      StrategyRows.first(sql`SELECT ${columns} FROM strategies WHERE id = ${id}`).pipe(
        Effect.map(Option.filter((it) => it.account === account || it.settings.public)),
        notFound
      )
    ),
    list: Effect.fn("StrategyStore.list")((account: AccountId, { after = 0, limit = Rows.NO_LIMIT }: Page) =>
      StrategyRows.all(sql`SELECT ${columns} FROM strategies
        WHERE account = ${account} AND id > ${after} ORDER BY id LIMIT ${limit}`)
    ),
    followed: yield* FollowedRows.make,
    update,
    apply,
    remove,
    followers: followers.of,
    followings: followers.history,
    recall: followers.recall,
    all: StrategyRows.all(sql`SELECT ${columns} FROM strategies ORDER BY id`),
    within: Effect.fn("StrategyStore.within")(function* (some: ReadonlySet<Partition>) {
      const those = yield* versions.all(sql`SELECT id, account, revision FROM strategies
        WHERE ${Dialect.within(sql, "account", some)} ORDER BY id`)
      return yield* sorted(those)
    }),
    following: Effect.fn("StrategyStore.following")(function* (some: ReadonlySet<Partition>) {
      followers.changes.reading()
      const all: Array<OwnedVersion> = []
      for (;;) {
        const page = yield* versions.all(sql`SELECT id, account, revision FROM strategies
          WHERE signal_id IS NOT NULL AND id > ${all.at(-1)?.id ?? 0} AND ${Dialect.within(sql, "account", some)}
          ORDER BY id LIMIT ${VERSIONS}`)
        all.push(...page)
        if (page.length < VERSIONS) return all
        yield* breathe
      }
    }),
    changed: followers.changes.rings,
    among: Effect.fn("StrategyStore.among")(function* (ids: ReadonlySet<StrategyId>) {
      const those = yield* versions.all(sql`SELECT id, account, revision FROM strategies
        WHERE ${Dialect.among(sql, "id", [...ids])} ORDER BY id`)
      return yield* sorted(those)
    })
  })
})

export const layer = Layer.scoped(StrategyStore, make).pipe(
  Layer.provide(Followers.layer),
  Layer.provide(KnownStrategies.layer)
)
