// A new user with the program and an empty home folder.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Ended, PROGRAM } from "../Program.ts"
import { must, until } from "../prices/until.ts"

const PATIENCE_MS = 15_000

/** No environment variable is set except HOME. */
export class Newcomer {
  readonly home: string
  readonly port: number
  #server: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined
  #token = ""

  private constructor(home: string, port: number) {
    this.home = home
    this.port = port
  }

  static async in(folder: string): Promise<Newcomer> {
    const home = join(folder, "home")
    mkdirSync(home)
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") })
    const port = taken.port ?? 0
    await taken.stop(true)
    return new Newcomer(home, port)
  }

  /** Runs a command to its end. `env` replaces the environment. */
  async run(
    args: ReadonlyArray<string>,
    input = "",
    env: Record<string, string> = this.#env
  ): Promise<Ended> {
    const child = Bun.spawn([PROGRAM, ...args], {
      cwd: this.home,
      env,
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL"
    })
    const [exitCode, stdout, stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text()
    ])
    return { exitCode, stdout, stderr }
  }

  /** The output of a command that must succeed. */
  async said(args: ReadonlyArray<string>, input = ""): Promise<string> {
    const { exitCode, stderr, stdout } = await this.run(args, input)
    must(exitCode === 0, `${args.join(" ")} ended with ${exitCode}: ${stderr}`)
    return stdout
  }

  /** Starts the server; returns the times until it listened and until it was ready (ms). */
  async serve(): Promise<{ readonly listening: number; readonly ready: number }> {
    const began = performance.now()
    const child = Bun.spawn([PROGRAM, "serve", "--allow-private-targets"], {
      cwd: this.home,
      env: this.#env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe"
    })
    this.#server = child
    const line = `listening on http://127.0.0.1:${this.port}`
    const heard = { text: "", at: 0 }
    const hear = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder()
      for await (const bytes of stream) {
        heard.text += decoder.decode(bytes, { stream: true })
        if (heard.at === 0 && heard.text.includes(line)) heard.at = performance.now()
      }
    }
    void hear(child.stdout)
    void hear(child.stderr)
    const isReady = async () => {
      must(child.exitCode === null, `the server ended: ${heard.text.slice(-1000)}`)
      if (heard.at === 0) return false
      return (await fetch(`${this.address}/readyz`)).status === 200
    }
    await until("server that is ready", isReady, PATIENCE_MS, 5)
    return { listening: heard.at - began, ready: performance.now() - began }
  }

  /** Ends the server as systemd does; returns the time that it took (ms). */
  async stop(): Promise<number> {
    const server = this.#server
    if (server === undefined) return 0
    this.#server = undefined
    const began = performance.now()
    server.kill("SIGTERM")
    const killing = setTimeout(() => server.kill("SIGKILL"), PATIENCE_MS)
    const code = await server.exited
    clearTimeout(killing)
    must(code === 0, `the server ended with ${code}`)
    return performance.now() - began
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Signs in with a token from now on. */
  keep(token: string): void {
    this.#token = token
  }

  get headers() {
    return { authorization: `Bearer ${this.#token}` }
  }

  /** Sends a request as curl would; returns the answer's text. Fails at another status. */
  async ask(path: string, init: RequestInit = {}, status = 200): Promise<string> {
    const headers = { ...this.headers, ...Object.fromEntries(new Headers(init.headers)) }
    return posted(`${this.address}${path}`, { ...init, headers }, status)
  }

  get #env() {
    return { HOME: this.home }
  }
}

/** The text of an answer that must have this status, on a new connection because servers restart here. */
export const posted = async (url: string, init: RequestInit, status = 200): Promise<string> => {
  const response = await fetch(url, { ...init, keepalive: false, signal: AbortSignal.timeout(PATIENCE_MS) })
  const text = await response.text()
  must(response.status === status, `${new URL(url).pathname} was answered ${response.status}: ${text}`)
  return text
}
