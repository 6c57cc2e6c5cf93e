import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { Position } from "../domain/Event.ts"
import {
  beginning,
  MAX_TARGETS,
  type Progress,
  Target,
  type TargetDraft,
  TargetNotFound,
  TooManyTargets
} from "../domain/Target.ts"
import * as Bell from "../services/Bell.ts"
import { Targets } from "../services/Targets.ts"
import { orDie } from "./Failure.ts"
import { Outside } from "./Outside.ts"
import * as Rows from "./Rows.ts"

const { channel, kinds, progress } = Target.fields
const Row = Schema.Struct({
  ...Target.fields,
  channel: Schema.parseJson(channel),
  kinds: Schema.parseJson(kinds),
  progress: Schema.parseJson(progress)
})
export const rows = Rows.reader(Row)
export const COLUMNS = "id, account, name, channel, kinds, created_at AS createdAt, revision, progress"

const channelText = Schema.encodeSync(Row.fields.channel)
const kindsText = Schema.encodeSync(Row.fields.kinds)
const progressText = Schema.encodeSync(Row.fields.progress)

const ids = Rows.reader(Schema.Struct({ id: Target.fields.id }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const notFound = Rows.orFail(() => new TargetNotFound())
  const changes = Bell.ofChanges()
  // By a command beside the server, for one.
  yield* (yield* Outside).onChange(changes.changed)

  return Targets.of({
    create: Effect.fn("Targets.create")(
      function* (account: AccountId, draft: TargetDraft, from: Position) {
        const now = yield* Rows.nowSeconds
        const { count } = yield* counts.one(
          sql`SELECT count(*) AS count FROM notification_targets WHERE account = ${account}`
        )
        if (count >= MAX_TARGETS) return yield* new TooManyTargets()
        const target = yield* rows.one(sql`INSERT INTO notification_targets
          (account, name, channel, kinds, created_at, revision, progress)
          VALUES (${account}, ${draft.name}, ${channelText(draft.channel)}, ${kindsText(draft.kinds)}, ${now}, 0,
            ${progressText(beginning(from))}) RETURNING ${columns}`)
        changes.changed()
        return target
      },
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
      changes.changed()
    }),
    all: Effect.suspend(() => {
      changes.reading()
      return rows.all(sql`SELECT ${columns} FROM notification_targets ORDER BY id`)
    }),
    changed: changes.rings,
    save: Effect.fn("Targets.save")(({ id, revision }: Pick<Target, "id" | "revision">, progress: Progress) =>
      orDie(
        Effect.asVoid(sql`UPDATE notification_targets SET progress = ${progressText(progress)}
          WHERE id = ${id} AND revision = ${revision}`)
      )
    ),
    revive: Effect.fn("Targets.revive")(function* (id: Target["id"], progress: Progress) {
      yield* orDie(sql`UPDATE notification_targets
        SET progress = ${progressText(progress)}, revision = revision + 1 WHERE id = ${id}`)
      changes.changed()
    })
  })
})

export const layer = Layer.scoped(Targets, make)
