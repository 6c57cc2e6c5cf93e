// The SQLite layer of the journal.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Journal } from "../services/Journal.ts"
import * as StoredJournal from "../sql/Journal.ts"
import * as JournalBatch from "../sql/journal/JournalBatch.ts"
import * as JournalKeys from "../sql/journal/JournalKeys.ts"
import type { EndOfTurn } from "../sql/journal/JournalQueue.ts"
import * as JournalWriter from "../sql/journal/JournalWriter.ts"
import * as Rows from "../sql/rows/Rows.ts"
import * as JournalRows from "./journal/JournalRows.ts"

const sequences = Rows.reader(Schema.Struct({ id: Schema.Int }))

/** Nobody else appends: ids are counted in memory, and keys are judged by what was read. */
const store = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keys = yield* JournalKeys.make
  const write: JournalWriter.Store["write"] = (entries, lastId) =>
    Effect.flatMap(keys.prepare(entries), () => {
      const batch = JournalBatch.plan(
        entries.map(({ draft }) => draft),
        lastId,
        keys.recall
      )
      return Effect.map(JournalRows.write(sql, batch), () => {
        keys.add(batch.keys.values())
        return batch
      })
    })
  return { isElsewhere: false, write, purge: keys.purge }
})

const make = Effect.fnUntraced(function* (endOfTurn: EndOfTurn) {
  const sql = yield* SqlClient.SqlClient
  const start = yield* sequences.one(
    sql`SELECT coalesce(max(seq), 0) AS id FROM sqlite_sequence WHERE name = 'alerts'`
  )
  return yield* StoredJournal.make(yield* JournalWriter.make(yield* store, start.id), endOfTurn)
})

/** `endOfTurn` decides which alerts share a commit: a simulated world brings its own. */
export const layerWith = (endOfTurn: EndOfTurn) => Layer.scoped(Journal, make(endOfTurn)).pipe(Layer.orDie)

export const layer = layerWith((then) => setImmediate(then))
