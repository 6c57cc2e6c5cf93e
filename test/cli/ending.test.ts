import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "../lib/cli.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-ending-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sends a signal once the output tells that the command is at work. */
const stopped = async (signal: "SIGINT" | "SIGTERM", sign: string, ...args: ReadonlyArray<string>) => {
  const child = start(...args)
  const seen = async (stream: ReadableStream<Uint8Array>) => {
    let text = ""
    for await (const chunk of stream) {
      text += new TextDecoder().decode(chunk)
      if (text.includes(sign)) child.kill(signal)
    }
  }
  await Promise.all([seen(child.stdout), seen(child.stderr)])
  return child.exited
}

test("a server that is told to stop has done its work; a command has not", async () => {
  const serve = ["serve", "--port", "0", "--db", join(folder, "x.db")]
  expect(await stopped("SIGTERM", "listening on", ...serve)).toBe(0)
  expect(await stopped("SIGINT", "listening on", ...serve)).toBe(0)
  expect(await stopped("SIGINT", "Replaying", "demo")).toBe(130)
  expect(await stopped("SIGTERM", "Replaying", "demo")).toBe(143)
}, 60_000)
