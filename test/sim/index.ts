// `bun run sim [--seed N] [--seeds K] [--minutes M] [--mutants] [--mutant NAME] [--database postgres]`: the seeded world; and
// `bun run sim orders [--lives N] [--seed S]`: lives of orders at stubs of the exchanges;
// `bun run sim rules [--seed N] [--seeds K]`: rules of signals, killed between any two steps;
// `bun run sim nodes [--seed N] [--seeds K] [--minutes M] [--mutants]`: several servers on one database.
import { find, runWith } from "./find.ts"
import { ground } from "./ground.ts"
import { mutants, postgresMutants } from "./mutants.ts"
import * as Report from "./report.ts"
import { read, USAGE } from "./wishes.ts"

if (process.argv[2] === "orders") {
  const { lives } = await import("./lives/index.ts")
  process.exit((await lives(process.argv.slice(3))) ? 0 : 1)
}
if (process.argv[2] === "rules") {
  const { rules } = await import("./rules/index.ts")
  process.exit((await rules(process.argv.slice(3))) ? 0 : 1)
}
if (process.argv[2] === "nodes") {
  const { nodes } = await import("./nodes/index.ts")
  process.exit((await nodes(process.argv.slice(3))) ? 0 : 1)
}
const wishes = read(process.argv.slice(2), [...mutants, ...postgresMutants])
if (typeof wishes === "string") {
  console.error(`${wishes}\n${USAGE}`)
  process.exit(2)
}
const { isOnPostgres } = wishes
const world = await ground(isOnPostgres)
try {
  const sound = await (wishes.mutants
    ? Report.hunt(isOnPostgres ? postgresMutants : mutants, wishes, (mutant) =>
        find(mutant, world, Report.MOST_SEEDS)
      )
    : Report.survive(wishes, world.repeats, (seed) => runWith(seed, world, wishes.mutant)))
  process.exitCode = sound ? 0 : 1
} finally {
  await world.close()
}
// What a crash left behind in the process must not keep it alive.
process.exit()
