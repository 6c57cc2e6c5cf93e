// Verifies a whole database of Postgres: schema, rows, references, ledger chains, orders and every bot's books. It reads
// one moment and writes nothing that stays, so a server may run beside it.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChangeWatch } from "../sql/client/ChangeWatch.ts"
import { DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import * as Verify from "../sql/verify/Verify.ts"
import { type Options, shown } from "./client/Address.ts"
import * as Client from "./client/Client.ts"
import * as Snapshot from "./client/Snapshot.ts"
import * as Migrations from "./Migrations.ts"
import * as VerifyReferences from "./verify/VerifyReferences.ts"
import * as VerifySchema from "./verify/VerifySchema.ts"

/** Verifies a database, row by row. Can be interrupted between groups of rows. */
export const verify = Effect.fn("Postgres.verify")(function* (options: Options) {
  const name = shown(options.url)
  const { expected, version } = yield* Effect.gen(function* () {
    const version = yield* Migrations.found(name)
    if (version === 0)
      return yield* new DatabaseUnavailable({
        filename: name,
        reason: "it holds no tables of Signalbox yet: signalbox serve makes them"
      })
    return { version, expected: yield* VerifySchema.fresh(name, version) }
  }).pipe(Effect.provide(Layer.provideMerge(Client.layer(options), ChangeWatch.layer)))
  const source = yield* Snapshot.open(options)
  return yield* Verify.verify({
    version,
    source,
    storage: {
      schema: function* () {
        if (expected !== undefined) yield* VerifySchema.differing(source, expected)
      },
      references: () => VerifyReferences.broken(source)
    }
  })
}, Effect.scoped)
