// The built program in an empty folder of its own: start it, talk to it, end it.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onPostgres } from "../test/lib/postgres/Runner.ts"
import { path } from "./command.ts"

const START_MS = 20_000
const STOP_MS = 15_000
const REQUEST_MS = 5000

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

export class Binary {
  readonly folder = mkdtempSync(join(tmpdir(), "signalbox-smoke-"))
  readonly program = join(this.folder, "signalbox")
  readonly db = join(this.folder, "x.db")
  /** The servers' output so far. */
  printed = ""
  private readonly servers: Array<Server> = []

  constructor() {
    const built = path("dist/signalbox")
    if (!existsSync(built)) throw new Error("dist/signalbox is missing: run `bun run build` first")
    copyFileSync(built, this.program)
  }

  get options() {
    return {
      cwd: this.folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: this.folder, LANG: "C.UTF-8" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe"
    } as const
  }

  /** Runs a command to its end. */
  plain(...args: ReadonlyArray<string>) {
    const { exitCode, stdout, stderr } = Bun.spawnSync([this.program, ...onPostgres(args)], this.options)
    return { exitCode, body: parsed(stdout.toString()), stderr: stderr.toString() }
  }

  /** The same, with the database's path added. */
  run(...args: ReadonlyArray<string>) {
    return this.plain(...args, "--db", this.db)
  }

  serve(): Server {
    const port = freePort()
    const args = ["serve", "--port", `${port}`, "--db", this.db, "--prices", "none"]
    const child = Bun.spawn([this.program, ...onPostgres(args)], this.options)
    const read = async (stream: ReadableStream<Uint8Array>) => {
      for await (const bytes of stream) this.printed += new TextDecoder().decode(bytes)
    }
    const drained = Promise.all([read(child.stdout), read(child.stderr)])
    const server = new Server(child, drained, `http://127.0.0.1:${port}`)
    this.servers.push(server)
    return server
  }

  async remove() {
    for (const server of this.servers) await server.stop("SIGKILL")
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export class Server {
  readonly base: string
  private readonly child: Bun.Subprocess
  private readonly drained: Promise<unknown>

  constructor(child: Bun.Subprocess, drained: Promise<unknown>, base: string) {
    this.child = child
    this.drained = drained
    this.base = base
  }

  /** The status of a route, polled until it is 200, the time is up, or the server is gone. */
  async becomes200(route: string): Promise<number | string> {
    let status: number | string = "no answer"
    for (const end = performance.now() + START_MS; performance.now() < end; await Bun.sleep(50)) {
      if (this.child.exitCode !== null) return `exited with ${this.child.exitCode}`
      status = await fetch(this.base + route).then(
        (response) => response.status,
        () => "no answer"
      )
      if (status === 200) break
    }
    return status
  }

  async call(route: string, init: RequestInit = {}): Promise<Answer> {
    const url = new URL(route, this.base)
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_MS) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  /** The exit code; a server that does not end in time is killed. */
  async stop(signal?: NodeJS.Signals): Promise<number | string> {
    if (signal !== undefined) this.child.kill(signal)
    const code = await Promise.race([this.child.exited, Bun.sleep(STOP_MS).then(() => "still running")])
    this.child.kill("SIGKILL")
    await Promise.all([this.child.exited, this.drained])
    return code
  }
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const freePort = () => {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const port = probe.port ?? 0
  probe.stop(true)
  return port
}
