// Holds the lock of the database in argv until it is killed.
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"

const filename = process.argv[2] ?? ""
const served = Layer.provideMerge(Sqlite.layer({ filename }), Sqlite.layerLock({ filename }))
const program = Effect.zipRight(
  Layer.build(served),
  Effect.sync(() => console.log("ready"))
)
Effect.runFork(Effect.scoped(Effect.zipRight(program, Effect.never)))
