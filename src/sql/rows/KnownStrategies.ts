// Strategies as they were read last, once for all that read them. Settings are read and decoded again only of those whose
// revision has changed, some at a time with a pause between, and what is read within a transaction is not kept, because it
// may be undone.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Strategy } from "../../domain/Strategy.ts"
import { breathe } from "../../services/engine/Breath.ts"
import * as Dialect from "../Dialect.ts"
import * as StrategyRows from "./StrategyRows.ts"

/** The most strategies that are kept in memory. */
const MAX_KNOWN = 50_000
/** Strategies that are decoded without a pause: a tenth of a millisecond each. */
const AT_ONCE = 50

/** The version of a strategy: equal if the strategy has not changed since it was read. */
export interface Version {
  readonly id: number
  readonly revision: number
}

/** The strategies of these versions, by id; those that are gone are missing. */
export class KnownStrategies extends Context.Tag("signalbox/sql/rows/KnownStrategies")<
  KnownStrategies,
  (versions: ReadonlyArray<Version>) => Effect.Effect<ReadonlyMap<number, Strategy>>
>() {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(StrategyRows.COLUMNS)
  const known = new Map<number, Strategy>()

  const read = (ids: ReadonlyArray<number>) =>
    StrategyRows.all(sql`SELECT ${columns} FROM strategies WHERE ${Dialect.among(sql, "id", ids)}`)

  return KnownStrategies.of(
    Effect.fnUntraced(function* (versions: ReadonlyArray<Version>) {
      const found = new Map<number, Strategy>()
      const missing = new Set<number>()
      for (const { id, revision } of versions) {
        const strategy = known.get(id)
        if (strategy?.revision === revision) found.set(id, strategy)
        else missing.add(id)
      }
      const ids = [...missing]
      const isKept = Option.isNone(yield* Effect.serviceOption(SqlClient.TransactionConnection))
      // Where there is no room for all that are missing, none is kept: those of other readers would have to go.
      const isKeeping = isKept && ids.length <= MAX_KNOWN
      if (isKeeping && known.size + ids.length > MAX_KNOWN) known.clear()
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        if (start > 0) yield* breathe
        for (const strategy of yield* read(ids.slice(start, start + AT_ONCE))) {
          found.set(strategy.id, strategy)
          if (isKeeping) known.set(strategy.id, strategy)
        }
      }
      return found
    })
  )
})

export const layer = Layer.effect(KnownStrategies, make)
