// The followers of each signal, present and past: cached for the alerts, and changed within the transactions of signals
// and strategies.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import type { Partition } from "../../domain/Partition.ts"
import { type Signal, SignalId } from "../../domain/Signal.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as ChangeSignal from "../../services/records/ChangeSignal.ts"
import { type DetachCause, detachmentNote } from "../../services/records/Detachment.ts"
import type { Following } from "../../services/StrategyStore.ts"
import * as Cache from "../client/Cache.ts"
import { ChangeWatch } from "../client/ChangeWatch.ts"
import * as Dialect from "../Dialect.ts"
import * as RecordRows from "../directory/RecordRows.ts"
import * as SignalRecordRows from "../directory/SignalRecordRows.ts"
import * as FollowingRows from "./FollowingRows.ts"
import * as KnownStrategies from "./KnownStrategies.ts"
import * as Rows from "./Rows.ts"
import * as TimelineRows from "./TimelineRows.ts"

/** The most lists that are kept in memory: followings of a signal, and followers of a signal in an account. */
const MAX_KNOWN = 10_000

const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))
const signals = Rows.reader(Schema.Struct({ signal: SignalId }))
const versions = Rows.reader(Schema.Struct({ id: StrategyId, revision: Schema.Int }))
const ids = Rows.reader(Schema.Struct({ id: StrategyId, account: AccountId }))

/** The followers of signals, present and past: read for each alert, changed by writes of signals and strategies. */
export class Followers extends Context.Tag("signalbox/sql/rows/Followers")<
  Followers,
  {
    /** An account's own. */
    readonly of: (signal: SignalId, account: AccountId) => Effect.Effect<ReadonlyArray<Strategy>>
    /** The same from memory; undefined where `of` has to read them. */
    readonly recall: (signal: SignalId, account: AccountId) => ReadonlyArray<Strategy> | undefined
    /**
     * Present and former followers of signals in some partitions; former ones for as long as alerts from their time may be
     * unjudged. Those of the partitions that were asked for last are kept.
     */
    readonly history: (
      signals: Iterable<SignalId>,
      some: ReadonlySet<Partition>
    ) => Effect.Effect<ReadonlyMap<SignalId, ReadonlyArray<Following>>>
    /** Within the caller's transaction: the alerts stored by now are judged by what the strategy followed before. */
    readonly follow: (strategy: Strategy) => Effect.Effect<void, SqlError>
    /** Whether an alert came for the strategy after the one up to which it has judged all. */
    readonly isBehind: (strategy: StrategyId, judged: number) => Effect.Effect<boolean>
    /** Empties the cache; call it after writing strategies. */
    readonly drop: () => void
    /** Signals that originals of copies changed, to the one who tells their owners. */
    readonly originals: ChangeSignal.Changes
    /** Signals that followings changed, to readers of all of them. */
    readonly changes: ChangeSignal.Changes
    /** Within the caller's transaction: detaches the followers concerned, with a note on their timelines. */
    readonly detach: (
      signal: Signal,
      cause: DetachCause
    ) => Effect.Effect<ReadonlyArray<StrategyId>, SqlError>
  }
>() {
  static readonly layer = Layer.scoped(
    Followers,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const provided = Effect.provideService(SqlClient.SqlClient, sql)
      const followingsOf = yield* FollowingRows.make
      const strategiesOf = yield* KnownStrategies.KnownStrategies
      /** The partitions whose followings are kept. */
      let kept: ReadonlySet<Partition> = new Set()
      const known = yield* Cache.makeOfMany(MAX_KNOWN, (signals: ReadonlyArray<SignalId>) =>
        followingsOf(signals, kept)
      )
      const own = yield* Cache.make(MAX_KNOWN, (key: `${SignalId} of ${AccountId}`) =>
        Effect.gen(function* () {
          const [signal, account] = key.split(" of ").map(Number)
          const found = yield* versions.all(sql`SELECT id, revision FROM strategies
            WHERE signal_id = ${signal} AND account = ${account} ORDER BY id`)
          const strategies = yield* strategiesOf(found)
          return found.flatMap(({ id }) => strategies.get(id) ?? [])
        })
      )
      const changes = ChangeSignal.ofChanges()
      const originals = ChangeSignal.ofChanges()
      // Changes that an earlier run did not tell are told first.
      originals.changed()
      const changed = () => {
        changes.changed()
        originals.changed()
      }
      const watch = yield* ChangeWatch
      yield* watch.onChange(changed)
      const drop = () => {
        known.drop()
        own.drop()
        watch.apply(changed)
      }
      return {
        of: (signal, account) => Effect.map(own.get(`${signal} of ${account}`), (it) => it ?? []),
        recall: (signal, account) => own.peek(`${signal} of ${account}`),
        history: (signals, some) =>
          Effect.suspend(() => {
            if (some !== kept) known.clear()
            kept = some
            return known.all(signals)
          }),
        follow: Effect.fnUntraced(function* ({ account, id, settings }) {
          const signal = settings.signalId ?? null
          const last = yield* Dialect.lastAlert(sql)
          const left = yield* signals.all(sql`UPDATE followings SET until_alert = ${last}
            WHERE strategy_id = ${id} AND until_alert IS NULL AND signal_id IS DISTINCT FROM ${signal}
            RETURNING signal_id AS signal`)
          const taken =
            signal === null
              ? []
              : yield* signals.all(sql`INSERT INTO followings (signal_id, strategy_id, account, from_alert)
              VALUES (${signal}, ${id}, ${account}, ${last}) ON CONFLICT DO NOTHING RETURNING signal_id AS signal`)
          yield* provided(SignalRecordRows.counted([...left, ...taken].map((it) => it.signal)))
        }),
        isBehind: (strategy, judged) =>
          Effect.map(
            counts.one(sql`SELECT count(*) AS count FROM (SELECT 1 FROM alerts, followings
              WHERE alerts.id > ${judged} AND followings.strategy_id = ${strategy}
              AND followings.signal_id = alerts.signal_id AND alerts.id > from_alert
              AND alerts.id <= coalesce(until_alert, alerts.id) LIMIT 1) AS behind`),
            ({ count }) => count > 0
          ),
        drop,
        changes,
        originals,
        detach: Effect.fnUntraced(function* (signal, cause) {
          const now = yield* Clock.currentTimeMillis
          const spared = cause === "private" ? signal.account : 0
          const detached = yield* ids.all(sql`UPDATE strategies
            SET signal_id = NULL, updated_at = ${Math.floor(now / 1000)}, revision = revision + 1
            WHERE signal_id = ${signal.id} AND account <> ${spared} RETURNING id, account`)
          const last = yield* Dialect.lastAlert(sql)
          yield* provided(SignalRecordRows.counted([signal.id]))
          yield* provided(
            RecordRows.changed(
              detached.map(({ id }) => id),
              Math.floor(now / 1000)
            )
          )
          yield* sql`UPDATE followings SET until_alert = ${last}
            WHERE signal_id = ${signal.id} AND account <> ${spared} AND until_alert IS NULL`
          drop()
          const note = detachmentNote(signal.id, cause, now)
          yield* Effect.all(
            TimelineRows.insert(
              sql,
              detached.map(({ account, id }) => TimelineRows.row(account, id, note))
            )
          )
          return detached.map(({ id }) => id).sort((a, b) => a - b)
        })
      }
    })
  ).pipe(Layer.provide(KnownStrategies.layer))
}
