// The stored layer of the what-ifs that an owner tried.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { eachOnce, MAX_TRIES, WhatIfTries, type WhatIfTry } from "../services/records/WhatIfTries.ts"
import type { Stretch } from "../trading/compare/LiveRecord.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Rows from "./rows/Rows.ts"

const Row = Schema.Struct({
  digest: Schema.String,
  from: Schema.Int,
  until: Schema.Int,
  at: Schema.Int,
  changes: Schema.parseJson(
    Schema.Array(Schema.Struct({ setting: Schema.String, from: Schema.String, to: Schema.String }))
  ),
  net: Decimal.Text,
  trades: Schema.Int,
  sharpe: Schema.Number
})
export const rows = Rows.reader(Row)
export const COLUMNS = `digest, from_at AS "from", until_at AS "until", at, changes, net, trades, sharpe`

const encode = Schema.encodeSync(Row)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const keep = Effect.fn("WhatIfTries.keep")(
    function* (account: AccountId, strategy: StrategyId, tried: WhatIfTry) {
      const { at, changes, digest, from, net, sharpe, trades, until } = encode(tried)
      const own = yield* sql`SELECT id FROM strategies WHERE id = ${strategy} AND account = ${account}`
      if (own.length === 0) return
      yield* sql`INSERT INTO what_if_tries
          (strategy_id, digest, from_at, until_at, at, changes, net, trades, sharpe)
        VALUES (${strategy}, ${digest}, ${from}, ${until}, ${at}, ${changes}, ${net}, ${trades}, ${sharpe})
        ON CONFLICT (strategy_id, digest, from_at) DO UPDATE SET until_at = excluded.until_at,
          at = excluded.at, changes = excluded.changes, net = excluded.net, trades = excluded.trades,
          sharpe = excluded.sharpe`
      yield* sql`DELETE FROM what_if_tries WHERE strategy_id = ${strategy} AND at <= (SELECT at
        FROM what_if_tries WHERE strategy_id = ${strategy} ORDER BY at DESC LIMIT 1 OFFSET ${MAX_TRIES})`
    },
    sql.withTransaction,
    orDie
  )

  const overlapping = Effect.fn("WhatIfTries.overlapping")(function* (
    account: AccountId,
    strategy: StrategyId,
    { from, until }: Stretch
  ) {
    return yield* Effect.map(
      rows.all(sql`SELECT ${sql.literal(COLUMNS)} FROM what_if_tries WHERE strategy_id = ${strategy}
        AND from_at < ${until} AND until_at > ${from}
        AND EXISTS (SELECT 1 FROM strategies WHERE id = ${strategy} AND account = ${account})
        ORDER BY at DESC, digest`),
      eachOnce
    )
  })

  return WhatIfTries.of({ keep, overlapping })
})

export const layer = Layer.effect(WhatIfTries, make)
