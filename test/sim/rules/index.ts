// `bun run sim rules [--seed N] [--seeds K]`: seeded worlds of rules, whose servers are killed between any two steps.
import { ranOf } from "./run.ts"

const USAGE = "usage: bun run sim rules [--seed N] [--seeds K]"
const SEEDS = 40
/** The most violations that are printed. */
const SHOWN = 10

/** Whether all was well. */
export const rules = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const wanted = new Map<string, number>()
  for (let place = 0; place < args.length; place += 2) wanted.set(args[place] ?? "", Number(args[place + 1]))
  if (![...wanted].every(([name, value]) => /^--seeds?$/.test(name) && value > 0)) {
    console.error(USAGE)
    return false
  }
  const first = wanted.get("--seed") ?? 1
  const count = wanted.get("--seeds") ?? SEEDS
  const sums = { alerts: 0, crashes: 0, failed: 0 }
  for (let seed = first; seed < first + count; seed++) {
    const { alerts, crashes, violation } = await ranOf(seed)
    sums.alerts += alerts
    sums.crashes += crashes
    if (violation === undefined) continue
    sums.failed++
    if (sums.failed <= SHOWN) console.log(`FAILED seed ${seed}: an alert ${violation.text}`)
  }
  console.log(`${count} seeds of rules from ${first}: ${sums.alerts} alerts, ${sums.crashes} kills`)
  console.log(`${count - sums.failed} passed, ${sums.failed} failed`)
  return sums.failed === 0
}
