// Prints the results of runs, and how to repeat a failure.
import type { Ran } from "./run.ts"
import type { Mutant } from "./World.ts"
import type { Wishes } from "./wishes.ts"

/** The most seeds that may be needed to find a planted bug. */
export const MOST_SEEDS = 200
const TRACED = 40

/** Runs seeds until one fails or there are no more; whether all passed. */
export const survive = async (
  wishes: Wishes,
  repeats: boolean,
  run: (seed: number) => Promise<Ran>
): Promise<boolean> => {
  const { first, minutes, seeds } = wishes
  const began = performance.now()
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : began + minutes * 60_000
  const sums = { seeds: 0, crashes: 0, orders: 0, alerts: 0, failed: 0 }
  if (repeats && !(await isRepeated(first, run))) {
    console.log(
      `FAILED seed ${first} does not give the same world twice: nothing it finds could be seen again`
    )
    sums.failed++
  }
  for (let seed = first; seed < first + seeds && performance.now() < until; seed++) {
    const ran = await run(seed)
    sums.seeds++
    sums.crashes += ran.crashes
    sums.orders += ran.orders
    sums.alerts += ran.alerts
    if (ran.violation !== undefined) {
      sums.failed++
      tell(ran, wishes)
      if (sums.failed >= 5) break
    } else if (seeds === 1) console.log(ran.traced.join("\n"))
  }
  const seconds = (performance.now() - began) / 1000
  const pace = Math.round((sums.seeds / seconds) * 3600)
  console.log(
    `${sums.seeds} seeds from ${first} in ${seconds.toFixed(1)} s (${pace} an hour): ` +
      `${sums.crashes} crashes, ${sums.alerts} alerts, ${sums.orders} orders`
  )
  console.log(`${sums.seeds - sums.failed} passed, ${sums.failed} failed`)
  return sums.failed === 0
}

/** Whether a seed gives the same world twice. */
const isRepeated = async (seed: number, run: (seed: number) => Promise<Ran>): Promise<boolean> => {
  const { digest } = await run(seed)
  return (await run(seed)).digest === digest
}

const tell = ({ seed, traced, violation }: Ran, { isOnPostgres, mutant, world }: Wishes): void => {
  console.log(traced.slice(-TRACED).join("\n"))
  console.log(`FAILED ${violation?.invariant}: ${violation?.text}`)
  const planted = mutant === undefined ? "" : ` --mutant "${mutant.name}"`
  const place = isOnPostgres ? " --database postgres" : ""
  console.log(
    `    again: bun run sim ${world === undefined ? "" : `${world} `}--seed ${seed}${planted}${place}\n`
  )
}

/** The bugs from one on, and then those before it. */
const turned = (mutants: ReadonlyArray<Mutant>, first: number): ReadonlyArray<Mutant> => {
  const start = first % mutants.length
  return [...mutants.slice(start), ...mutants.slice(0, start)]
}

/** Plants each bug in turn, from the `first` on and while the time lasts, and prints a table; whether all were found. */
export const hunt = async (
  mutants: ReadonlyArray<Mutant>,
  { first, minutes }: Pick<Wishes, "first" | "minutes">,
  find: (mutant: Mutant) => Promise<Ran | undefined>
): Promise<boolean> => {
  const width = Math.max(...mutants.map(({ name }) => name.length))
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000
  let missed = 0
  let tried = 0
  console.log(`${"bug".padEnd(width)}  caught by  first seed`)
  for (const mutant of turned(mutants, first - 1)) {
    if (performance.now() >= until) break
    const found = await find(mutant)
    tried++
    if (found === undefined) missed++
    const by = found?.violation?.invariant ?? "MISSED"
    console.log(`${mutant.name.padEnd(width)}  ${by.padEnd(9)}  ${found === undefined ? "-" : found.seed}`)
  }
  if (tried < mutants.length) console.log(`${mutants.length - tried} bugs were not planted this time`)
  console.log(`${tried - missed} passed, ${missed} failed`)
  return missed === 0
}
