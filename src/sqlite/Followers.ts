import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { AccountId } from "../domain/Account.ts"
import type { Signal, SignalId } from "../domain/Signal.ts"
import type { Strategy } from "../domain/Strategy.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import * as Bell from "../services/Bell.ts"
import { type DetachCause, detachmentNote } from "../services/Detachment.ts"
import * as Cache from "./Cache.ts"
import { Outside } from "./Outside.ts"
import * as Rows from "./Rows.ts"
import * as StrategyRows from "./StrategyRows.ts"
import * as TimelineRows from "./TimelineRows.ts"

/** The most signals whose followers are kept in memory. */
const MAX_SIGNALS_KNOWN = 10_000

const ids = Rows.reader(Schema.Struct({ id: StrategyId, account: AccountId }))

/** Who follows which signal: asked for each alert, changed by writes of signals and strategies alike. */
export class Followers extends Context.Tag("signalbox/sqlite/Followers")<
  Followers,
  {
    readonly of: (signal: SignalId) => Effect.Effect<ReadonlyArray<Strategy>>
    /** Those that are at hand: nothing where `of` has to be asked. */
    readonly recall: (signal: SignalId) => ReadonlyArray<Strategy> | undefined
    /** For whoever writes strategies. */
    readonly drop: () => void
    /** Tells whoever reads them all. */
    readonly changes: Bell.Changes
    /** Within the caller's transaction: cuts off those whom the cause concerns, and tells them. */
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
      const columns = sql.literal(StrategyRows.COLUMNS)
      const known = yield* Cache.make(MAX_SIGNALS_KNOWN, (signal: SignalId) =>
        StrategyRows.all(sql`SELECT ${columns} FROM strategies WHERE signal_id = ${signal} ORDER BY id`)
      )
      const changes = Bell.ofChanges()
      yield* (yield* Outside).onChange(changes.changed)
      const drop = () => {
        known.drop()
        changes.changed()
      }
      return {
        of: (signal) => Effect.map(known.get(signal), (strategies = []) => strategies),
        recall: known.peek,
        drop,
        changes,
        detach: Effect.fnUntraced(function* (signal, cause) {
          const now = yield* Clock.currentTimeMillis
          const spared = cause === "private" ? signal.account : 0
          const detached = yield* ids.all(sql`UPDATE strategies
            SET signal_id = NULL, updated_at = ${Math.floor(now / 1000)}, revision = revision + 1
            WHERE signal_id = ${signal.id} AND account <> ${spared} RETURNING id, account`)
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
  )
}
