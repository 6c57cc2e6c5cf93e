// Which accounts have a back-test under way, for all servers of a database. A claim ends by itself where its server does not
// end it.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BacktestClaims } from "../services/backtest/BacktestClaims.ts"
import { LIMIT_SECONDS } from "../services/backtest/Slots.ts"
import { orDie } from "../sql/client/SqlErrors.ts"

/** Its body and its run may each take the limit. */
const CLAIM_SECONDS = 2 * LIMIT_SECONDS + 10

/** The claims of a server, whose name no other one has. */
export const layer = (node: string) =>
  Layer.effect(
    BacktestClaims,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      take: (account) =>
        Effect.map(
          orDie(sql`INSERT INTO backtest_claims AS known (account, node, until)
            VALUES (${account}, ${node}, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}))
            ON CONFLICT (account) DO UPDATE SET node = excluded.node, until = excluded.until
            WHERE known.until < clock_timestamp() OR known.node = excluded.node RETURNING 1`),
          (rows) => rows.length > 0
        ),
      release: (account) =>
        Effect.ignore(sql`DELETE FROM backtest_claims WHERE account = ${account} AND node = ${node}`)
    }))
  )
