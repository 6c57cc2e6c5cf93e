// Runs other programs, from the root of the repo.
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

export const root = resolve(import.meta.dir, "..")
export const path = (name: string) => resolve(root, name)

/** The pinned Bun: the one that runs us if it is that version, else the one in node_modules. */
export const bun = (): string => {
  const pinned: unknown = JSON.parse(readFileSync(path("package.json"), "utf8")).devDependencies.bun
  return Bun.version === pinned ? process.execPath : path("node_modules/.bin/bun")
}

export interface Result {
  readonly code: number
  /** What it printed, and of that what went to standard error. */
  readonly output: string
  readonly errors: string
  readonly seconds: string
}

/** Runs a program and returns its output; with `echo`, prints it too. `more` is added to its environment. */
export const capture = async (
  command: ReadonlyArray<string>,
  echo = false,
  more: Readonly<Record<string, string>> = {}
): Promise<Result> => {
  const started = performance.now()
  const env = { ...process.env, ...more }
  const child = Bun.spawn([...command], { cwd: root, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  let output = ""
  const drain = async (from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream) => {
    const decoder = new TextDecoder()
    let own = ""
    for await (const bytes of from) {
      const text = decoder.decode(bytes, { stream: true })
      output += text
      own += text
      if (echo) to.write(text)
    }
    return own
  }
  const drained = [drain(child.stdout, process.stdout), drain(child.stderr, process.stderr)]
  const [, errors = ""] = await Promise.all(drained)
  return { code: await child.exited, output, errors, seconds: since(started) }
}

/** Runs a program on our terminal; returns its exit code. */
export const interactive = async (command: ReadonlyArray<string>): Promise<number> => {
  const child = Bun.spawn([...command], { cwd: root, stdio: ["inherit", "inherit", "inherit"] })
  // A terminal sends Ctrl-C to the child as well, so only wait for it. SIGTERM reaches only us.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => child.kill("SIGTERM"))
  return await child.exited
}

export const since = (started: number): string => `${((performance.now() - started) / 1000).toFixed(1)} s`

export const report = (name: string, text: string, seconds = "") =>
  console.log(`${name.padEnd(8)} ${text}${seconds === "" ? "" : `, ${seconds}`}`)
