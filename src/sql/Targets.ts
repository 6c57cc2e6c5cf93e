// The stored layer of notification targets. Channels are sealed by the `Vault` to their owner and row.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { Position } from "../domain/Event.ts"
import {
  beginning,
  MAX_TARGETS,
  type Progress,
  shownTo,
  type Target,
  type TargetDraft,
  TargetNotFound,
  TooManyTargets
} from "../domain/Target.ts"
import { altered, Vault } from "../services/money/Vault.ts"
import { Targets } from "../services/notify/Targets.ts"
import * as ChangeSignal from "../services/records/ChangeSignal.ts"
import { ChangeWatch } from "./client/ChangeWatch.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/Rows.ts"
import * as TargetRows from "./rows/TargetRows.ts"
import { sealedWith } from "./sealing/Resealing.ts"

const ids = Rows.reader(Schema.Struct({ id: TargetRows.Row.fields.id }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const { rows } = TargetRows
  const columns = sql.literal(TargetRows.COLUMNS)
  const notFound = Rows.orFail(() => new TargetNotFound())
  const changes = ChangeSignal.ofChanges()
  // Commands beside the server change targets too.
  const watch = yield* ChangeWatch
  yield* watch.onChange(changes.changed)
  const changed = () => watch.apply(changes.changed)

  return Targets.of({
    create: Effect.fn("Targets.create")(
      function* (account: AccountId, draft: TargetDraft, from: Position) {
        const now = yield* Rows.nowSeconds
        yield* Dialect.inTurn(sql, "notification_targets", account)
        const { count } = yield* counts.one(
          sql`SELECT count(*) AS count FROM notification_targets WHERE account = ${account}`
        )
        if (count >= MAX_TARGETS) return yield* new TooManyTargets()
        const { id, isNew, where } = yield* vault.ready(yield* sealedWith)
        if (isNew) yield* Effect.logWarning(newKeyWords(id, where))
        const { channel, kinds, name } = draft
        const target = yield* rows.one(sql`INSERT INTO notification_targets
          (account, name, kind, shown, kinds, created_at, revision, progress)
          VALUES (${account}, ${name}, ${channel.kind}, ${shownTo(channel)}, ${TargetRows.kindsText(kinds)}, ${now}, 0,
            ${TargetRows.progressText(beginning(from))}) RETURNING ${columns}`)
        yield* TargetRows.seal(vault, target, Redacted.make(TargetRows.channelText(channel)))
        changed()
        return target
      },
      Effect.provideService(SqlClient.SqlClient, sql),
      sql.withTransaction,
      orDie
    ),
    list: Effect.fn("Targets.list")((account: AccountId) =>
      rows.all(sql`SELECT ${columns} FROM notification_targets WHERE account = ${account} ORDER BY id`)
    ),
    get: Effect.fn("Targets.get")((account: AccountId, id: number) =>
      notFound(
        rows.first(sql`SELECT ${columns} FROM notification_targets WHERE id = ${id} AND account = ${account}`)
      )
    ),
    remove: Effect.fn("Targets.remove")(function* (account: AccountId, id: number) {
      yield* notFound(
        ids.first(
          sql`DELETE FROM notification_targets WHERE id = ${id} AND account = ${account} RETURNING id`
        )
      )
      changed()
    }),
    unlock: Effect.fn("Targets.unlock")(function* (id: Target["id"]) {
      const stored = yield* notFound(
        TargetRows.stored.first(
          sql`SELECT ${sql.literal(TargetRows.STORED)} FROM notification_targets WHERE id = ${id}`
        )
      )
      if (Option.isSome(stored.unsealed)) return stored.unsealed.value
      const sealed = TargetRows.sealedOf(stored)
      if (sealed === undefined) return yield* altered
      const opened = yield* vault.open(TargetRows.placeOf(stored), sealed)
      const channel = TargetRows.toChannel(Redacted.value(opened))
      return Option.isNone(channel) ? yield* altered : channel.value
    }),
    all: Effect.suspend(() => {
      changes.reading()
      return rows.all(sql`SELECT ${columns} FROM notification_targets ORDER BY id`)
    }),
    changed: changes.rings,
    save: Effect.fn("Targets.save")(({ id, revision }: Pick<Target, "id" | "revision">, progress: Progress) =>
      orDie(
        Effect.asVoid(sql`UPDATE notification_targets SET progress = ${TargetRows.progressText(progress)}
          WHERE id = ${id} AND revision = ${revision}`)
      )
    ),
    revive: Effect.fn("Targets.revive")(function* (id: Target["id"], progress: Progress) {
      yield* orDie(sql`UPDATE notification_targets
        SET progress = ${TargetRows.progressText(progress)}, revision = revision + 1 WHERE id = ${id}`)
      changed()
    })
  })
})

/** The log line about a new key: losing the key loses what it sealed. */
const newKeyWords = (id: string, where: string) =>
  `a new master key ${id} was made (${where}): it is in no backup, keep a copy of it elsewhere`

export const layer = Layer.scoped(Targets, make)
