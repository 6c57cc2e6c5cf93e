// Help: every command, option and example is described, and fits a terminal.
import { expect, test } from "bun:test"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isColourful } from "../../src/cli/program/colours.ts"
import { COMMANDS, pages } from "../../src/cli/program/commands.ts"
import { EXAMPLES } from "../../src/cli/program/help/examples.ts"
import type { Page } from "../../src/cli/program/help/Page.ts"
import { render } from "../../src/cli/program/help/render.ts"
import { pageFor } from "../../src/cli/program/help.ts"
import { signalbox } from "../lib/cli.ts"

const ROOT = resolve(import.meta.dir, "../..")
const top = await pages()
const all: ReadonlyArray<Page> = top.flatMap((page) => [page, ...page.children])

test("the overview names every command, and no other", () =>
  expect(top.map(({ path }) => path)).toEqual(COMMANDS.map(({ name }) => name)))

test("every command, option and argument is described", () => {
  for (const { args, description, options, path } of all) {
    expect([path, description]).not.toEqual([path, ""])
    for (const part of [...args, ...options])
      expect([path, part]).not.toEqual([path, { ...part, description: "" }])
  }
})

test("every default is named: options get theirs through one function, which describes it", async () => {
  const found: Array<string> = []
  for await (const file of new Bun.Glob("src/cli/**/*.ts").scan(ROOT))
    if ((await Bun.file(join(ROOT, file)).text()).includes(".withDefault(")) found.push(file)
  expect(found).toEqual(["src/cli/program/shared.ts"])
  const about = (path: string) =>
    Object.fromEntries(
      (all.find((page) => page.path === path)?.options ?? []).map(({ description, name }) => [
        name,
        description
      ])
    )
  expect(about("sweep")).toMatchObject({
    "--seed": expect.stringMatching(/; by default 1$/),
    "--holdout": expect.stringMatching(/; by default 30$/),
    "--rank": expect.stringMatching(/; by default roi_pct$/),
    "--top": expect.stringMatching(/; by default 20$/),
    "--workers": expect.stringMatching(/; by default \d+$/),
    "--candles": expect.stringContaining("nanoseconds")
  })
})

test("a help page fits a terminal, in plain words", () => {
  for (const page of all) {
    const text = render(page)
    expect(text).toStartWith(`signalbox ${page.path}: `)
    expect(Bun.stripANSI(text)).toBe(text)
    expect(text).not.toMatch(/user-defined|This (setting|option)/)
    const lines = text.slice(0, text.indexOf("\nexamples:")).split("\n")
    expect(lines.filter((line) => line.length > 100 && !line.includes("|"))).toEqual([])
  }
})

test("every example calls its own command, with options that it takes", () => {
  for (const [path, examples] of Object.entries(EXAMPLES)) {
    const page = all.find((page) => page.path === path)
    for (const [, command] of examples) {
      expect(command).toContain(`signalbox ${path}`)
      const [, words = ""] = command.split(`signalbox ${path}`)
      const named = words.match(/--[a-z-]+/g) ?? []
      expect([command, page?.options.map(({ name }) => name)]).toEqual([
        command,
        expect.arrayContaining(named)
      ])
    }
  }
})

test.each([
  ["token create --help", "token create"],
  ["token --help create", "token create"],
  ["token create --account me -h", "token create"],
  ["help market refresh", "market refresh"],
  ["token", "token"],
  ["serve -h", "serve"],
  ["serve", undefined],
  ["token list", undefined],
  ["bogus --help", undefined]
])("signalbox %s asks for the page of %s", async (line, path) => {
  const page = await Effect.runPromise(pageFor(["bun", "main.ts", ...line.split(" ")], pages))
  expect(Option.getOrUndefined(page)?.path).toBe(path)
})

test("colours appear only on terminals that want them", () => {
  expect(isColourful({ isTTY: true }, {})).toBe(true)
  expect(isColourful({}, {})).toBe(false)
  expect(isColourful({ isTTY: true }, { NO_COLOR: "1" })).toBe(false)
  expect(isColourful({ isTTY: true }, { NO_COLOR: "" })).toBe(true)
  expect(isColourful({ isTTY: true }, { TERM: "dumb" })).toBe(false)
})

test("help exits with 0; a bad command line exits with 2 and points to help", async () => {
  const [help, page, wrong] = await Promise.all([
    signalbox("--help"),
    signalbox("token", "create", "--help"),
    signalbox("token", "create", "--acount", "me")
  ])
  expect([help.code, help.error]).toEqual([0, ""])
  expect(help.out).toContain("Exit codes: 0 done, 1 failed, 2 bad usage, 130 or 143 stopped by a signal.")
  expect([page.code, page.error]).toEqual([0, ""])
  expect(page.out).toContain("usage: signalbox token create --account TEXT [options]\n")
  expect([wrong.code, wrong.out]).toEqual([2, ""])
  expect(wrong.error).toEndWith("signalbox: add --help after the command to see its options\n")
  const esc = String.fromCharCode(27)
  for (const { error, out } of [help, page, wrong]) expect(out + error).not.toContain(esc)
})
