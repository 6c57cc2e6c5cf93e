import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as VerifyLedger from "../../src/sql/verify/VerifyLedger.ts"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as FileSource from "../../src/sqlite/verify/FileSource.ts"
import { postings, step } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import { onTemporaryFile, sender } from "../services/ports.ts"

const tests = layer(onTemporaryFile)

/** The first row of the database's file that is not as it was written. */
const firstBroken = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  const database = new Database(row?.file, { readonly: true })
  const found = [...VerifyLedger.broken(FileSource.make(database, VERSION))].flatMap((fault) =>
    fault === "pause" ? [] : [fault.row]
  )
  database.close()
  return found[0]
})

const written = Effect.gen(function* () {
  const { account } = yield* sender("alice")
  const strategy = yield* (yield* StrategyStore).create(account, settings())
  const portfolio = yield* Portfolio
  for (let number = 1; number <= 3; number++) {
    yield* portfolio.commit([step(strategy, number, { postings: postings(`${number}`) })])
  }
})

tests.effect("a ledger that we wrote is unbroken", () =>
  Effect.gen(function* () {
    expect(yield* firstBroken).toBeUndefined()
    yield* written
    expect(yield* firstBroken).toBeUndefined()
  })
)

const tamperings: ReadonlyArray<readonly [string, string, number]> = [
  ["an altered amount", "UPDATE ledger SET posting = replace(posting, '10000', '10001') WHERE id = 3", 3],
  ["a row given to another strategy", "UPDATE ledger SET strategy_id = 9 WHERE id = 2", 2],
  ["a missing row", "DELETE FROM ledger WHERE id = 4", 5]
]
for (const [name, statement, broken] of tamperings) {
  tests.effect(`the chain finds ${name}`, () =>
    Effect.gen(function* () {
      yield* written
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(statement)
      expect(yield* firstBroken).toBe(broken)
    })
  )
}
