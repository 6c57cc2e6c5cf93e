// The operator's list of signals in a file of any version, which is only read.
import type { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Owned, SELECT } from "../../sql/readers/OwnedSignals.ts"

const decode = lazily(() => Schema.decodeUnknownSync(Schema.Array(Owned)))

/** Lists signals by creation: of all accounts, or of one. */
export const list = (database: Database, account: string | undefined): ReadonlyArray<Owned> =>
  decode(
    database
      .query(`${SELECT} WHERE ?1 IS NULL OR accounts.name = ?1 ORDER BY signals.id`)
      .all(account ?? null)
  )
