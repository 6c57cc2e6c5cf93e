// How long it takes until some nodes have the partitions that they should have, by the leases in the database. Nobody else
// waits for these looks.
import { SQL } from "bun"
import type { Node } from "./Nodes.ts"

const ALL = 256
/** The pause between two looks (ms). */
const LOOK_MS = 50

/** The time until these nodes have so many partitions (ms), by default all; `patience` at the longest. */
export const within = async (
  url: string,
  nodes: ReadonlyArray<Node>,
  patience: number,
  wanted = ALL
): Promise<number> => {
  const addresses = nodes.map(({ address }) => address)
  const sql = new SQL(url, { max: 1 })
  const began = performance.now()
  const count = () =>
    sql`SELECT count(*)::int AS held FROM partitions JOIN nodes ON nodes.node = partitions.owner
      WHERE lease > clock_timestamp() AND address IN ${sql(addresses)}`.then(
      ([row]) => Number(row?.held ?? 0),
      () => 0
    )
  while (performance.now() - began < patience && (await count()) < wanted) await Bun.sleep(LOOK_MS)
  await sql.end()
  return performance.now() - began
}

/** How long no partition may move before all count as shared out (ms). A node whose connections were ended needs less. */
const STILL_MS = 5000

/** Who owns each partition once none moves any more, or `patience` (ms) is over; as one text. */
export const settled = async (url: string, patience: number): Promise<string> => {
  const sql = new SQL(url, { max: 1 })
  const began = performance.now()
  let [found, since] = [await read(sql), began]
  while (performance.now() - since < STILL_MS && performance.now() - began < patience) {
    await Bun.sleep(LOOK_MS)
    const now = await read(sql)
    if (now !== found) [found, since] = [now, performance.now()]
  }
  await sql.end()
  return found
}

/** Who owns each partition, as one text. */
export const all = async (url: string): Promise<string> => {
  const sql = new SQL(url, { max: 1 })
  const found = await read(sql)
  await sql.end()
  return found
}

const read = async (sql: SQL): Promise<string> => {
  const rows = await sql`SELECT id, owner, epoch FROM partitions ORDER BY id`
  return rows.map((row: Record<string, unknown>) => `${row["id"]} ${row["owner"]} ${row["epoch"]}`).join("\n")
}
