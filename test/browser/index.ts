// `bun run browser [suite ...] [--screenshots] [--headed]`: the built program's dashboard in a real browser.
import { inFolder } from "../reliability/Program.ts"
import * as Chromium from "./lib/Chromium.ts"
import { fresh } from "./lib/fresh.ts"
import { Stage, type Suite } from "./lib/Stage.ts"
import { inWords, type Row } from "./lib/Steps.ts"

const suites: Record<string, () => Promise<{ readonly default: Suite }>> = {
  assets: () => import("./assets.ts"),
  signin: () => import("./signin.ts"),
  csrf: () => import("./csrf.ts"),
  settings: () => import("./settings.ts")
}
/** Tried when they are named: what they look at is being built. */
const waiting: typeof suites = {
  first: () => import("./first.ts"),
  form: () => import("./form.ts"),
  pages: () => import("./pages.ts"),
  phone: () => import("./phone.ts"),
  xss: () => import("./xss.ts"),
  live: () => import("./live.ts"),
  backtest: () => import("./backtest.ts"),
  speed: () => import("./speed.ts")
}
const screenshots = () => import("./screenshots.ts")

const args = process.argv.slice(2)
const flags = new Set(args.filter((arg) => arg.startsWith("--")))
const wanted = args.filter((arg) => !arg.startsWith("--"))
const unknown = [
  ...wanted.filter((name) => suites[name] === undefined && waiting[name] === undefined),
  ...[...flags].filter((flag) => flag !== "--screenshots" && flag !== "--headed")
]
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(", ")}; there are ${Object.keys(suites).join(", ")}`)
  console.error("and --screenshots, which writes pictures in place of trying, and --headed")
  process.exit(2)
}
const advice = Chromium.missing()
if (advice !== undefined) {
  console.error(advice)
  process.exit(1)
}

const rows: Array<Row> = []
const told = (row: Row) => {
  rows.push(row)
  const word = row.flaws.length === 0 ? "ok  " : "FAIL"
  const note = row.note === "" ? "" : `  ${row.note}`
  console.log(
    `${String(rows.length).padStart(3)}  ${word}  ${row.test.padEnd(66)}  ${inWords(row.ms).padStart(7)}${note}`
  )
  for (const flaw of row.flaws) console.log(`     ${flaw.replaceAll("\n", "\n     ")}`)
}

await fresh()
const began = performance.now()
const chosen = flags.has("--screenshots")
  ? { screenshots }
  : wanted.length === 0
    ? suites
    : Object.fromEntries(Object.entries({ ...suites, ...waiting }).filter(([name]) => wanted.includes(name)))
const browser = await Chromium.open(flags.has("--headed"))
for (const [name, load] of Object.entries(chosen)) {
  const { default: suite } = await load()
  await inFolder(async (folder) => {
    const stage = new Stage(name, browser, folder, told)
    // What a suite does outside its steps is a step too.
    await suite(stage).catch((error: unknown) =>
      stage.steps.check("it ended early", () => Promise.reject(error))
    )
    await stage.close()
  })
}
await browser.close()
console.log(`the whole took ${inWords(performance.now() - began)}`)
const failed = rows.filter(({ flaws }) => flaws.length > 0).length
console.log(`${rows.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
