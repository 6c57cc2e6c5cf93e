// A real Postgres server for tests, in a scratch folder on loopback. It runs as a user without rights, because Postgres
// refuses root, and it stops and its folder goes when this process ends, however that ends.
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A running server. */
export interface Server {
  readonly port: number
  /** The process id of the postmaster. */
  readonly pid: number
  readonly folder: string
}

/** Debian keeps its programs of Postgres here, a folder for each version, and only some of them on the path. */
const DEBIAN = "/usr/lib/postgresql"

const candidates = (): ReadonlyArray<string> => {
  const onPath = Bun.which("initdb")
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  return [...versions.map((version) => join(DEBIAN, version, "bin")), ...(onPath ? [join(onPath, "..")] : [])]
}

/** The folder of Postgres' programs; undefined on a machine without them. */
export const programs = (): string | undefined =>
  candidates().find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")))

/** The users to run a server as when we are root: Debian's package makes the first, every system has the second. */
const USERS = ["postgres", "nobody"]

interface User {
  readonly uid: number
  readonly gid: number
}

const userOf = (name: string): User | undefined => {
  const [, , uid, gid] = Bun.spawnSync(["getent", "passwd", name]).stdout.toString().trim().split(":")
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** The command under which the server's programs run, and who they run as; undefined where we are not root. */
const unprivileged = (): User | undefined =>
  process.getuid?.() === 0 ? USERS.map(userOf).find((user) => user !== undefined) : undefined

const as = (user: User | undefined) =>
  user === undefined ? [] : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"]

/** A port that was free a moment ago. */
const freePort = (): Promise<number> => {
  const { promise, reject, resolve } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.on("error", reject)
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    probe.close(() => resolve(port))
  })
  return promise
}

/** Options of a server. */
export interface Options {
  /** Whether commits wait for the disk: off for contract suites, on where the process or machine is killed. */
  readonly durable?: boolean
  /** The folder that gets the server's own; by default the temporary one. */
  readonly parent?: string
  /** The most connections at once. */
  readonly connections?: number
}

/**
 * The guard: it waits for its standard input to end, which the kernel ends with this process, and then stops the server
 * at once and removes the folder. It ignores what a terminal sends, so that it outlives us by that.
 */
const GUARD = `trap '' INT TERM HUP
folder=$1; shift
"$@" </dev/null >"$folder/log" 2>&1 &
server=$!
echo "$server"
cat >/dev/null
kill -QUIT "$server" 2>/dev/null
wait "$server"
rm -rf "$folder"`

/** Makes and starts a server, and waits until it takes connections. */
export const start = async ({
  connections = 200,
  durable = false,
  parent = tmpdir()
}: Options = {}): Promise<Server> => {
  const bin = programs()
  if (bin === undefined) throw new Error("Postgres is not installed: apt-get install postgresql")
  const user = unprivileged()
  const folder = mkdtempSync(join(parent, "signalbox-postgres-"))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  const initdb = [`${bin}/initdb`, "--pgdata", data, "--auth=trust", "--username=signalbox"]
  const made = Bun.spawnSync([...as(user), ...initdb, "--encoding=UTF8", "--locale=C", "--no-sync"], {
    cwd: folder
  })
  if (!made.success) throw new Error(`initdb failed: ${made.stderr.toString()}`)
  const port = await freePort()
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: String(connections),
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off"
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const pid = await guarded(GUARD, folder, [`${bin}/postgres`, "-D", data, ...options])
  await ready(bin, port, folder)
  return { port, pid, folder }
}

/** Makes a standby of a running server, and starts it: it follows that server, until it is promoted. */
export const standby = async ({ folder: of, port: from }: Server): Promise<Server> => {
  const bin = programs() ?? ""
  const user = unprivileged()
  const folder = mkdtempSync(join(of, "standby-"))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  const way = ["-h", "127.0.0.1", "-p", String(from), "-U", "signalbox"]
  const copy = [`${bin}/pg_basebackup`, ...way, "-D", data, "-R", "--checkpoint=fast", "--no-sync"]
  const made = Bun.spawnSync([...as(user), ...copy], { cwd: folder })
  if (!made.success) throw new Error(`pg_basebackup failed: ${made.stderr.toString()}`)
  const port = await freePort()
  const options = optionsOf(of).map((option) => (option.startsWith("port=") ? `port=${port}` : option))
  const pid = await guarded(SECOND_GUARD, folder, [`${bin}/postgres`, ...options, "-D", data])
  await ready(bin, port, folder)
  return { port, pid, folder }
}

/** The guard of a server that was started again: it stops that server, and leaves the folder to the first guard. */
const SECOND_GUARD = GUARD.replace('rm -rf "$folder"', ":").replace('>"$folder/log"', '>>"$folder/log"')

/** Stops a server at once, as its machine would, and waits until it is gone. */
export const stop = async ({ pid }: Server): Promise<void> => {
  process.kill(pid, "SIGQUIT")
  for (let waited = 0; waited < PATIENCE && isAlive(pid); waited += EVERY) await Bun.sleep(EVERY)
}

/** Whether a process runs; one that has ended and was not waited for does not. */
export const isAlive = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) Z /.test(readFileSync(file, "utf8"))
}

/** The options that a server was started with. */
const optionsOf = (folder: string): ReadonlyArray<string> => {
  const words = readFileSync(join(folder, "data", "postmaster.opts"), "utf8").matchAll(/"([^"]*)"/g)
  return [...words].flatMap(([, word]) => (word === undefined ? [] : [word]))
}

/** Starts a stopped server again, on its port and with its options. */
export const startAgain = async ({ folder, port }: Server): Promise<Server> => {
  const bin = programs() ?? ""
  const pid = await guarded(SECOND_GUARD, folder, [`${bin}/postgres`, ...optionsOf(folder)])
  await ready(bin, port, folder)
  return { port, pid, folder }
}

/** Runs a server beneath a guard; returns the id of its process. */
const guarded = async (script: string, folder: string, command: ReadonlyArray<string>): Promise<number> => {
  const guard = Bun.spawn([...as(unprivileged()), "sh", "-c", script, "guard", folder, ...command], {
    cwd: folder,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit"
  })
  // The guard does not keep this process alive; its end of the pipe closes with us.
  guard.unref()
  guards.push(guard)
  const reader = guard.stdout.getReader()
  const pid = Number(new TextDecoder().decode((await reader.read()).value))
  reader.releaseLock()
  return pid
}
/** Kept, so that no pipe to a guard is closed before this process ends. */
const guards: Array<Bun.Subprocess> = []

/** How often a starting server is tried, and how long (ms). */
const EVERY = 50
const PATIENCE = 20_000

const ready = async (bin: string, port: number, folder: string): Promise<void> => {
  const answers = () =>
    Bun.spawnSync([`${bin}/pg_isready`, "-q", "-h", "127.0.0.1", "-p", String(port)]).success
  for (let waited = 0; waited < PATIENCE; waited += EVERY) {
    if (answers()) return
    await Bun.sleep(EVERY)
  }
  throw new Error(`Postgres did not start: ${await Bun.file(join(folder, "log")).text()}`)
}
