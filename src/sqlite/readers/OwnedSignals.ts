// The operator's list of signals, with owners and followers.
import type { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { SignalId } from "../../domain/Signal.ts"
import * as Rows from "../../sql/rows/Rows.ts"

/** A signal with its account's name. */
const Owned = Schema.Struct({
  id: SignalId,
  name: Schema.String,
  account: Schema.String,
  active: Rows.Bit,
  public: Rows.Bit,
  followers: Schema.Int
})
export type Owned = typeof Owned.Type

const decode = Schema.decodeUnknownSync(Schema.Array(Owned))

/** Lists signals by creation: of all accounts, or of one. */
export const list = (database: Database, account: string | undefined): ReadonlyArray<Owned> =>
  decode(
    database
      .query(
        `SELECT signals.id, signals.name, accounts.name AS account, active, public,
          (SELECT count(*) FROM strategies WHERE signal_id = signals.id) AS followers
        FROM signals JOIN accounts ON accounts.id = signals.account
        WHERE ?1 IS NULL OR accounts.name = ?1 ORDER BY signals.id`
      )
      .all(account ?? null)
  )
