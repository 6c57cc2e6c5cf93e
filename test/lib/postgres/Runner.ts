// A scratch server of Postgres for a whole run of suites: each database file that a suite names becomes a database of
// its own there. Suites that open the file themselves find none.
import { resolve } from "node:path"
import { Redacted } from "effect"
import { urlOf } from "./Database.ts"
import { programs, type Server, start } from "./Server.ts"

let running: Server | undefined
const made = new Map<string, string>()

/** Starts the server; what the suites run is on it from then on. Ends the process where Postgres is not installed. */
export const begin = async (): Promise<void> => {
  if (programs() === undefined) {
    console.error("--database needs Postgres on this machine: apt-get install postgresql")
    process.exit(1)
  }
  running = await start({ durable: true })
}

/** A command line with a database in the place of each file, once a server was begun; an address is one always. */
export const onPostgres = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const server = running
  const isDatabase = (word = "") => server !== undefined || word.startsWith("postgres://")
  return args.map((word, index) => {
    if (word === "--db" && isDatabase(args[index + 1])) return "--database"
    return args[index - 1] !== "--db" || server === undefined || word.startsWith("postgres://")
      ? word
      : databaseOf(server, word)
  })
}

/** The rows of a query in the database of a file, read by psql at once; undefined where files are used. */
export const queried = (file: string, sql: string): ReadonlyArray<Record<string, unknown>> | undefined => {
  if (running === undefined) return undefined
  const url = databaseOf(running, file)
  const whole = `SELECT coalesce(json_agg(rows), '[]') FROM (${sql}) AS rows`
  const { stderr, stdout, success } = Bun.spawnSync([`${programs()}/psql`, "-XAtqc", whole, url])
  if (!success) throw new Error(`${sql}: ${stderr.toString()}`)
  const rows: unknown = JSON.parse(stdout.toString(), (_, value: unknown) =>
    typeof value === "string" && /^\\x([0-9a-f]{2})*$/.test(value)
      ? Uint8Array.fromHex(value.slice(2))
      : value
  )
  return Array.isArray(rows) ? rows : []
}

const databaseOf = (server: Server, file: string): string => {
  const place = resolve(file)
  const known = made.get(place)
  if (known !== undefined) return known
  const name = `suite_${made.size + 1}`
  const createdb = [`${programs()}/createdb`, "-h", "127.0.0.1", "-p", `${server.port}`, "-U", "signalbox"]
  const { stderr, success } = Bun.spawnSync([...createdb, name])
  if (!success) throw new Error(`no database was made: ${stderr.toString()}`)
  const url = Redacted.value(urlOf(server, name))
  made.set(place, url)
  return url
}
