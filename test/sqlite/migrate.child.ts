// Opens the database in argv, and with it migrates it where it is needed.
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"

const filename = process.argv[2] ?? ""
await Effect.runPromise(Effect.scoped(Layer.build(Sqlite.layer({ filename }))))
