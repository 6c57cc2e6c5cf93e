// The program from its sources, as a process of its own.
import { resolve } from "node:path"

const main = resolve(import.meta.dir, "../../src/main.ts")

export interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

export const start = (...args: ReadonlyArray<string>) =>
  Bun.spawn([process.execPath, main, ...args], { stdout: "pipe", stderr: "pipe" })

export const signalbox = async (...args: ReadonlyArray<string>): Promise<Ended> => {
  const child = start(...args)
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { code, out, error }
}
