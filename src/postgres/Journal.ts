// The Postgres layer of the journal. Several processes append to one journal: the database counts the ids and decides
// whether a key is new, and each process plans its batch by what it knows, and again where that was out of date.
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
import { again } from "./client/Again.ts"
import { Connections } from "./client/Connections.ts"
import { Listener } from "./client/Listener.ts"
import * as JournalRows from "./JournalRows.ts"

const heads = Rows.reader(Schema.Struct({ last: Schema.Int }))

/** How often a batch is planned anew because others wrote its keys meanwhile. */
const MAX_PLANS = 20

/** The name is this writer's alone: no batch of an earlier process may pass for one of ours. */
const store = Effect.gen(function* () {
  const connections = yield* Connections
  const keys = yield* JournalKeys.make
  const writer = crypto.randomUUID()
  let number = 0

  const write: JournalWriter.Store["write"] = Effect.fnUntraced(function* (entries, lastId) {
    const drafts = entries.map(({ draft }) => draft)
    number++
    for (let plans = 0; plans < MAX_PLANS; plans++) {
      // Beyond every alert that a key may name, so that the batch's own ids can be told from those.
      const expected = Math.max(lastId, keys.newest())
      const batch = JournalBatch.plan(drafts, expected, keys.recall)
      if (batch.alerts.length + batch.repeats.size === 0) return batch
      // A batch that was stored already stores nothing.
      const before = yield* again(
        JournalRows.append(connections, { writer, number, expected, batch }, keys.recall)
      )
      if (before >= 0) {
        const written = before === expected ? batch : JournalBatch.plan(drafts, before, keys.recall)
        keys.add(written.keys.values())
        return written
      }
      yield* keys.refresh(entries)
    }
    return yield* Effect.dieMessage("the keys of a batch of alerts change all the time")
  })
  return { isElsewhere: true, writer, write, purge: keys.purge }
})

/** Writers that ended long ago: none of their batches is still on its way. */
const clear = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DELETE FROM journal_writers WHERE at < clock_timestamp() - interval '1 day'`
)

const make = Effect.fnUntraced(function* (endOfTurn: EndOfTurn) {
  const sql = yield* SqlClient.SqlClient
  const listener = yield* Listener
  yield* clear
  const start = yield* heads.one(sql`SELECT last FROM journal`)
  const stored = yield* store
  const writer = yield* JournalWriter.make(stored, start.last)
  yield* listener.onAlerts((upTo, by) => {
    if (by !== stored.writer) writer.reached(upTo)
  })
  return yield* StoredJournal.make(writer, endOfTurn)
})

/** `endOfTurn` decides which alerts share a commit: a simulated world brings its own. */
export const layerWith = (endOfTurn: EndOfTurn) => Layer.scoped(Journal, make(endOfTurn)).pipe(Layer.orDie)

export const layer = layerWith((then) => setImmediate(then))
