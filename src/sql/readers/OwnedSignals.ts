// The operator's list of signals, with owners and followers.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SignalId } from "../../domain/Signal.ts"
import * as Rows from "../rows/Rows.ts"

/** A signal with its account's name. */
export const Owned = Schema.Struct({
  id: SignalId,
  name: Schema.String,
  account: Schema.String,
  active: Rows.Bit,
  public: Rows.Bit,
  followers: Schema.Int
})
export type Owned = typeof Owned.Type

/** The query; a condition and the sorting follow it. */
export const SELECT = `SELECT signals.id, signals.name, accounts.name AS account, active, public,
  (SELECT count(*) FROM strategies WHERE signal_id = signals.id) AS followers
  FROM signals JOIN accounts ON accounts.id = signals.account`

const rows = Rows.reader(Owned)

/** Lists signals by creation: of all accounts, or of one. */
export const list = (account: string | undefined) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    rows.all(sql`${sql.literal(SELECT)} WHERE ${account === undefined ? sql`1 = 1` : sql`accounts.name = ${account}`}
      ORDER BY signals.id`)
  )
