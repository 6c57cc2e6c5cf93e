import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { Followed } from "../../services/StrategyStore.ts"
import * as Rows from "./Rows.ts"
import * as StrategyRows from "./StrategyRows.ts"

const versions = Rows.reader(
  Schema.Struct({ id: Schema.Int, revision: Schema.Int, name: Schema.NullOr(Schema.String) })
)

/** The most strategies kept in memory for those who look at all of theirs. */
const MAX_KNOWN = 10_000

/** Reads settings again only of strategies that have changed: reading those of a thousand takes its time. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(StrategyRows.COLUMNS)
  const known = new Map<number, Strategy>()

  return Effect.fn("StrategyStore.followed")(function* (account: AccountId) {
    const found = yield* versions.all(sql`SELECT strategies.id, strategies.revision, signals.name
      FROM strategies LEFT JOIN signals ON signals.id = strategies.signal_id
      WHERE strategies.account = ${account} ORDER BY strategies.id`)
    if (known.size + found.length > MAX_KNOWN) known.clear()
    const missing = found.filter(({ id, revision }) => known.get(id)?.revision !== revision)
    const read = yield* StrategyRows.all(sql`SELECT ${columns} FROM strategies
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(missing.map(({ id }) => id))}))`)
    const fresh = new Map(read.map((strategy) => [Number(strategy.id), strategy]))
    for (const [id, strategy] of fresh) known.set(id, strategy)
    return found.flatMap(({ id, name }): ReadonlyArray<Followed> => {
      const strategy = fresh.get(id) ?? known.get(id)
      return strategy === undefined ? [] : [{ strategy, signalName: name ?? undefined }]
    })
  })
})
