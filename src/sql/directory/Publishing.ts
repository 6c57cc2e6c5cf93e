// What records of strategies and of signals have in common: publications, publishers' numbers, and changed originals.
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import type { Publication } from "../../domain/directory/TrackRecord.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import * as Dialect from "../Dialect.ts"

/** The columns of a publication, and how they are read. */
export const PUBLICATION =
  'first_published_at AS "firstAt", published_at AS "sinceAt", times_published AS times'
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
export const publish = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, account: AccountId) {
  yield* Dialect.inTurn(sql, "publishers")
  yield* sql`INSERT INTO publishers (account, number, published)
    VALUES (${account}, (SELECT coalesce(max(number), 0) + 1 FROM publishers), 1)
    ON CONFLICT (account) DO UPDATE SET published = publishers.published + 1`
})

/**
 * Notes that originals changed, where they have copies. It waits for who is telling of one of them just now, so that no
 * change is forgotten with what it ends.
 */
export const announce = (sql: SqlClient.SqlClient, origins: ReadonlyArray<StrategyId>) =>
  sql`INSERT INTO changed_origins (origin) SELECT DISTINCT origin FROM copies
    WHERE origin IN ${Dialect.ids(sql, origins)} ON CONFLICT (origin) DO UPDATE SET origin = excluded.origin`
