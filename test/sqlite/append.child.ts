// Appends alerts to the database in argv without end, and says which were answered for, until it is killed.
import { Effect } from "effect"
import { Journal } from "../../src/services/Journal.ts"
import { draft } from "../../src/testing/Fixtures.ts"
import { onFile, sender } from "../services/ports.ts"

const program = Effect.gen(function* () {
  const journal = yield* Journal
  const alice = yield* sender("alice")
  const one = Effect.flatMap(journal.append(draft(alice)), ({ id }) =>
    Effect.sync(() => process.stdout.write(`${id}\n`))
  )
  yield* Effect.all(
    Array.from({ length: 12 }, () => Effect.forever(one)),
    { concurrency: "unbounded" }
  )
})
Effect.runFork(Effect.provide(program, onFile(process.argv[2] ?? "")))
