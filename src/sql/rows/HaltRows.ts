// The rows of halts, cached, and shared by halts by hand and by the commits that cause one.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Halt } from "../../domain/Halt.ts"
import { keyOf } from "../../services/money/Halts.ts"
import * as ChangeSignal from "../../services/records/ChangeSignal.ts"
import * as Cache from "../client/Cache.ts"
import { ChangeWatch } from "../client/ChangeWatch.ts"
import * as Rows from "./Rows.ts"

export const rows = Rows.reader(Halt)
/** 0 stands for everybody. */
export const COLUMNS = "nullif(account, 0) AS account, at, cause, text"

/** The halts in force. */
export class HaltRows extends Context.Tag("signalbox/sql/rows/HaltRows")<
  HaltRows,
  {
    readonly all: Effect.Effect<ReadonlyArray<Halt>>
    readonly changes: ChangeSignal.Changes
    /** Call it after deleting a halt. */
    readonly changed: () => void
    /** Adds a halt within the caller's transaction; an existing one stays. */
    readonly add: (halt: Halt) => Effect.Effect<void, SqlError>
  }
>() {
  static readonly layer = Layer.scoped(
    HaltRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const load = rows.all(sql`SELECT ${sql.literal(COLUMNS)} FROM halts ORDER BY halts.account`)
      const known = yield* Cache.make(1, (_: "now") => load)
      const changes = ChangeSignal.ofChanges()
      const watch = yield* ChangeWatch
      yield* watch.onChange(changes.changed)
      const changed = () => {
        known.drop()
        watch.apply(changes.changed)
      }
      return {
        all: Effect.suspend(() => {
          changes.reading()
          return Effect.map(known.get("now"), (halts = []) => halts)
        }),
        changes,
        changed,
        add: Effect.fnUntraced(function* (halt) {
          const added = yield* sql`INSERT INTO halts (account, at, cause, text)
            VALUES (${keyOf(halt.account)}, ${halt.at}, ${halt.cause}, ${halt.text})
            ON CONFLICT DO NOTHING RETURNING 1`
          if (added.length > 0) changed()
        })
      }
    })
  )
}
