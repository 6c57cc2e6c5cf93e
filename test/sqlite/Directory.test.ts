// The directory of many thousand strategies: a page is read along the index of its sequence, never by sorting all.
import { expect, test } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { SIGNAL_SORTS, STRATEGY_SORTS } from "../../src/domain/directory/Listed.ts"
import * as Dialect from "../../src/sql/Dialect.ts"
import * as Walk from "../../src/sql/directory/Walk.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { onFile } from "../services/ports.ts"

const tables = [
  { table: "strategy_records", id: "strategy_id", sorts: STRATEGY_SORTS },
  { table: "signal_records", id: "signal_id", sorts: SIGNAL_SORTS }
] as const

test("every page of every list is read along an index of what is listed, without sorting", () =>
  VirtualClock.run(
    VirtualClock.on(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const { id, sorts, table } of tables)
          for (const sort of sorts)
            for (const after of [undefined, { value: 5, id: 7 }]) {
              const walked = { table, id, conditions: [Dialect.holds(sql, "search", "word")] }
              const page = { sort, limit: 50, ...(after === undefined ? {} : { after }) }
              const plan = JSON.stringify(
                yield* sql`EXPLAIN QUERY PLAN ${Walk.statementOf(sql, walked, page)}`
              )
              expect(plan).toContain("USING INDEX")
              expect(plan).not.toContain("TEMP B-TREE")
            }
      }),
      onFile(":memory:")
    )
  ))
