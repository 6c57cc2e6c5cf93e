// Runs seeds until one finds a planted bug.
import { join } from "node:path"
import type { Template } from "./Disk.ts"
import { FIRST_SEEDS } from "./firstSeeds.ts"
import { lifePlants } from "./plants.ts"
import { type Ran, run } from "./run.ts"
import type { Mutant } from "./World.ts"

/** How many seeds of lives are tried: each takes as long as many seeds of the world. */
const LIVES = 4

/** A seed that finds the bug: the one that found it last, else the first one that does. */
export const find = async (mutant: Mutant, ground: Template, seeds: number): Promise<Ran | undefined> => {
  const known = FIRST_SEEDS[mutant.name]
  return (
    (known === undefined ? undefined : await among(mutant, ground, known, 1)) ??
    (await among(mutant, ground, 1, seeds))
  )
}

/** The same of a bug in the source, whatever world has to find it. */
export const findPlanted = (name: string, seeds: number): Ran | undefined => {
  const known = FIRST_SEEDS[name]
  const tried = known === undefined ? undefined : planted(name, known, 1)
  if (tried?.violation !== undefined) return tried
  const ran = planted(name, 1, seeds)
  return ran.violation === undefined ? undefined : ran
}

/** The first one of so many seeds that finds the bug. */
const among = async (
  mutant: Mutant,
  ground: Template,
  first: number,
  count: number
): Promise<Ran | undefined> => {
  if (mutant.alter === undefined) {
    const ran = planted(mutant.name, first, lifePlants[mutant.name] === undefined ? count : LIVES)
    return ran.violation === undefined ? undefined : ran
  }
  for (let seed = first; seed < first + count; seed++) {
    const ran = await run(seed, ground, mutant)
    if (ran.violation !== undefined) return ran
  }
  return undefined
}

/** Runs one seed, with a bug if one is given. */
export const runWith = async (seed: number, ground: Template, mutant: Mutant | undefined): Promise<Ran> =>
  mutant !== undefined && mutant.alter === undefined
    ? planted(mutant.name, seed, 1)
    : run(seed, ground, mutant)

/** A bug in the source runs in a process of its own, which loads the changed source. */
const planted = (name: string, first: number, count: number): Ran => {
  const script = join(import.meta.dir, "plant.ts")
  const { exitCode, stderr, stdout } = Bun.spawnSync([process.execPath, script, name, `${first}`, `${count}`])
  if (exitCode !== 0) throw new Error(`${name}: ${stderr.toString()}`)
  return JSON.parse(stdout.toString())
}
