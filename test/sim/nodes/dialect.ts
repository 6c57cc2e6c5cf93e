// The statements of leases and fences are written for Postgres. Here they are said so that SQLite does the same, and so that
// a bug that is planted into their text is a bug here too.
import { commits } from "../../../src/postgres/migrations/first/commits.ts"

/** A statement with its parameters. */
export interface Said {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

const DAY_MS = 86_400_000
const UNNEST = /unnest\(([^)]*)\) AS held \(([^)]*)\)/

/** Arrays side by side, as rows. */
const joined = (_: string, values: string, names: string): string => {
  const name = names.split(", ")
  const from = values
    .split(", ")
    .map(
      (value, place) => `json_each(${value}) AS j${place}${place === 0 ? "" : ` ON j${place}.key = j0.key`}`
    )
  return `(SELECT ${name.map((one, place) => `j${place}.value AS ${one}`).join(", ")} FROM ${from.join(" JOIN ")}) AS held`
}

/** An array's text of Postgres as one of JSON. */
const asJson = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith("{") ? `[${value.slice(1, -1)}]` : value

/** The statement for SQLite; `now` is the time of the database (ms). */
export const inSqlite = ({ params, text }: Said, now: number): Said => {
  const isOfArrays = UNNEST.test(text)
  return {
    text: text
      .replaceAll("::bigint[]", "")
      .replace(UNNEST, joined)
      .replaceAll(/ FOR UPDATE( OF partitions)?/g, "")
      .replaceAll("clock_timestamp()", String(now))
      .replaceAll(/make_interval\(secs => (\d+)\)/g, "$1 * 1000")
      .replaceAll("interval '1 day'", String(DAY_MS))
      .replaceAll("to_timestamp(", "1000 * ("),
    params: isOfArrays ? params.map(asJson) : params
  }
}

const [fencing = ""] = commits
const [, update = ""] = /BEGIN\s+(UPDATE partitions[^;]*);/.exec(fencing) ?? []

/**
 * The statement by which a commit notes itself in its partitions, out of the function of Postgres. Its parameters: name,
 * ids, epochs, sequence numbers, cursors, process.
 */
export const FENCE = `${update
  .replace("last = name", "last = ?1")
  .replace("unnest(ids, epochs, seqs, cursors)", "unnest(?2, ?3, ?4, ?5)")
  .replaceAll("owner = process", "owner = ?6")} RETURNING id, ?6 AS process`
