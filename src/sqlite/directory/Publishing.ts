// What records of strategies and of signals have in common: publications, publishers' numbers, and changed originals.
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import type { Publication } from "../../domain/directory/TrackRecord.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"

/** The columns of a publication, and how they are read. */
export const PUBLICATION = "first_published_at AS firstAt, published_at AS sinceAt, times_published AS times"
export const publicationFields = {
  firstAt: Schema.NullOr(Schema.Int),
  sinceAt: Schema.NullOr(Schema.Int),
  times: Schema.Int
}

/** The publication of a row; undefined where there was none. */
export const publicationOf = ({
  firstAt,
  sinceAt,
  times
}: {
  readonly firstAt: number | null
  readonly sinceAt: number | null
  readonly times: number
}): Publication | undefined =>
  firstAt === null || sinceAt === null ? undefined : { first: firstAt, since: sinceAt, times }

/** Counts one more published by an account, which has a number from the first one on. */
export const publish = (sql: SqlClient.SqlClient, account: AccountId) =>
  sql`INSERT INTO publishers (account, number, published)
    VALUES (${account}, (SELECT coalesce(max(number), 0) + 1 FROM publishers), 1)
    ON CONFLICT (account) DO UPDATE SET published = published + 1`

/** Notes that originals changed, where they have copies. */
export const announce = (sql: SqlClient.SqlClient, origins: ReadonlyArray<StrategyId>) =>
  sql`INSERT INTO changed_origins (origin) SELECT DISTINCT origin FROM copies
    WHERE origin IN (SELECT value FROM json_each(${JSON.stringify(origins)})) ON CONFLICT DO NOTHING`
