import { bury } from "./bury.ts"
import { Checks } from "./Checks.ts"
import { Dealers } from "./Dealers.ts"
import type { Template } from "./Disk.ts"
import { People } from "./People.ts"
import { type Mutant, type Violation, World } from "./World.ts"

export interface Ran {
  readonly seed: number
  readonly violation: Violation | undefined
  readonly traced: ReadonlyArray<string>
  readonly crashes: number
  readonly orders: number
  readonly alerts: number
  /** A digest of all that was committed: the same seed gives the same. */
  readonly digest: string
}

const SET_UP_MS = 20_000
/** Calm lasts so many times longer than the faults. */
const CALM = 5

/** One world from its seed to its end, or to the first thing that must never be. */
export const run = (seed: number, template: Template, mutant?: Mutant): Ran => {
  const world = new World(seed, template, mutant)
  try {
    const people = new People(world)
    const dealers = new Dealers(world, people)
    const checks = new Checks(world, people, dealers)
    world.venue.calm = true
    const ready =
      world.awaits(world.now + SET_UP_MS, () => world.server.isReady) &&
      people.settleIn(world.now + SET_UP_MS) &&
      dealers.settleIn(world.now + SET_UP_MS)
    if (!ready) world.fail("set-up", "the server was not ready in time")
    live(world, people, dealers, checks)
    return {
      seed,
      violation: world.violation,
      traced: world.traced,
      crashes: world.crashes,
      orders: world.venue.orders.size,
      alerts: people.keyed.length,
      digest: digestOf(world)
    }
  } finally {
    world.close()
    bury()
  }
}

const live = (world: World, people: People, dealers: Dealers, checks: Checks): void => {
  const { dice } = world
  const faultsMs = dice.whole(15_000, 40_000)
  world.venue.calm = false
  people.begin()
  dealers.begin()
  world.quote()
  if (dice.chance(0.8)) {
    world.every(5_000, 20_000, () => {
      if (world.calm) return
      world.crash()
      checks.anytime()
    })
  }
  if (dice.chance(0.3))
    world.every(8_000, 30_000, () => {
      if (!world.calm) world.fillDisk(dice.whole(200, 6_000))
    })
  if (!world.passes(faultsMs)) return
  checks.anytime()
  world.calm = true
  world.disk.makeRoom()
  world.venue.calm = true
  dealers.calmDown()
  world.trace("calm")
  if (!world.passes(CALM * faultsMs)) return
  if (!people.allAnswered) world.fail("I2", "an alert was not answered though all was calm")
  checks.finally()
}

const digestOf = (world: World): string => {
  const rows = ["orders", "fills", "ledger", "outcomes", "timeline"].map((table) =>
    JSON.stringify(world.disk.rows(`SELECT * FROM ${table}`))
  )
  return Bun.hash(rows.join("\n")).toString(16)
}
