// Runs the program as a process of its own: from its sources, or the built binary if its path is given.
import { resolve } from "node:path"

const built = process.env["TESTED_PROGRAM"]

/** The program's part of the command line. */
export const program: ReadonlyArray<string> =
  built === undefined ? [process.execPath, resolve(import.meta.dir, "../../src/main.ts")] : [built]

export interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

// Hide the configuration and master key of the person who runs the tests.
const environment = { ...process.env, XDG_CONFIG_HOME: "/dev/null/nowhere" }

export const start = (...args: ReadonlyArray<string>) => startWith({}, ...args)

const startWith = (more: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  Bun.spawn([...program, ...args], {
    env: { ...environment, ...more },
    stdout: "pipe",
    stderr: "pipe"
  })

export const signalbox = (...args: ReadonlyArray<string>): Promise<Ended> => signalboxWith({}, ...args)

/** Runs it with more variables in its environment. */
export const signalboxWith = async (
  more: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Promise<Ended> => {
  return ended(startWith(more, ...args))
}

/** Waits for a process: its exit code and its output. */
export const ended = async (child: Bun.Subprocess<Bun.Spawn.Writable, "pipe", "pipe">): Promise<Ended> => {
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { code, out, error }
}

/** Runs the command with this standard input. */
export const told = async (
  more: Readonly<Record<string, string>>,
  input: string,
  ...args: ReadonlyArray<string>
): Promise<Ended> =>
  ended(
    Bun.spawn([...program, ...args], {
      env: { ...environment, ...more },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe"
    })
  )

/** Waits for the address that the server prints. */
export const listening = async (stderr: ReadableStream<Uint8Array>): Promise<string> => {
  let text = ""
  for await (const chunk of stderr) {
    text += new TextDecoder().decode(chunk)
    const found = /listening on (http:\/\/[^,]+),/.exec(text)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`the server did not start: ${text}`)
}
