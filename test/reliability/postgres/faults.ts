// What happens to a Postgres server and to the way to it. Each fault ends once the server is back.
import { Client } from "pg"
import { administrate } from "../../lib/postgres/Database.ts"
import { isAlive } from "../../lib/postgres/Server.ts"
import { type Ground, NAME, PASSWORD } from "./Ground.ts"

/** Waits for as long as a fault lasts. */
export type Pause = () => Promise<void>

type Strike = (ground: Ground, pause: Pause) => Promise<unknown>

/** The faults by their names. */
export const FAULTS = {
  "back ends ended": async (ground) => terminate(ground),
  /** Postgres ends all its back ends after that, and recovers. */
  "back end killed": async ({ server }) => {
    const found = await administrate(server, OURS)
    const pids = rowsOf(found).map(({ pid }) => Number(pid))
    const [pid] = pids
    if (pid !== undefined) process.kill(pid, "SIGKILL")
    await answering(server.port)
  },
  immediate: async (ground) => {
    await ground.stop()
    await ground.startAgain()
  },
  /** Its address leads to a promoted standby. */
  promoted: (ground) => ground.promote(),
  away: async (ground, pause) => {
    await ground.stop()
    await pause()
    await ground.startAgain()
  },
  frozen: async ({ server }, pause) => {
    for (const pid of processes(server.pid)) process.kill(pid, "SIGSTOP")
    await pause()
    for (const pid of processes(server.pid)) process.kill(pid, "SIGCONT")
  },
  silent: async ({ proxy }, pause) => {
    const speak = proxy.silence()
    await pause()
    speak(false)
  },
  forgotten: async ({ proxy }, pause) => {
    const speak = proxy.silence()
    await pause()
    speak(true)
  },
  crowded: async (ground, pause) => {
    const leave = await crowd(ground)
    await terminate(ground)
    await pause()
    await leave()
  },
  "no connections": async (ground, pause) => {
    await administrate(ground.server, `ALTER DATABASE ${NAME} CONNECTION LIMIT 0`)
    await terminate(ground)
    await pause()
    await administrate(ground.server, `ALTER DATABASE ${NAME} CONNECTION LIMIT -1`)
  },
  /** Connections that were made meanwhile only read for as long as they live. */
  "read-only": async (ground, pause) => {
    await administrate(ground.server, `ALTER DATABASE ${NAME} SET default_transaction_read_only = on`)
    await terminate(ground)
    await pause()
    await administrate(ground.server, `ALTER DATABASE ${NAME} RESET default_transaction_read_only`)
  },
  /** Postgres may end where it cannot write its log: its operator makes room and starts it again. */
  "disk full": async (ground, pause) => {
    ground.fill()
    await pause()
    ground.makeRoom()
    // A server that ends waits for its processes first.
    await Bun.sleep(ENDING_MS)
    if (isAlive(ground.server.pid)) await answering(ground.server.port)
    else await ground.startAgain()
  }
} as const satisfies Record<string, Strike>

export type Fault = keyof typeof FAULTS

const ENDING_MS = 500
/** How often a server is tried, and how long (ms). */
const EVERY_MS = 20
const PATIENCE_MS = 30_000

const OURS = `SELECT pid FROM pg_stat_activity WHERE datname = '${NAME}' AND usename = 'app'`

/** Ends all connections of the program. */
const terminate = ({ server }: Ground) =>
  administrate(server, OURS.replace("SELECT pid", "SELECT pg_terminate_backend(pid)"))

const rowsOf = (result: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  typeof result === "object" && result !== null && "rows" in result && Array.isArray(result.rows)
    ? result.rows
    : []

/** The processes of a server. */
const processes = (pid: number): ReadonlyArray<number> => [
  pid,
  ...Bun.spawnSync(["ps", "-o", "pid=", "--ppid", `${pid}`])
    .stdout.toString()
    .split("\n")
    .map(Number)
    .filter((it) => it > 0)
]

const opened = async (port: number, role: string): Promise<Client | undefined> => {
  const client = new Client({
    connectionString: `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 1000
  })
  client.on("error", () => {})
  return client.connect().then(
    () => client,
    () => undefined
  )
}

/** Waits until a server takes connections. */
const answering = async (port: number): Promise<void> => {
  for (let waited = 0; waited < PATIENCE_MS; waited += EVERY_MS) {
    const client = await opened(port, "neighbour")
    if (client !== undefined) return client.end()
    await Bun.sleep(EVERY_MS)
  }
  throw new Error("Postgres does not come back")
}

/** A neighbour takes every connection that it gets, until the returned function is called. */
const crowd = async ({ server }: Ground): Promise<() => Promise<void>> => {
  const taken: Array<Client> = []
  let isOver = false
  const grab = async () => {
    while (!isOver) {
      const client = await opened(server.port, "neighbour")
      if (client === undefined) await Bun.sleep(1)
      else taken.push(client)
    }
  }
  const grabbing = Promise.all([grab(), grab()])
  for (let before = -1; before < taken.length; ) {
    before = taken.length
    await Bun.sleep(100)
  }
  return async () => {
    isOver = true
    await grabbing
    await Promise.all(taken.map((client) => client.end()))
  }
}
