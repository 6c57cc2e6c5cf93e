// Runs one example on one runtime: it passes where it ends well, says one line, and nothing on standard error.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { bun } from "../../../scripts/command.ts"
import type { Line } from "./line.ts"
import { runIn } from "./shell.ts"

export type Runtime = "Node" | "Bun"

interface Example {
  readonly name: string
  readonly runtimes: ReadonlyArray<Runtime>
}

/** How much of what went wrong is shown, in characters. */
const MOST_SHOWN = 2000

const both = ["Node", "Bun"] as const

export const EXAMPLES: ReadonlyArray<Example> = [
  { name: "every-door", runtimes: ["Node"] },
  { name: "every-door-bun", runtimes: ["Bun"] },
  { name: "guide-1", runtimes: both },
  { name: "guide-2", runtimes: both },
  { name: "own-storage", runtimes: both },
  { name: "own-exchange", runtimes: both },
  { name: "own-venue", runtimes: both },
  { name: "own-rule", runtimes: both },
  { name: "effect-rule", runtimes: both },
  { name: "own-figure", runtimes: both },
  { name: "folding-figure", runtimes: both },
  { name: "volatility-sizing", runtimes: both },
  { name: "time-of-day-veto", runtimes: both },
  { name: "closing-veto", runtimes: both },
  { name: "pure-trading", runtimes: both },
  { name: "year", runtimes: both },
  { name: "mounted-node", runtimes: both },
  { name: "mounted-bun", runtimes: ["Bun"] },
  { name: "mounted-platform", runtimes: both },
  { name: "typed-client", runtimes: both },
  { name: "real-server", runtimes: ["Bun"] }
]

/** Those that are tried with each manager and each line of Effect: the README's program, a client, parts of one's own. */
export const FEW = ["guide-1", "typed-client", "own-exchange", "own-figure"]

export const run = async (folder: string, { name }: Example, runtime: Runtime): Promise<Line> =>
  runBy(folder, name, { runtime, command: [runtime === "Node" ? "node" : bun()] })

interface By {
  readonly runtime: string
  readonly command: ReadonlyArray<string>
  readonly more?: Readonly<Record<string, string>>
}

/** Runs a compiled program by a command. */
export const runBy = async (folder: string, name: string, { command, more, runtime }: By): Promise<Line> => {
  const file = join("out", `${name}.js`)
  const line = (text: string, isGood: boolean, milliseconds: number | undefined): Line => ({
    ...{ name, runtime, milliseconds, text, outcome: isGood ? "passed" : "failed" }
  })
  if (!existsSync(join(folder, file))) return line("there is no such example", false, undefined)
  const started = performance.now()
  const { code, err, out } = await runIn(folder, [...command, file], { more: more ?? {} })
  const isGood = code === 0 && err === "" && out !== ""
  const printed = out.split(/\s*\n\s*/).join(" ")
  return line(
    isGood ? printed : `exit ${code}: ${printed}\n${err.slice(0, MOST_SHOWN)}`,
    isGood,
    performance.now() - started
  )
}
