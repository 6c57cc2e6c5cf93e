// A server that is frozen beyond its lease and goes on, and one that is killed, each replaced by another.
import type { Blow } from "../orders/Blow.ts"
import type { Pair } from "./Pair.ts"

/** How long what was held has arrived before the frozen server goes on (ms). */
const ARRIVED_MS = 1000

/** What it sent arrives once another server has its bots; then it goes on itself. */
export const freeze = (pair: Pair): Blow => ({
  name: "frozen and thawed",
  strike: async (world, late) => {
    const frozen = world.server
    frozen.child.kill("SIGSTOP")
    for (const { venue } of world.traders) venue.heal()
    await pair.takenOver()
    late()
    await Bun.sleep(ARRIVED_MS)
    await pair.thawed(frozen)
  }
})

/** What it sent arrives once another server has its bots. */
export const kill = (pair: Pair): Blow => ({
  name: "kill -9",
  strike: async (world, late) => {
    await world.kill()
    for (const { venue } of world.traders) venue.heal()
    await pair.takenOver()
    late()
  }
})
