// Compares a database's schema with one that the migrations make afresh, in a transaction that is rolled back. Both are
// described by the same server, in the same words.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { codeOf, reasonOf } from "../../sql/client/SqlErrors.ts"
import type { Check } from "../../sql/verify/Fault.ts"
import { all, type Source } from "../../sql/verify/Source.ts"
import * as Migrations from "../Migrations.ts"

/** Definitions by name: `table trades`, `column trades.pair`. */
export type Definitions = ReadonlyMap<string, string>

/** The tables of the schema that new tables would be made in, but for those of extensions and the list of migrations. */
const OWN = `tables.relnamespace = current_schema()::regnamespace AND tables.relname <> '${Migrations.TABLE}'
  AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = tables.oid AND deptype = 'e')`

/** Some definitions name the schema, which is another in the copy. */
const WITHOUT_SCHEMA = (definition: string) =>
  `replace(${definition}, ' ON ' || quote_ident(current_schema()) || '.', ' ON ')`

const DEFINITIONS = `
  SELECT 'table ' || tables.relname AS name, '' AS definition FROM pg_class AS tables WHERE tables.relkind IN ('r', 'p') AND ${OWN}
  UNION ALL SELECT 'column ' || tables.relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
      collname, CASE WHEN attnotnull THEN 'NOT NULL' END, attidentity, attgenerated, pg_get_expr(adbin, adrelid))
    FROM pg_class AS tables JOIN pg_attribute ON attrelid = tables.oid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE tables.relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped AND ${OWN}
  UNION ALL SELECT 'index ' || indexes.relname, ${WITHOUT_SCHEMA("pg_get_indexdef(indexrelid)")}
    FROM pg_class AS tables JOIN pg_index ON indrelid = tables.oid
    JOIN pg_class AS indexes ON indexes.oid = indexrelid WHERE ${OWN}
  UNION ALL SELECT 'constraint ' || tables.relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_class AS tables JOIN pg_constraint ON conrelid = tables.oid WHERE contype <> 'n' AND ${OWN}
  UNION ALL SELECT 'trigger ' || tables.relname || '.' || tgname, tgenabled::text || ${WITHOUT_SCHEMA("pg_get_triggerdef(pg_trigger.oid)")}
    FROM pg_class AS tables JOIN pg_trigger ON tgrelid = tables.oid WHERE NOT tgisinternal AND ${OWN}
  UNION ALL SELECT 'function ' || proname, pg_get_function_arguments(oid) || ' ' || prosrc FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  ORDER BY 1`

const Definition = Schema.Struct({ name: Schema.String, definition: Schema.String })
const decode = Schema.decodeUnknownSync(Schema.Array(Definition))
const named = (rows: ReadonlyArray<unknown>): Definitions =>
  new Map(decode(rows).map(({ definition, name }) => [name, definition]))

/** Ends the transaction, in which nothing may stay. */
class Read extends Data.TaggedError("Read")<{ readonly definitions: Definitions }> {}

/** The codes of a user who may not make a schema, and of a server that only reads. */
const CANNOT_WRITE = ["42501", "25006"]

/**
 * The schema of a new database of a version; undefined where the user may not make one, or the server only reads: then
 * it is not compared, and the log has a warning.
 */
export const fresh = (shown: string, version: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const schema = `signalbox_verify_${crypto.randomUUID().replaceAll("-", "")}`
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe(`CREATE SCHEMA ${schema}`)
        yield* sql.unsafe(`SET LOCAL search_path TO ${schema}`)
        yield* Effect.forEach(Migrations.upTo(version), ([, run]) => run, { discard: true })
        return yield* new Read({ definitions: named(yield* sql.unsafe(DEFINITIONS)) })
      })
    )
  }).pipe(
    Effect.catchTags({
      Read: ({ definitions }) => Effect.succeed(definitions),
      SqlError: (error) =>
        CANNOT_WRITE.includes(codeOf(error.cause))
          ? Effect.as(
              Effect.logWarning("the schema is not compared: this user may not make one to compare it with"),
              undefined
            )
          : new DatabaseUnavailable({ filename: shown, reason: reasonOf(error.cause) })
    })
  )

/** Finds everything that is missing, foreign or defined differently. */
export function* differing(source: Source, expected: Definitions): Check {
  const found = named(yield* all(source.rows(DEFINITIONS)))
  for (const [name, definition] of expected) {
    const text = found.has(name)
      ? found.get(name) === definition
        ? undefined
        : "is defined otherwise than by this program"
      : "is missing"
    if (text !== undefined) yield { table: "schema", text: `${name} ${text}` }
  }
  for (const name of found.keys())
    if (!expected.has(name)) yield { table: "schema", text: `${name} is not one of this program` }
}
