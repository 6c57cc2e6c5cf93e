// Checks what Postgres keeps true by itself, unless somebody has told it not to: references between rows, and that the
// next id of a table is a new one.
import * as Schema from "effect/Schema"
import type { Check } from "../../sql/verify/Fault.ts"
import { all, count, each, type Source } from "../../sql/verify/Source.ts"

const REFERENCES = `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
    own.attname::text AS "column", other.attname::text AS key
  FROM pg_constraint
  JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = conkey[1]
  JOIN pg_attribute AS other ON other.attrelid = confrelid AND other.attnum = confkey[1]
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  UNION ALL VALUES ('alerts', 'accounts', 'account', 'id'), ('alerts', 'tokens', 'token', 'id') ORDER BY 1, 3`

const Reference = Schema.Struct({
  child: Schema.String,
  parent: Schema.String,
  column: Schema.String,
  key: Schema.String
})
const decode = Schema.decodeUnknownSync(Schema.Array(Reference))

/** Finds rows that refer to missing ones, and a journal that would count ids again. */
export function* broken(source: Source): Check {
  for (const { child, column, key, parent } of decode(yield* all(source.rows(REFERENCES)))) {
    const missing = yield* count(
      source,
      `${child} WHERE ${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} AS known
        WHERE known.${key} = ${child}.${column})`
    )
    if (missing > 0)
      yield { table: child, text: `${column} of ${missing} rows names a row of ${parent} that is not there` }
  }
  yield* each(source.rows("SELECT id FROM alerts WHERE id > (SELECT max(last) FROM journal)"), () => [
    { table: "journal", text: "it would give an id again: an alert has a later one than its last" }
  ])
}
