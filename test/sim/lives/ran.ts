// A run of lives in the form of a run of the seeded world, for the table of planted bugs.
import type { Ran } from "../run.ts"
import { live } from "./live.ts"

/** How many orders end before the books are compared. */
const ORDERS = 300

/** The lives of one seed. Their time is that of the machine: a seed need not find the same thing twice. */
export const ranOf = async (seed: number): Promise<Ran> => {
  const { flaws, orders, outcomes, restarts } = await live(ORDERS, seed)
  const alerts = [...outcomes.values()].reduce((sum, count) => sum + count, 0)
  const [first] = flaws
  return {
    ...{ seed, orders, alerts, crashes: restarts, traced: flaws.slice(0, 5), digest: "" },
    violation: first === undefined ? undefined : { invariant: "lives", text: first }
  }
}
