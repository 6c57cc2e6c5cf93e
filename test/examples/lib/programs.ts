// Runs one example on one runtime: it passes where it ends well, says one line, and nothing on standard error.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { bun } from "../../../scripts/command.ts"
import type { Line } from "../index.ts"
import { runIn } from "./folder.ts"

export type Runtime = "Node" | "Bun"

interface Example {
  readonly name: string
  readonly runtimes: ReadonlyArray<Runtime>
}

/** How much of what went wrong is shown, in characters. */
const MOST_SAID = 2000

const both = ["Node", "Bun"] as const

export const EXAMPLES: ReadonlyArray<Example> = [
  { name: "every-door", runtimes: ["Node"] },
  { name: "every-door-bun", runtimes: ["Bun"] },
  { name: "guide-1", runtimes: both },
  { name: "guide-2", runtimes: both },
  { name: "own-storage", runtimes: both },
  { name: "own-exchange", runtimes: both },
  { name: "own-rule", runtimes: both },
  { name: "effect-rule", runtimes: both },
  { name: "own-figure", runtimes: both },
  { name: "folding-figure", runtimes: both },
  { name: "pure-trading", runtimes: both },
  { name: "year", runtimes: both },
  { name: "mounted-node", runtimes: both },
  { name: "mounted-bun", runtimes: ["Bun"] },
  { name: "mounted-platform", runtimes: both },
  { name: "typed-client", runtimes: both },
  { name: "real-server", runtimes: ["Bun"] }
]

export const run = async (folder: string, { name }: Example, runtime: Runtime): Promise<Line> => {
  const file = join("out", `${name}.js`)
  const line = (text: string, isGood: boolean, milliseconds: number | undefined): Line => ({
    ...{ name, runtime, milliseconds, text, isGood }
  })
  if (!existsSync(join(folder, file))) return line("there is no such example", false, undefined)
  const started = performance.now()
  const { code, err, out } = await runIn(folder, [runtime === "Node" ? "node" : bun(), file])
  const isGood = code === 0 && err === "" && out !== ""
  const said = out.split(/\s*\n\s*/).join(" ")
  return line(
    isGood ? said : `exit ${code}: ${said}\n${err.slice(0, MOST_SAID)}`,
    isGood,
    performance.now() - started
  )
}
