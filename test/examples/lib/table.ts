// The table of a run in Markdown: how long each manager installs and each program runs, and what the library weighs.
import type { Line } from "./line.ts"
import { NAMES } from "./managers.ts"
import { FEW } from "./programs.ts"

const RUNTIMES = ["Node", "Bun", "Deno", "Chromium"] as const

export const table = (lines: ReadonlyArray<Line>): string =>
  [programs(lines), managers(lines), weights(lines)].flat().join("\n")

const programs = (lines: ReadonlyArray<Line>) => [
  ...head(["program (ms)", ...RUNTIMES]),
  ...FEW.map((name) => row([name, ...RUNTIMES.map((runtime) => timeOf(found(lines, name, runtime)))])),
  ""
]

const managers = (lines: ReadonlyArray<Line>) => [
  ...head(["manager", "install (ms)", ...RUNTIMES.map((runtime) => `the programs on ${runtime} (ms)`)]),
  ...NAMES.map((name) => {
    const install = lines.findLast((line) => line.name === "install" && line.runtime === name)
    const version = /^[\d.]+(?=: )/.exec(install?.text ?? "")?.[0] ?? ""
    return row([
      `${name} ${version}`,
      timeOf(install),
      ...RUNTIMES.map((runtime) => togetherOf(lines, `${name} ${runtime}`))
    ])
  }),
  ""
]

/** How many of the few passed there, and how long all took. */
const togetherOf = (lines: ReadonlyArray<Line>, runtime: string): string => {
  const ran = lines.filter((line) => line.runtime === runtime && FEW.includes(line.name))
  if (ran.length === 0) return "-"
  const passed = ran.filter(({ outcome }) => outcome === "passed").length
  const sum = ran.reduce((before, { milliseconds = 0 }) => before + milliseconds, 0)
  return `${passed} of ${FEW.length}, ${Math.round(sum)}`
}

const weights = (lines: ReadonlyArray<Line>) => [
  ...head(["bundle, minified", "size"]),
  ...lines
    .filter(({ name, runtime }) => runtime === "bundle" || (runtime === "" && name === "package"))
    .map(({ name, text }) => row([name, text]))
]

const found = (lines: ReadonlyArray<Line>, name: string, runtime: string) =>
  lines.find((line) => line.name === name && line.runtime === runtime)

const timeOf = (line: Line | undefined): string =>
  line?.milliseconds === undefined
    ? "-"
    : `${Math.round(line.milliseconds)}${line.outcome === "failed" ? " !" : ""}`

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`
const head = (cells: ReadonlyArray<string>) => [row(cells), `|${cells.map(() => "---").join("|")}|`]
