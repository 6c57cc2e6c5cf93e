// `bun run sim [--seed N] [--seeds K] [--minutes M] [--mutants] [--mutant NAME]`: the seeded world; and
// `bun run sim orders [--lives N] [--seed S]`: lives of orders at stubs of the exchanges.
import { rmSync } from "node:fs"
import { template } from "./Disk.ts"
import { find, runWith } from "./find.ts"
import { mutants } from "./mutants.ts"
import * as Report from "./report.ts"
import { read, USAGE } from "./wishes.ts"

if (process.argv[2] === "orders") {
  const { lives } = await import("./lives/index.ts")
  process.exit((await lives(process.argv.slice(3))) ? 0 : 1)
}
const wishes = read(process.argv.slice(2), mutants)
if (typeof wishes === "string") {
  console.error(`${wishes}\n${USAGE}`)
  process.exit(2)
}
const ground = await template()
try {
  const sound = wishes.mutants
    ? Report.hunt(mutants, (mutant) => find(mutant, ground, Report.MOST_SEEDS))
    : Report.survive(wishes, (seed) => runWith(seed, ground, wishes.mutant))
  process.exitCode = sound ? 0 : 1
} finally {
  rmSync(ground.folder, { recursive: true })
}
// What a crash left behind in the process must not keep it alive.
process.exit()
