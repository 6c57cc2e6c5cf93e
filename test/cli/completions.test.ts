// `completions`: the scripts complete every command, option and choice.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as scripts from "../../src/cli/completions/scripts.ts"
import { pages } from "../../src/cli/program/commands.ts"
import { signalbox } from "../lib/cli.ts"

const all = await pages()
const folder = mkdtempSync(join(tmpdir(), "signalbox-completions-"))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...command: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = Bun.spawnSync([...command], { cwd: folder })
  return { code: exitCode, error: stderr.toString(), out: stdout.toString() }
}

test("bash completes commands, subcommands, options and choices", () => {
  writeFileSync(join(folder, "signalbox.bash"), scripts.bash(all))
  const lines = [
    "signalbox tok",
    "signalbox token ",
    "signalbox token create --sc",
    "signalbox token create --scope ",
    "signalbox market enable binance --k",
    "signalbox --config x.toml se",
    "signalbox serve --db signalbox.b"
  ]
  const tries = lines.map(
    (line) =>
      `COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _signalbox; echo "\${COMPREPLY[*]}"`
  )
  const { code, error, out } = run("bash", "-uc", `source ./signalbox.bash; ${tries.join("; ")}`)
  expect({ code, error }).toEqual({ code: 0, error: "" })
  expect(out.trim().split("\n")).toEqual([
    "token",
    "create list revoke --config --help",
    "--scope",
    "full alerts",
    "--kind",
    "serve service",
    "signalbox.bash"
  ])
})

test.each([
  ["zsh", scripts.zsh],
  ["fish", scripts.fish]
])("the script for %s holds every command and option, and its shell accepts it", (shell, write) => {
  const script = write(all)
  for (const page of all) {
    for (const { options, path } of [page, ...page.children]) {
      expect(script).toContain(path.slice(path.lastIndexOf(" ") + 1))
      for (const { name } of options)
        expect(script).toContain(shell === "fish" ? `-l ${name.slice(2)}` : name)
    }
  }
  writeFileSync(join(folder, `signalbox.${shell}`), script)
  // A shell that is not installed cannot check its script.
  if (Bun.which(shell) !== null)
    expect(run(shell, "-n", `signalbox.${shell}`)).toEqual({ code: 0, error: "", out: "" })
})

test("completions prints the scripts of three shells, and of no other", async () => {
  const [bash, csh] = await Promise.all([signalbox("completions", "bash"), signalbox("completions", "csh")])
  expect([bash.code, `${bash.out.trimEnd()}\n`]).toEqual([0, scripts.bash(all)])
  expect(csh.code).toBe(2)
})
