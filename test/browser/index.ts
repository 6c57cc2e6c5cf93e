// `bun run browser [suite ...] [--screenshots] [--headed] [--database] [--again]`: the built program's dashboard in a
// real browser; with `--database`, on a scratch server of Postgres; with `--again`, a suite that failed runs once more,
// alone, and what passes then is named.
import { tellAgain } from "../lib/again.ts"
import { begin } from "../lib/postgres/Runner.ts"
import { inFolder } from "../reliability/Program.ts"
import * as Chromium from "./lib/Chromium.ts"
import { fresh } from "./lib/fresh.ts"
import { Stage, type Suite } from "./lib/Stage.ts"
import { inWords, NOT_TRIED, type Row } from "./lib/Steps.ts"

type Load = () => Promise<{ readonly default: Suite }>
/** Suites that run two at a time in this sequence, in which those that use the clipboard are far apart. */
const suites: Record<string, Load> = {
  assets: () => import("./assets.ts"),
  speed: () => import("./speed.ts"),
  first: () => import("./first.ts"),
  newcomer: () => import("./newcomer.ts"),
  signin: () => import("./signin.ts"),
  open: () => import("./open.ts"),
  form: () => import("./form.ts"),
  following: () => import("./following.ts"),
  discover: () => import("./discover.ts"),
  publisher: () => import("./publisher.ts"),
  pages: () => import("./pages.ts"),
  phone: () => import("./phone.ts"),
  reader: () => import("./reader.ts"),
  guide: () => import("./guide.ts"),
  xss: () => import("./xss.ts"),
  csrf: () => import("./csrf.ts"),
  events: () => import("./events.ts"),
  backtest: () => import("./backtest.ts"),
  candles: () => import("./candles.ts"),
  whatIf: () => import("./whatIf.ts"),
  rules: () => import("./rules.ts"),
  same: () => import("./same.ts"),
  report: () => import("./report.ts"),
  sweep: () => import("./sweep.ts"),
  money: () => import("./money.ts"),
  live: () => import("./live.ts"),
  planted: () => import("./planted.ts"),
  settings: () => import("./settings.ts")
}
/** Suites that measure times, and run alone. */
const ALONE = new Set(["assets", "speed"])
const screenshots = () => import("./screenshots.ts")

const args = process.argv.slice(2)
const flags = new Set(args.filter((arg) => arg.startsWith("--")))
const wanted = args.filter((arg) => !arg.startsWith("--"))
const unknown = [
  ...wanted.filter((name) => suites[name] === undefined),
  ...[...flags].filter((flag) => !["--screenshots", "--headed", "--database", "--again"].includes(flag))
]
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(", ")}; there are ${Object.keys(suites).join(", ")}`)
  console.error(
    "and --screenshots, which writes pictures in place of trying, --headed, --database for Postgres, and --again"
  )
  process.exit(2)
}
const advice = Chromium.missing()
if (advice !== undefined) {
  console.error(advice)
  process.exit(1)
}

if (flags.has("--database")) await begin()

const rows: Array<Row> = []
const tell = (told: ReadonlyArray<Row>) => {
  for (const row of told) {
    rows.push(row)
    const word = row.flaws.length === 0 ? "ok  " : "FAIL"
    const note = row.note === "" ? "" : `  ${row.note}`
    console.log(
      `${String(rows.length).padStart(3)}  ${word}  ${row.test.padEnd(66)}  ${inWords(row.ms).padStart(7)}${note}`
    )
    for (const flaw of row.flaws) console.log(`     ${flaw.replaceAll("\n", "\n     ")}`)
  }
}

await fresh()
const began = performance.now()
const browser = await Chromium.open(flags.has("--headed"))
const run = async (name: string, load: Load) => {
  const { default: suite } = await load()
  const told: Array<Row> = []
  await inFolder(async (folder) => {
    const stage = new Stage(name, browser, folder, (row) => told.push(row))
    // A failure outside the steps counts as a step.
    await suite(stage).catch((error: unknown) =>
      stage.steps.check("it ended early", () => Promise.reject(error))
    )
    await stage.close()
  })
  tell(told)
  return told
}
/** Runs a suite that failed once more: its first rows count no longer. */
const runAgain = async (name: string, load: Load, first: ReadonlyArray<Row>) => {
  for (const row of first) rows.splice(rows.indexOf(row), 1)
  const second = await run(name, load)
  tellAgain(
    first
      .filter(({ flaws }) => flaws.some((flaw) => flaw !== NOT_TRIED))
      .map(({ flaws, test }) => ({ test, texts: flaws })),
    second.every(({ flaws }) => flaws.length === 0)
  )
}
if (flags.has("--screenshots")) await run("screenshots", screenshots)
else {
  const chosen = Object.entries(suites).filter(([name]) => wanted.length === 0 || wanted.includes(name))
  const ended: Array<readonly [name: string, load: Load, told: ReadonlyArray<Row>]> = []
  const runOne = async ([name, load]: (typeof chosen)[number]) => {
    ended.push([name, load, await run(name, load)])
  }
  for (const suite of chosen) if (ALONE.has(suite[0])) await runOne(suite)
  const others = chosen.filter(([name]) => !ALONE.has(name))
  const lane = async () => {
    for (let next = others.shift(); next !== undefined; next = others.shift()) await runOne(next)
  }
  await Promise.all([lane(), lane()])
  if (flags.has("--again"))
    for (const [name, load, told] of ended)
      if (told.some(({ flaws }) => flaws.length > 0)) await runAgain(name, load, told)
}
await browser.close()
console.log(`the whole took ${inWords(performance.now() - began)}`)
const failed = rows.filter(({ flaws }) => flaws.length > 0).length
console.log(`${rows.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
