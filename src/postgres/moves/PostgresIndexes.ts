// Drops the indexes of a target for as long as rows are written, and makes them anew afterwards. Each row would change all
// indexes of its table, at places all over them; sorted once, an index of a million rows takes seconds.
import type { Client } from "pg"

/** How an index is dropped, and how it is made. */
interface Index {
  readonly name: string
  readonly definition: string
}

/** The server's memory for the sorting of an index, within the transaction. */
const SORTING = "128MB"

/** Those that no constraint needs: a key stays, and so does what a reference looks at. */
const INDEXES = `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE relnamespace = current_schema()::regnamespace AND relname = ANY($1)
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid) ORDER BY indexrelid`

/** Drops the indexes of these tables in the open transaction, which brings them back where it is undone. */
export const drop = async (client: Client, tables: ReadonlyArray<string>): Promise<ReadonlyArray<Index>> => {
  const { rows } = await client.query<Index>(INDEXES, [tables])
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows
}

/** Makes them again. */
export const make = async (client: Client, indexes: ReadonlyArray<Index>): Promise<void> => {
  await client.query(`SET LOCAL maintenance_work_mem = '${SORTING}'`)
  for (const { definition } of indexes) await client.query(definition)
}
