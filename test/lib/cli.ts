// The program as a process of its own: from its sources, or the built one where its path is given.
import { resolve } from "node:path"

const built = process.env["TESTED_PROGRAM"]

/** What comes before the words of a command. */
export const program: ReadonlyArray<string> =
  built === undefined ? [process.execPath, resolve(import.meta.dir, "../../src/main.ts")] : [built]

export interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

// The configuration file of whoever runs the tests is none of theirs, and no master key is made anywhere unasked.
const environment = { ...process.env, XDG_CONFIG_HOME: "/dev/null/nowhere" }

export const start = (...args: ReadonlyArray<string>) => startWith({}, ...args)

const startWith = (more: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  Bun.spawn([...program, ...args], {
    env: { ...environment, ...more },
    stdout: "pipe",
    stderr: "pipe"
  })

export const signalbox = (...args: ReadonlyArray<string>): Promise<Ended> => signalboxWith({}, ...args)

/** With more in its environment. */
export const signalboxWith = async (
  more: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Promise<Ended> => {
  return ended(startWith(more, ...args))
}

/** Waits for the end of a program: its exit code and all that it printed. */
export const ended = async (child: Bun.Subprocess<Bun.Spawn.Writable, "pipe", "pipe">): Promise<Ended> => {
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { code, out, error }
}

/** The command, told this by its standard input. */
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

/** Where the server says that it listens. */
export const listening = async (stderr: ReadableStream<Uint8Array>): Promise<string> => {
  let text = ""
  for await (const chunk of stderr) {
    text += new TextDecoder().decode(chunk)
    const found = /listening on (http:\/\/[^,]+),/.exec(text)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`the server did not start: ${text}`)
}
