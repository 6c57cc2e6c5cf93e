// The password of a connection whose address has none, as Postgres' own programs find it: on a line of the file that
// PGPASSFILE names, else of ~/.pgpass. Each connection reads the file, so that a password may change while a server runs.
import { open } from "node:fs/promises"
import * as Config from "effect/Config"
import { Client, type ClientConfig } from "pg"

/** The most of the file that is read (bytes). */
const MAX_BYTES = 2 ** 16
/** The bits of a file's mode that let others than its owner in. */
const OTHERS = 0o077

const text = Config.nonEmptyString

/** Where the file is; empty where nothing says so. */
export const file: Config.Config<string> = text("PGPASSFILE").pipe(
  Config.orElse(() => Config.map(text("HOME"), (home) => `${home}/.pgpass`)),
  Config.withDefault("")
)

/** A client of the driver, to be made for each connection. */
export type ClientClass = new (config?: ClientConfig) => Client

/** A client that finds its password in this file when the server asks and nothing else gave one. */
export const clientWith = (path: string): ClientClass =>
  class extends Client {
    constructor(config?: ClientConfig) {
      super(config)
      if (!this.password) Object.assign(this, { password: () => this.#found() })
    }

    async #found(): Promise<string> {
      try {
        return await passwordFor(path, this)
      } catch (cause) {
        // The server would wait for a minute, and keep this process from ending: the driver hears of the cause first.
        this.connection.once("error", () => this.connection.stream.destroy())
        throw cause
      }
    }
  }

/** What a line of the file has to fit. */
interface Wanted {
  readonly host: string
  readonly port: number
  readonly database?: string | undefined
  readonly user?: string | undefined
}

const passwordFor = async (
  path: string,
  { database = "", host, port, user = "" }: Wanted
): Promise<string> => {
  const found = lineFor(await read(path), [host, `${port}`, database, user])
  if (found !== undefined) return found
  throw new Error(
    "the server asks for a password: put it into the file that PGPASSFILE names, with a line for this host, port, database and user, or into the address"
  )
}

/** The text of the file; empty where it is missing. Fails where others may read it. */
const read = async (path: string): Promise<string> => {
  const handle = await open(path).catch(() => undefined)
  if (handle === undefined) return ""
  try {
    const { mode } = await handle.stat()
    if ((mode & OTHERS) !== 0)
      throw new Error(`the passwords in ${path} are open to others, and are not used: chmod 600 ${path}`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Host, port, database and user, and the password, which runs to the end; a backslash stands before a colon in them. */
const FIELD = "((?:\\\\.|[^\\\\:])*)"
const LINE = new RegExp(`^${FIELD}:${FIELD}:${FIELD}:${FIELD}:(.+)$`)

/** The password of the first line that fits. */
const lineFor = (file: string, wanted: ReadonlyArray<string>): string | undefined => {
  for (const line of file.split(/\r?\n/)) {
    const [, ...fields] = (line.startsWith("#") ? null : LINE.exec(line)) ?? []
    const [password, ...names] = fields.map((field) => field.replace(/\\(.)/g, "$1")).reverse()
    const isFor = wanted.every((name, index) => names.at(-1 - index) === name || names.at(-1 - index) === "*")
    if (isFor && password !== undefined) return password
  }
  return undefined
}
