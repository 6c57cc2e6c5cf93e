// A Postgres server with few connections on a small disk of its own, and a way to it that can fall silent.
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { administrate } from "../../lib/postgres/Database.ts"
import * as Proxy from "../../lib/postgres/Proxy.ts"
import { type Server, standby, start, startAgain, stop } from "../../lib/postgres/Server.ts"

const DISK_BYTES = 768 * 2 ** 20
const WRITE_BYTES = 2 ** 16
const CONNECTIONS = 40
/** How often a standby is looked at, and how long (ms). */
const EVERY_MS = 20
const PATIENCE_MS = 20_000
/** The name of the database. */
export const NAME = "storm"
/** Must be seen nowhere. */
export const PASSWORD = `pa55-${crypto.randomUUID()}`

export class Ground {
  server: Server
  readonly proxy: Awaited<ReturnType<typeof Proxy.make>>
  /** Why the disk cannot be filled; undefined where it can. */
  readonly noDisk: string | undefined
  private readonly disk: string

  private constructor(
    server: Server,
    proxy: Awaited<ReturnType<typeof Proxy.make>>,
    disk: string,
    noDisk: string | undefined
  ) {
    this.server = server
    this.proxy = proxy
    this.disk = disk
    this.noDisk = noDisk
  }

  /** Makes the disk, where this machine lets us, the server and the database. */
  static async make(folder: string): Promise<Ground> {
    const disk = join(folder, "disk")
    mkdirSync(disk)
    // The server runs as another user.
    chmodSync(folder, 0o755)
    const mount = ["mount", "-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=777`, "tmpfs", disk]
    const mounted = Bun.spawnSync(mount)
    if (!mounted.success) chmodSync(disk, 0o777)
    const server = await start({ durable: true, parent: disk, connections: CONNECTIONS })
    // Limits and read-only modes do not hold for an administrator.
    for (const role of ["app", "neighbour"])
      await administrate(server, `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`)
    await administrate(server, `CREATE DATABASE ${NAME} OWNER app`)
    const proxy = await Proxy.make(server.port)
    return new Ground(server, proxy, disk, mounted.success ? undefined : mounted.stderr.toString().trim())
  }

  /** The address for the program, through the proxy. */
  get url(): string {
    return this.urlAt(this.proxy.port)
  }

  /** The address for whoever looks at the rows. */
  get direct(): string {
    return this.urlAt(this.server.port)
  }

  private urlAt(port: number): string {
    return `postgres://app:${PASSWORD}@127.0.0.1:${port}/${NAME}`
  }

  async stop(): Promise<void> {
    await stop(this.server)
  }

  async startAgain(): Promise<void> {
    this.server = await startAgain(this.server)
  }

  /** The server's machine is lost, and a standby that had every commit takes its place. */
  async promote(): Promise<void> {
    const before = this.server
    const next = await standby(before)
    await administrate(before, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await administrate(before, "SELECT pg_reload_conf()")
    for (let waited = 0; !(await isFollowed(before)); waited += EVERY_MS) {
      if (waited > PATIENCE_MS) throw new Error("the standby does not follow its server")
      await Bun.sleep(EVERY_MS)
    }
    await this.stop()
    await administrate(next, "SELECT pg_promote()")
    this.proxy.lead(next.port)
    this.server = next
    rmSync(join(before.folder, "data"), { recursive: true })
  }

  /** Fills the disk to the last page, while Postgres writes to it as well. */
  fill(): void {
    const filler = openSync(join(this.disk, "filler"), "w")
    const pages = Buffer.alloc(WRITE_BYTES, 1)
    try {
      while (writeSync(filler, pages) > 0);
    } catch {
      // It is full.
    } finally {
      closeSync(filler)
    }
  }

  makeRoom(): void {
    rmSync(join(this.disk, "filler"), { force: true })
  }

  async close(): Promise<void> {
    this.proxy.close()
    await this.stop()
    if (this.noDisk === undefined) Bun.spawnSync(["umount", "--lazy", this.disk])
  }
}

/** Whether every commit of a server waits for its standby. */
const isFollowed = async (server: Server): Promise<boolean> => {
  const found = await administrate(server, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
  return typeof found === "object" && found !== null && "rowCount" in found && found.rowCount === 1
}
