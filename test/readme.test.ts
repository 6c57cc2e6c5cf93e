// The README's commands and quoted outputs are true.
import { afterAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { places, settingsTable } from "../scripts/settings.ts"
import { find } from "../src/cli/config/File.ts"
import { pages } from "../src/cli/program/commands.ts"
import { program } from "./lib/cli.ts"

const root = resolve(import.meta.dir, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")
const folder = mkdtempSync(join(tmpdir(), "signalbox-readme-"))
const cleanups: Array<() => void> = []
afterAll(() => {
  for (const cleanup of cleanups) cleanup()
  rmSync(folder, { recursive: true, force: true })
})

const blocks = (language: string): ReadonlyArray<string> =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text
  )

/** A program of that name on the PATH of the README's commands. */
const shim = (name: string, script: string) => {
  mkdirSync(join(folder, "bin"), { recursive: true })
  writeFileSync(join(folder, "bin", name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 })
}

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts

test("every command of the README works as it stands there, in its sequence", async () => {
  const command = program.map((word) => `"${word}"`).join(" ")
  shim("signalbox", `exec ${command} "$@"`)
  // Of the set-up commands only the demo is run here: check would run this very test, and build has a step in CI.
  shim("npx", `[ "$1 $2 $3" = "-y bun@${Bun.version} run" ] && [ "$4" = demo ] && exec ${command} demo; true`)
  const port = freePort()
  const env = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    HOME: folder,
    SIGNALBOX_DB: join(folder, "signalbox.db"),
    SIGNALBOX_PORT: String(port),
    SIGNALBOX_CRUD_RATE: "0"
  }
  const shell = blocks("sh").flatMap((block) => {
    const named = block.match(/bun@\S+ run (\w+)/)?.[1]
    if (named !== undefined) expect(scripts[named]).toBeDefined()
    if (block.trim() !== "signalbox serve") return [block.replaceAll(":8080", `:${port}`)]
    return [
      `signalbox serve & SERVER=$!\nuntil command curl -sf http://127.0.0.1:${port}/readyz >/dev/null; do sleep 0.05; done\n`
    ]
  })
  const script = `set -e\ntrap 'kill $SERVER; wait $SERVER' EXIT\ncurl() { command curl --fail-with-body "$@"; echo; }\n${shell.join("\n")}`
  const child = Bun.spawn(["bash", "-c", script], { cwd: folder, env, stdout: "pipe", stderr: "pipe" })
  cleanups.push(() => child.kill())
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect({ code: await child.exited, err: err.slice(-2000), out: out.slice(-300) }).toMatchObject({ code: 0 })
  expect(out).toContain("Strategy 3: Both ways, trailing")
  expect(out).toContain('"name":"My signal"')
  expect(out).toContain('"strategy_id":1')
  expect(out.match(/"type":"success"/g)).toHaveLength(2)
  expect(out).toContain("take_profit")
}, 60_000)

test("the ten lines for embedders run and trade", async () => {
  const [code = ""] = blocks("ts")
  const file = join(root, "test", `readme-embedding-${process.pid}.ts`)
  writeFileSync(file, code.replace('"signalbox"', '"../src/index.ts"'))
  cleanups.push(() => rmSync(file, { force: true }))
  const child = Bun.spawn([process.execPath, file], { stdout: "pipe", stderr: "pipe" })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect({ code: await child.exited, err }).toEqual({ code: 0, err: "" })
  expect(out).toContain("trade_count: 1")
})

test("one page has the table of all settings as `bun run settings` writes it", () => {
  const [place, ...others] = places()
  expect([place?.file, others]).toEqual([expect.any(String), []])
  expect(place?.text).toBe(`\n${settingsTable()}\n\n`)
})

test("every command is described, and the configuration file shown is accepted", async () => {
  for (const { path } of await pages()) expect(readme).toContain(`signalbox ${path}`)
  const files = blocks("toml")
  expect(files.length).toBeGreaterThan(0)
  for (const [index, text] of files.entries()) {
    const file = join(folder, `${index}.toml`)
    writeFileSync(file, text)
    expect(Option.isSome(await Effect.runPromise(find(Option.some(file))))).toBe(true)
  }
})

test("the JSON shown for alerts is JSON", () => {
  for (const block of blocks("json")) expect(() => JSON.parse(block)).not.toThrow()
})

const freePort = (): number => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("") })
  const { port } = server
  server.stop(true)
  return port ?? 0
}
