// The compiled program as a server for benches.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { strategyRequest } from "../../src/testing/Fixtures.ts"

export const binary = resolve(import.meta.dir, "../../dist/signalbox")
export const isBuilt = (): boolean => existsSync(binary)

/** A new token of the account `bench`; `where` names the database to the program. */
export const token = async (where: ReadonlyArray<string>, scope: string): Promise<string> => {
  const made = Bun.spawn([
    binary,
    "token",
    "create",
    "--account",
    "bench",
    "--scope",
    scope,
    "--json",
    ...where
  ])
  const text: unknown = JSON.parse(await new Response(made.stdout).text()).token
  if (typeof text !== "string") throw new Error("no token was made")
  return text
}

/** A new signal, which other accounts may follow if it is public; its id. */
export const createSignal = async (port: number, token: string, isPublic = false): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/signals`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ name: "bench", description: "", active: "1", public: isPublic ? "1" : "0" })
  })
  const signal: unknown = await response.json()
  return typeof signal === "object" && signal !== null && "id" in signal ? Number(signal.id) : 0
}

/** A new strategy that follows a signal, with the defaults of a request; its id. */
export const createStrategy = async (port: number, token: string, signal: number): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/strategies`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...strategyRequest(), signal_id: signal })
  })
  const strategy: unknown = await response.json()
  if (response.status !== 201) throw new Error(`no strategy was made: ${JSON.stringify(strategy)}`)
  return typeof strategy === "object" && strategy !== null && "strategy_id" in strategy
    ? Number(strategy.strategy_id)
    : 0
}

/** Serves without prices and limits; `where` names the database to the program. */
export const serve = (where: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  start(
    [binary, "serve", "--port", "0", "--prices", "none", "--alert-rate", "0", "--crud-rate", "0", ...where],
    (line) => Number(/listening on http:\/\/[^ ]+:(\d+)/.exec(line)?.[1]),
    env
  )

/** Starts a server and waits for the line that names its port. */
export const start = async (
  command: ReadonlyArray<string>,
  portIn: (line: string) => number,
  env: Readonly<Record<string, string>> = {}
) => {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe", env: { ...process.env, ...env } })
  const ended = child.exited.then((code): never => {
    throw new Error(`${command[0]} ended with ${code} before it said its port`)
  })
  const port = await Promise.race([firstPort(child.stdout, portIn), firstPort(child.stderr, portIn), ended])
  const stop = async () => {
    child.kill("SIGTERM")
    await child.exited
  }
  return { port, pid: child.pid, stop }
}

const firstPort = async (
  stream: ReadableStream<Uint8Array>,
  portIn: (line: string) => number
): Promise<number> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const port = text
      .split("\n")
      .map(portIn)
      .find((port) => port > 0)
    if (port !== undefined) return port
  }
  return new Promise(() => {})
}
