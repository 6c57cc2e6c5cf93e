// An account's strategies with their signals' names; settings are read again only after a change.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import type { Followed } from "../../services/StrategyStore.ts"
import { KnownStrategies } from "./KnownStrategies.ts"
import * as Rows from "./Rows.ts"

const versions = Rows.reader(
  Schema.Struct({ id: Schema.Int, revision: Schema.Int, name: Schema.NullOr(Schema.String) })
)

/** Reads settings again only of strategies that have changed: reading those of a thousand takes its time. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const strategies = yield* KnownStrategies

  return Effect.fn("StrategyStore.followed")(function* (account: AccountId) {
    const found = yield* versions.all(sql`SELECT strategies.id, strategies.revision, signals.name
      FROM strategies LEFT JOIN signals ON signals.id = strategies.signal_id
      WHERE strategies.account = ${account} ORDER BY strategies.id`)
    const known = yield* strategies(found)
    return found.flatMap(({ id, name }): ReadonlyArray<Followed> => {
      const strategy = known.get(id)
      return strategy === undefined ? [] : [{ strategy, signalName: name ?? undefined }]
    })
  })
})
