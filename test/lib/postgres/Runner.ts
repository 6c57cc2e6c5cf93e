// A scratch server of Postgres for a whole run of suites: each database file that a suite names becomes a database of
// its own there. Suites that open the file themselves find none.
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { Redacted } from "effect"
import { urlOf } from "./Database.ts"
import { valueOf } from "./Queries.ts"
import { programs, type Server, start } from "./Server.ts"

let running: Server | undefined
const made = new Map<string, string>()

/** Starts the server; what the suites run is on it from then on. Ends the process where Postgres is not installed. */
export const begin = async (): Promise<void> => {
  if (programs() === undefined) {
    console.error("--database needs Postgres on this machine: apt-get install postgresql")
    process.exit(1)
  }
  running = await start({ durable: true, connections: 500 })
}

/** A command line with a database in the place of each file, once a server was begun; an address is one always. */
export const onPostgres = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const server = running
  const isDatabase = (word = "") => server !== undefined || isAddress(word)
  return args.map((word, index) => {
    if (word === "--db" && isDatabase(args[index + 1])) return "--database"
    return args[index - 1] !== "--db" || server === undefined || isAddress(word)
      ? word
      : databaseOf(server, word)
  })
}

/** The address of the database of a file, or of an address; undefined where files are used. */
export const addressOf = (db: string): string | undefined => {
  if (isAddress(db)) return db
  return running === undefined ? undefined : databaseOf(running, db)
}

const isAddress = (word: string): boolean =>
  word.startsWith("postgres://") || word.startsWith("postgresql://")

/** What psql prints of a statement. */
const psql = (url: string, sql: string): string => {
  const { stderr, stdout, success } = Bun.spawnSync([`${programs()}/psql`, "-XAtqc", sql, url])
  if (!success) throw new Error(`${sql}: ${stderr.toString()}`)
  return stdout.toString()
}

/** Runs a statement in the database of a file, and returns its first value; undefined where files are used. */
export const changed = (db: string, sql: string): string | undefined => {
  const url = addressOf(db)
  return url === undefined ? undefined : psql(url, sql).split("\n")[0]
}

/**
 * Backs a database up as Postgres' own tools do; the returned function puts the backup in its place. Undefined where files
 * are used.
 */
export const backedUp = (db: string): (() => void) | undefined => {
  const url = addressOf(db)
  const server = running
  if (url === undefined || server === undefined) return undefined
  const dump = Bun.spawnSync([`${programs()}/pg_dump`, url])
  if (!dump.success) throw new Error(`pg_dump: ${dump.stderr.toString()}`)
  const name = new URL(url).pathname.slice(1)
  return () => {
    const administrator = Redacted.value(urlOf(server, "postgres"))
    psql(administrator, `DROP DATABASE ${name} WITH (FORCE)`)
    psql(administrator, `CREATE DATABASE ${name}`)
    const { stderr, success } = Bun.spawnSync([`${programs()}/psql`, "-Xqv", "ON_ERROR_STOP=1", url], {
      stdin: dump.stdout,
      stdout: "ignore"
    })
    if (!success) throw new Error(`the dump was not restored: ${stderr.toString()}`)
  }
}

/** All that the server of the run has written of a database: its dump, and the server's log. */
export const written = (db: string): ReadonlyArray<{ readonly place: string; readonly text: string }> => {
  const url = addressOf(db)
  if (url === undefined || running === undefined) return []
  const { stderr, stdout, success } = Bun.spawnSync([`${programs()}/pg_dump`, url])
  if (!success) throw new Error(`pg_dump: ${stderr.toString()}`)
  return [
    { place: "the database on Postgres", text: stdout.toString("latin1") },
    { place: "the log of Postgres", text: readFileSync(join(running.folder, "log"), "latin1") }
  ]
}

/** The rows of a query in the database of a file, read at once; undefined where files are used. */
export const queried = (db: string, sql: string): ReadonlyArray<Record<string, unknown>> | undefined => {
  const url = addressOf(db)
  if (url === undefined) return undefined
  // A text that holds JSON is JSON by itself to SQLite.
  const query = sql.replace(/([\w.]+) ->> /g, "$1::json ->> ")
  const printed = valueOf(url, `SELECT coalesce(json_agg(rows), '[]')::text FROM (${query}) AS rows`)
  const rows: unknown = JSON.parse(printed, (_, value: unknown) =>
    typeof value === "string" && /^\\x([0-9a-f]{2})*$/.test(value)
      ? Uint8Array.fromHex(value.slice(2))
      : value
  )
  return Array.isArray(rows) ? rows : []
}

const databaseOf = (server: Server, file: string): string => {
  const place = placeOf(resolve(file))
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

/** All names of a file are one database. */
const placeOf = (file: string): string =>
  existsSync(dirname(file)) ? join(realpathSync(dirname(file)), basename(file)) : file
