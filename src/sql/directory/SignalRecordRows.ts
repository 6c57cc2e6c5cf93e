// The rows of signals' publications and followers, updated in the transactions of signals and strategies.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Signal, SignalId } from "../../domain/Signal.ts"
import * as Recording from "../../services/directory/Recording.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"
import * as Publishing from "./Publishing.ts"

const publications = Rows.reader(Schema.Struct(Publishing.publicationFields))

/** Notes that a signal was made or changed, at a time in seconds, within the caller's transaction. */
export const written = Effect.fnUntraced(function* (before: Signal | undefined, after: Signal, now: number) {
  const sql = yield* SqlClient.SqlClient
  const known = Option.getOrUndefined(
    Option.map(
      yield* publications.first(
        sql`SELECT ${sql.literal(Publishing.PUBLICATION)} FROM signal_records WHERE signal_id = ${after.id}`
      ),
      Publishing.publicationOf
    )
  )
  const publication = Recording.publicationAfter(known, [before, after], now)
  if (known === undefined && publication !== undefined) yield* Publishing.publish(sql, after.account)
  const listed = Rows.bit(Recording.listedName(after) !== undefined)
  const search = Recording.searchText([after.name, after.description, after.displayName])
  yield* sql`INSERT INTO signal_records (signal_id, account, listed, first_published_at, published_at,
      times_published, followers, search)
    VALUES (${after.id}, ${after.account}, ${listed}, ${publication?.first ?? null},
      ${publication?.since ?? null}, ${publication?.times ?? 0}, 0, ${search})
    ON CONFLICT (signal_id) DO UPDATE SET listed = excluded.listed, search = excluded.search,
      first_published_at = excluded.first_published_at, published_at = excluded.published_at,
      times_published = excluded.times_published`
})

/** Counts the other accounts that follow signals, within the caller's transaction. */
export const counted = Effect.fnUntraced(function* (signals: ReadonlyArray<SignalId>) {
  const sql = yield* SqlClient.SqlClient
  for (const signal of signals.toSorted((one, other) => one - other)) {
    // Of those who follow a signal or leave it, one at a time counts: it sees what the one before did.
    yield* sql`SELECT followers FROM signal_records WHERE signal_id = ${signal} ${Dialect.forUpdate(sql)}`
    yield* sql`UPDATE signal_records SET followers = (SELECT count(DISTINCT account) FROM strategies
        WHERE signal_id = ${signal} AND account <> signal_records.account)
      WHERE signal_id = ${signal}`
  }
})
