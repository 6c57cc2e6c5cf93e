// Runs the compiled program: commands to their end, and servers.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { addressOf, onPostgres } from "../lib/postgres/Runner.ts"

export const PROGRAM = resolve(import.meta.dir, "../../dist/signalbox")

/** Uses a folder that is removed afterwards, on a disk: `SIGNALBOX_BENCH_DIR` replaces the temporary folder. */
export const inFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-reliability-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Hides the configuration and master key of the person who runs the suites. */
const HOUSE = mkdtempSync(join(tmpdir(), "signalbox-home-"))
process.on("exit", () => rmSync(HOUSE, { recursive: true, force: true }))

/** A finished command. */
export interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Options before the command: `--log-level all`. */
  readonly ahead?: ReadonlyArray<string>
  /** The server's port; by default a free one. */
  readonly port?: number
  /** Standard input; by default empty. */
  readonly input?: string
  /** Another build of the program, for a server. */
  readonly program?: string | undefined
  /** Kills the process if it has not ended by then. */
  readonly signal?: AbortSignal
}

const within = ({ cwd = ".", env, signal }: Surroundings, args: ReadonlyArray<string>) => ({
  cwd,
  env: { ...process.env, HOME: HOUSE, ...candlesOf(args), ...env },
  ...(signal === undefined ? {} : { signal, killSignal: "SIGKILL" as const })
})

/**
 * Candles are files wherever the rows are: those of a database on Postgres lie in the data folder, which is here the folder
 * of the file that the database stands for.
 */
const candlesOf = (args: ReadonlyArray<string>) => {
  const place = args.indexOf("--db")
  const db = place < 0 ? undefined : args[place + 1]
  const address = db === undefined ? undefined : addressOf(db)
  if (db === undefined || address === undefined || address === db) return {}
  const folder = resolve(dirname(db))
  const home = join(HOUSE, "data", Bun.hash(folder).toString(16))
  mkdirSync(home, { recursive: true })
  const link = join(home, "signalbox")
  if (!existsSync(link)) symlinkSync(folder, link)
  return { XDG_DATA_HOME: home }
}

/** Runs a command to its end. */
export const command = async (
  args: ReadonlyArray<string>,
  surroundings: Surroundings = {}
): Promise<Ended> => {
  const child = Bun.spawn([PROGRAM, ...onPostgres(args)], {
    ...within(surroundings, args),
    ...(surroundings.input === undefined ? {} : { stdin: new TextEncoder().encode(surroundings.input) }),
    stdout: "pipe",
    stderr: "pipe"
  })
  const [exitCode, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { exitCode, stdout, stderr }
}

export const token = async (db: string, account: string, scope: "full" | "alerts"): Promise<string> => {
  const made = await command([
    "token",
    "create",
    "--account",
    account,
    "--scope",
    scope,
    "--json",
    "--db",
    db
  ])
  const { token }: { readonly token?: unknown } = JSON.parse(made.stdout)
  if (typeof token !== "string") throw new Error(`no token was made: ${made.stderr}`)
  return token
}

/** A server of the compiled program. */
export class Served {
  readonly port: number
  readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">
  private readonly heard: { readonly text: string }

  private constructor(port: number, child: Served["child"], heard: { readonly text: string }) {
    this.port = port
    this.child = child
    this.heard = heard
  }

  /** Its output on both streams. */
  get printed(): string {
    return this.heard.text
  }

  /** Starts a server on a free port and waits for its address. Fails with its output if it ends first. */
  static start(
    db: string,
    args: ReadonlyArray<string> = [],
    surroundings: Surroundings = {}
  ): Promise<Served> {
    return Served.launch(db, args, surroundings).listening
  }

  /** Starts a process; the server follows once it listens. */
  static launch(
    db: string,
    args: ReadonlyArray<string> = [],
    surroundings: Surroundings = {}
  ): { readonly child: Served["child"]; readonly listening: Promise<Served> } {
    const { ahead = [], port = 0, program = PROGRAM } = surroundings
    const all = [...ahead, "serve", "--port", `${port}`, "--db", db, ...args]
    const child = Bun.spawn([program, ...onPostgres(all)], {
      ...within(surroundings, all),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe"
    })
    const heard = { text: "" }
    const listeners = new Set<() => void>()
    const hear = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder()
      for await (const bytes of stream) {
        heard.text += decoder.decode(bytes, { stream: true })
        for (const listener of listeners) listener()
      }
    }
    const over = Promise.all([hear(child.stdout), hear(child.stderr)])
    const listening = new Promise<Served>((resolve, reject) => {
      const look = () => {
        const found = Number(/listening on http:\/\/[^ ]+:(\d+)/.exec(heard.text)?.[1])
        if (found > 0) resolve(new Served(found, child, heard))
        if (found > 0) listeners.clear()
      }
      listeners.add(look)
      void over.then(() => reject(new Error(`the server ended: ${heard.text.slice(-2000)}`)))
    })
    return { child, listening }
  }

  /** Waits until /readyz answers 200; the time since the process began (ms), if `began` is given. */
  async ready(began = 0): Promise<number> {
    for (;;) {
      const status = await this.fetch("/readyz").then(
        (response) => response.status,
        () => 0
      )
      if (status === 200) return performance.now() - began
      if (this.child.exitCode !== null) throw new Error(`the server ended: ${this.printed.slice(-2000)}`)
      await Bun.sleep(5)
    }
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  /**
   * A changing request uses a connection of its own: the server may close an idle one just as it is reused, and only
   * a GET is retried then.
   */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url(path), { keepalive: (init.method ?? "GET") === "GET", ...init })
  }

  /** Ends it; returns its exit code. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number> {
    this.child.kill(signal)
    return this.child.exited
  }
}
