// What the README and the guide show is true: their commands run, their JSON and settings are understood, and what the
// code lists they explain.
import { afterAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { doors } from "../scripts/api/doors.ts"
import { places, settingsTable } from "../scripts/settings.ts"
import { CODES } from "../src/api/shared/Codes.ts"
import { find } from "../src/cli/config/File.ts"
import { pages } from "../src/cli/program/commands.ts"
import { ACTED, IGNORED } from "../src/domain/Alert.ts"
import { KINDS } from "../src/domain/Event.ts"
import { EXIT_REASONS } from "../src/domain/Order.ts"
import { parseCreate } from "../src/domain/requests/StrategyRequest.ts"
import { rows } from "../src/domain/requests/StrategyView.ts"
import { program } from "./lib/cli.ts"
import { blocks, inOrder, named } from "./lib/pages.ts"

const root = resolve(import.meta.dir, "..")
const read = (path: string) => ({ path, text: readFileSync(join(root, path), "utf8") })
const README = read("README.md")
const GUIDE = inOrder(
  readdirSync(join(root, "src/guide"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => read(`src/guide/${name}`)),
  "src/guide/index.md"
)
const ALL = [README, ...GUIDE]
const page = (name: string): string => GUIDE.find(({ path }) => path === `src/guide/${name}.md`)?.text ?? ""
const folder = mkdtempSync(join(tmpdir(), "signalbox-readme-"))
const cleanups: Array<() => void> = []
afterAll(() => {
  for (const cleanup of cleanups) cleanup()
  rmSync(folder, { recursive: true, force: true })
})

/** A program of that name on the PATH of the pages' commands. */
const shim = (name: string, script: string) => {
  mkdirSync(join(folder, "bin"), { recursive: true })
  writeFileSync(join(folder, "bin", name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 })
}

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts

const command = program.map((word) => `"${word}"`).join(" ")

/** The pages' comparison is of a month in which their strategy was at work: here that is the present one. */
const inThisMonth = (block: string): string => {
  const today = new Date().toISOString().slice(0, 10)
  return block.replace("--from 2026-11-01 --to 2026-11-30", `--from ${today.slice(0, 7)}-01 --to ${today}`)
}

/** Runs all commands of these pages in one shell, in sequence, and gives what they print. */
const run = async (name: string, shown: ReadonlyArray<{ readonly text: string }>) => {
  shim("signalbox", `exec ${command} "$@"`)
  // Of the set-up commands only the demo is run here: check would run this very test, and build has a step in CI.
  shim("npx", `[ "$1 $2 $3" = "-y bun@${Bun.version} run" ] && [ "$4" = demo ] && exec ${command} demo; true`)
  const home = join(folder, name)
  mkdirSync(home)
  const port = freePort()
  const env = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    HOME: home,
    SIGNALBOX_DB: join(home, "signalbox.db"),
    SIGNALBOX_PORT: String(port),
    SIGNALBOX_CRUD_RATE: "0"
  }
  const shell = shown
    .flatMap(({ text }) => blocks(text, "sh"))
    .flatMap((block) => {
      for (const [, named = ""] of block.matchAll(/bun@\S+ run (\w+)/g)) expect(scripts[named]).toBeDefined()
      if (block.trim() !== "signalbox serve") return [inThisMonth(block).replaceAll(":8080", `:${port}`)]
      return [
        `signalbox serve & SERVER=$!\nuntil command curl -sf http://127.0.0.1:${port}/readyz >/dev/null; do sleep 0.05; done\n`
      ]
    })
  const script = `set -e\ntrap 'echo "FAILED: $BASH_COMMAND" >&2' ERR\ntrap 'kill $SERVER; wait $SERVER' EXIT\ncurl() { command curl --fail-with-body "$@"; echo; }\n${shell.join("\n")}`
  const child = Bun.spawn(["bash", "-c", script], { cwd: home, env, stdout: "pipe", stderr: "pipe" })
  cleanups.push(() => child.kill())
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const [stopped = ""] = /^FAILED: [\s\S]*/m.exec(err) ?? []
  expect({ code: await child.exited, stopped, err: err.slice(-2000), out: out.slice(-300) }).toMatchObject({
    code: 0,
    stopped: ""
  })
  return out
}

test("every command of the README works as it stands there, in its sequence", async () => {
  const out = await run("readme", [README])
  expect(out).toContain("Strategy 3: Both ways, trailing")
  expect(out).toContain('"name":"My signal"')
  expect(out).toContain('"strategy_id":1')
  expect(out.match(/"type":"success"/g)).toHaveLength(1)
  expect(out).toContain("{{strategy.market_position}}")
  expect(out).toContain("crossunder(sma(close, fast), sma(close, slow))")
}, 60_000)

test("every command of the guide works as it stands there, in the sequence of its contents", async () => {
  // This page sets up a whole machine: test/guide/server.test.ts runs it.
  const out = await run(
    "guide",
    GUIDE.filter(({ path }) => path !== "src/guide/server.md")
  )
  expect(out).toContain('"name":"My signal"')
  expect(out).toContain('"strategy_id":1')
  expect(out.match(/"type":"success"/g)).toHaveLength(2)
  expect(out).toContain("take_profit")
}, 180_000)

test.each(
  ALL.flatMap(({ path, text }) => blocks(text, "ts").map((code, index) => [path, index, code] as const))
)("the program %s %i for embedders runs", async (path, index, code) => {
  const file = join(root, "test", `page-${process.pid}-${path.replaceAll("/", "-")}-${index}.ts`)
  // From within the package its own name leads through its doors.
  writeFileSync(file, code)
  cleanups.push(() => rmSync(file, { force: true }))
  const child = Bun.spawn([process.execPath, file], { stdout: "pipe", stderr: "pipe" })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect({ code: await child.exited, err }).toEqual({ code: 0, err: "" })
  if (code.includes("performance.summary")) expect(out).toContain("trade_count: 1")
  if (code.includes("TestClock.adjust")) expect(out).toContain("no_price after 10000 ms")
})

test("the README's program is the guide's first", () => {
  expect(blocks(README.text, "ts")).toEqual(blocks(page("embedding"), "ts").slice(0, 1))
})

test("the page on embedding names every door of the package, and every folder that is shut", () => {
  const { exports }: { readonly exports: Readonly<Record<string, string | null>> } = JSON.parse(
    read("package.json").text
  )
  const [, doors = ""] = page("embedding").split("## Doors")
  const [section = ""] = doors.split("\n## ")
  const shown = new Set([...section.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name))
  const names = Object.entries(exports).map(([door, file]) =>
    file === null ? door.slice(2).replace(/\/\*$/, "") : `signalbox${door.slice(1)}`
  )
  expect(names.filter((name) => !shown.has(name))).toEqual([])
  const shut = [...shown].filter((name) => /^(domain|trading|services)\//.test(name))
  expect(shut.filter((name) => !names.includes(name))).toEqual([])
})

test("the page on embedding names every service that a program may ask for, with its door", () => {
  const front = readFileSync(join(root, "src/index.ts"), "utf8")
  const declared = (file: string) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /^export class (\w+) extends Context\.(?:Tag|Reference)\b/gm
      )
    ].map(([, service = ""]) => service)
  // A service of a shut folder, like `Decisions`, may have the front door alone.
  const atFront = [...front.matchAll(/^export \{ (.+) \} from "\.\/(.+)"/gm)].flatMap(
    ([, names = "", file = ""]) => declared(`src/${file}`).filter((it) => names.split(", ").includes(it))
  )
  const services = [
    ...atFront.map((service) => `| \`${service}\` | \`signalbox\` |`),
    ...doors().flatMap(({ file, name }) =>
      declared(file)
        .filter((service) => !atFront.includes(service))
        .map((service) => `| \`${service}\` | \`${name}\` |`)
    )
  ]
  const [, section = ""] = page("embedding").split("### Services\n")
  const told = section.split("\n## ")[0]?.match(/^\| `\w+` \| `[^`]+` \|/gm) ?? []
  expect(services.length).toBeGreaterThan(40)
  expect([...told].sort()).toEqual([...new Set(services)].sort())
})

test("one page has the table of all settings as `bun run settings` writes it", () => {
  const [place, ...others] = places()
  expect([place?.file, others]).toEqual(["src/guide/running.md", []])
  expect(place?.text).toBe(`\n${settingsTable()}\n\n`)
})

test("every command is described, and the configuration file shown is accepted", async () => {
  for (const { path } of await pages()) expect(page("commands")).toContain(`signalbox ${path}`)
  const files = ALL.flatMap(({ text }) => blocks(text, "toml"))
  expect(files.length).toBeGreaterThan(0)
  for (const [index, text] of files.entries()) {
    const file = join(folder, `${index}.toml`)
    writeFileSync(file, text)
    expect(Option.isSome(await Effect.runPromise(find(Option.some(file))))).toBe(true)
  }
})

test("the JSON that is shown is JSON", () => {
  for (const { text } of ALL)
    for (const block of blocks(text, "json")) expect(() => JSON.parse(block)).not.toThrow()
})

test("the settings that are shown are a strategy's", () => {
  const [whole = "{}", ...parts] = blocks(page("bots"), "json")
  for (const part of ["{}", ...parts]) {
    const read = parseCreate({ ...JSON.parse(whole), ...JSON.parse(part) })
    expect([part, Either.isLeft(read) ? read.left : []]).toEqual([part, []])
    const known = new Set(rows.map(({ request }) => request))
    expect(Object.keys(JSON.parse(part)).filter((name) => !known.has(name))).toEqual([])
  }
})

const explained: ReadonlyArray<readonly [what: string, page: string, names: ReadonlyArray<string>]> = [
  ["setting of a strategy", "bots", rows.map(({ request }) => request)],
  ["reason of an outcome", "reasons", [...ACTED, ...IGNORED]],
  ["code of an error", "errors", CODES]
]
test.each(explained)("every %s has a heading in %s, and nothing else has", (_, name, names) => {
  expect([...named(page(name))].sort()).toEqual([...names].sort())
})

test("where answers name a setting otherwise, its heading says so", () => {
  const sections = page("bots").split(/^### /m)
  for (const { model, request } of rows) {
    if (model === request) continue
    const section = sections.find((text) => text.startsWith(`\`${request}\``)) ?? ""
    expect(section).toContain(`nswered as \`${model}\``)
  }
})

test("every kind of event, and every reason of a closed trade, has its row", () => {
  const rowsOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| `"))
  const first = (text: string) => rowsOf(text).map((line) => line.split(" | ")[0] ?? "")
  for (const kind of Object.keys(KINDS)) expect(first(page("notifications"))).toContain(`| \`${kind}\``)
  for (const reason of EXIT_REASONS) expect(first(page("reasons")).join()).toContain(`\`${reason}\``)
})

test("rules are numbered without gaps, and who cites one finds it", async () => {
  const numbers = [...page("rules").matchAll(/^- \*\*(\d+)\.(\d+)\*\*/gm)].map(([, ...parts]) =>
    parts.map(Number)
  )
  for (const [index, [section = 0, rule = 0]] of numbers.entries()) {
    const [before = 0, last = 0] = numbers[index - 1] ?? []
    expect([section, rule]).toEqual(section === before ? [section, last + 1] : [before + 1, 1])
  }
  const known = new Set(numbers.map((parts) => parts.join(".")))
  for await (const file of new Bun.Glob("{src,test}/**/*.{ts,tsx,md}").scan(root)) {
    for (const [, cited = ""] of read(file).text.matchAll(/\brules? (\d+\.\d+)/g))
      expect([file, cited, known.has(cited)]).toEqual([file, cited, true])
  }
})

const freePort = (): number => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("") })
  const { port } = server
  server.stop(true)
  return port ?? 0
}
