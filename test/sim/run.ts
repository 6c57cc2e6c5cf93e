// Runs one seed: chooses the kind of world, runs it through faults and calm, and checks it.
import { bury } from "./bury.ts"
import { Checks } from "./Checks.ts"
import { Dealers } from "./Dealers.ts"
import type { Template } from "./Disk.ts"
import { Hands } from "./Hands.ts"
import { differenceOf, type History, historyOf } from "./history.ts"
import { Neighbours } from "./Neighbours.ts"
import { People } from "./People.ts"
import { Squeezer } from "./Squeezer.ts"
import { Trespassers } from "./Trespassers.ts"
import { type Mutant, type Plan, type Violation, World } from "./World.ts"

export interface Ran {
  readonly seed: number
  readonly violation: Violation | undefined
  readonly traced: ReadonlyArray<string>
  readonly crashes: number
  readonly orders: number
  readonly alerts: number
  /** A digest of all commits: the same seed gives the same. */
  readonly digest: string
}

/** A run, with what each of the people's strategies did. */
interface Lived extends Ran {
  readonly history: History
}

const SET_UP_MS = 20_000
/**
 * The neighbours' time to move in, which passes without neighbours too, so that everything begins at the same moment.
 */
const SETTLE_MS = 3_000
/** How many times longer calm lasts than the faults. */
const CALM = 5

/** One seed in this many has neighbours compared, and one has them with crashes and full disks. */
const KINDS = 4
/** The neighbours' strategies: few in most seeds, and a thousand in some. */
const SOME = 20
const CROWD = 1_000
const CROWDED = 32

/**
 * One seed, to its end or to the first thing that must never be. Seeds divisible by four live twice in an even world,
 * without neighbours and with them: what everybody else did has to be the same. Half of the others that are even have
 * neighbours too, with crashes and full disks, where only the invariants can be looked at. So have all where a seed does
 * not give the same world twice.
 */
export const run = async (seed: number, template: Template, mutant?: Mutant): Promise<Ran> => {
  const place = seed % KINDS
  const followers = place % 2 === 1 ? 0 : seed % CROWDED === 0 ? CROWD : SOME
  if (place !== 0 || !template.repeats) return live(seed, template, { isEven: false, followers }, mutant)
  const alone = await live(seed, template, { isEven: true, followers: 0 }, mutant)
  if (alone.violation !== undefined) return alone
  const among = await live(seed, template, { isEven: true, followers }, mutant)
  if (among.violation !== undefined) return among
  return { ...among, violation: differenceOf(alone.history, among.history) }
}

/** Runs one world. */
const live = async (seed: number, template: Template, plan: Plan, mutant?: Mutant): Promise<Lived> => {
  const world = await World.make(seed, template, plan, mutant)
  try {
    const people = new People(world)
    const dealers = new Dealers(world, people)
    const neighbours = new Neighbours(world, people)
    const checks = new Checks(world, people, dealers, neighbours)
    world.venue.calm = true
    const ready =
      (await world.awaits(world.now + SET_UP_MS, () => world.server.isReady)) &&
      (await people.settleIn(world.now + SET_UP_MS)) &&
      (await dealers.settleIn(world.now + SET_UP_MS)) &&
      (await neighbours.settleIn(SETTLE_MS))
    if (!ready) world.fail("set-up", "the server was not ready in time")
    const hands = new Hands(world, people)
    begin(world, people, dealers, neighbours)
    hands.begin()
    await endure(world, people, dealers, checks)
    hands.anytime()
    return {
      seed,
      violation: world.violation,
      traced: world.traced,
      crashes: world.crashes,
      orders: world.venue.orders.size,
      alerts: people.keyed.length,
      digest: digestOf(world),
      history: historyOf(world, people)
    }
  } finally {
    await world.close()
    bury()
  }
}

const begin = (world: World, people: People, dealers: Dealers, neighbours: Neighbours): void => {
  world.venue.calm = false
  people.begin()
  dealers.begin()
  new Trespassers(world, people).begin()
  new Squeezer(world, people).begin()
  world.quote()
  neighbours.begin()
}

const endure = async (world: World, people: People, dealers: Dealers, checks: Checks): Promise<void> => {
  const dice = world.chance.of("faults")
  const faultsMs = dice.whole(15_000, 40_000)
  if (dice.chance(0.8) && !world.pace.isEven) {
    world.every("crash", 5_000, 20_000, () => {
      if (world.calm) return
      world.crash()
      checks.anytime()
    })
  }
  if (dice.chance(0.3) && !world.pace.isEven)
    world.every("disk", 8_000, 30_000, () => {
      if (!world.calm) world.fillDisk(dice.whole(200, 6_000))
    })
  if (world.disk.strike !== undefined)
    world.every("database", 300, 6_000, (dice) => {
      if (!world.calm) world.disk.strike?.(world, dice)
    })
  if (!(await world.passes(faultsMs))) return
  checks.anytime()
  world.calm = true
  world.disk.makeRoom()
  world.venue.calm = true
  dealers.calmDown()
  world.trace("calm")
  if (!(await world.passes(CALM * faultsMs))) return
  if (!people.allAnswered) world.fail("I2", "an alert was not answered though all was calm")
  checks.finally()
}

const digestOf = (world: World): string => {
  const rows = ["orders", "fills", "ledger", "outcomes", "timeline"].map((table) =>
    JSON.stringify(world.disk.rows(`SELECT * FROM ${table}`))
  )
  return Bun.hash(rows.join("\n")).toString(16)
}
