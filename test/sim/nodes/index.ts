// `bun run sim nodes [--seed N] [--seeds K] [--minutes M] [--mutants]`: seeded worlds of several servers on one database.
import { findPlanted } from "../find.ts"
import * as Report from "../report.ts"
import { read } from "../wishes.ts"
import { nodePlants } from "./plants.ts"
import { run } from "./run.ts"
import { template } from "./SharedDisk.ts"

const USAGE = "usage: bun run sim nodes [--seed N] [--seeds K] [--minutes M] [--mutants]"
const MUTANTS = Object.keys(nodePlants).map((name) => ({ name }))

/** Whether all was well. */
export const nodes = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const wishes = read(args, [])
  if (typeof wishes === "string" || wishes.isOnPostgres) {
    console.error(typeof wishes === "string" ? `${wishes}\n${USAGE}` : USAGE)
    return false
  }
  if (wishes.mutants)
    return Report.hunt(MUTANTS, wishes, async ({ name }) => findPlanted(name, Report.MOST_SEEDS))
  const world = await template()
  try {
    return await Report.survive({ ...wishes, world: "nodes" }, world.repeats, (seed) => run(seed, world))
  } finally {
    world.close()
  }
}
