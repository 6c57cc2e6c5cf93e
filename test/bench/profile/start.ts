// Where a start's time goes: a program built with a mark around each module and at each step of `serve`.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { median } from "../compare.ts"
import { start as startOnce } from "../start.ts"
import { type Cost, type Costs, ELSEWHERE } from "./Costs.ts"
import { compileMarked, MARKS, type Mark, STEPS } from "./markedProgram.ts"

const STARTS = 7
/** How many times as long a start may take with marks, and without the sequence of its code. */
const MOST_SLOWER = 1.3
const program = resolve(import.meta.dir, "../../../dist/signalbox")

export const start = async (): Promise<Costs> => {
  if (!existsSync(program)) throw new Error("dist/signalbox is missing: bun run build")
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    const marked = join(folder, "marked")
    await compileMarked(marked)
    const times = { program: [] as number[], marked: [] as number[] }
    const tables: Array<ReadonlyArray<Cost>> = []
    for (let round = 0; round <= STARTS; round++) {
      const file = join(folder, `${round}.json`)
      const whole = await startOnce(command(program, join(folder, `${round}`, "a.db")))
      const all = await startOnce(command(marked, join(folder, `${round}`, "b.db")), { [MARKS]: file }, () =>
        written(file)
      )
      // The first run of each reads the files from disk.
      if (round === 0) continue
      times.program.push(whole)
      times.marked.push(all)
      tables.push(partsOf(await Bun.file(file).json(), all))
    }
    // The parts are the marked program's: they tell of the other one only while it is hardly slower.
    if (median(times.marked) > MOST_SLOWER * median(times.program))
      throw new Error(
        `marks make a start ${(median(times.marked) / median(times.program)).toFixed(2)} times as long`
      )
    const what = `${WHAT}; the program without marks, and in the sequence of its start, takes ${median(times.program).toFixed(0)} ms`
    return { name: "start", what, unit: "ms", whole: median(times.marked), parts: middle(tables) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const written = async (file: string): Promise<void> => {
  while (!(await Bun.file(file).exists())) await Bun.sleep(20)
}

const WHAT = "one start on a new database, from the call to the first answer"

const command = (file: string, db: string) => (port: number) => [
  file,
  ...["serve", "--port", `${port}`, "--db", db, "--prices", "none"]
]

/** The median of each part. */
const middle = (tables: ReadonlyArray<ReadonlyArray<Cost>>): ReadonlyArray<Cost> => {
  const names = new Set(tables.flatMap((parts) => parts.map(({ part }) => part)))
  return Array.from(names, (part) => ({
    part,
    amount: median(tables.map((parts) => parts.find((it) => it.part === part)?.amount ?? 0))
  }))
}

/**
 * The time between two marks belongs to the module that is being evaluated, or to the step that has begun. What is
 * before the first mark is the runtime's, what comes after the last one is the way to the first answer.
 */
const partsOf = (marks: ReadonlyArray<Mark>, whole: number): ReadonlyArray<Cost> => {
  const times = new Map<string, number>()
  const add = (part: string, ms: number) => times.set(part, (times.get(part) ?? 0) + ms)
  let at = 0
  let step = "the runtime, until the first module"
  let module: string | undefined
  for (const { step } of STEPS)
    if (!marks.some(({ kind, name }) => kind === "step" && name === step))
      throw new Error(`a start does not come to: ${step}`)
  for (const { kind, name, time } of marks) {
    add(module === undefined ? step : `modules: ${folderOf(module)}`, time - at)
    at = time
    if (kind === "step") step = name
    else module = kind === "begin" ? name : undefined
    if (kind === "end" && step.startsWith("the runtime")) step = "chunks of the program, loaded"
  }
  add("from listening to the first answer, with the polls of the caller", whole - at)
  return Array.from(times, ([part, amount]) => ({ part, amount })).filter(({ part }) => part !== ELSEWHERE)
}

const folderOf = (module: string): string =>
  /^(src\/[^/]+|node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(module)?.[0].replace("node_modules/", "") ?? module
