// Runs one seed of the world of nodes: through everything that may happen to them, then through calm, and checks it.
import { bury } from "../bury.ts"
import { Checks } from "../Checks.ts"
import { Dealers } from "../Dealers.ts"
import { Hands } from "../Hands.ts"
import { Neighbours } from "../Neighbours.ts"
import { People } from "../People.ts"
import type { Ran } from "../run.ts"
import { Squeezer } from "../Squeezer.ts"
import { Trespassers } from "../Trespassers.ts"
import { type Plan, World } from "../World.ts"
import { watchClocks } from "./Machine.ts"
import { Nodes } from "./Nodes.ts"
import type { SharedTemplate } from "./SharedDisk.ts"

const SET_UP_MS = 20_000
const SETTLE_MS = 3_000
/** How many times longer calm lasts than the faults. */
const CALM = 3
/** How soon every answered alert is judged, once all nodes live and nothing happens to them (ms). */
const JUDGED_MS = 30_000
/** How many alerts come after that, one at a time, and how soon each is judged though its notice was lost (ms). */
const IN_CALM = 6
const HEARD_MS = 3_000
/** The neighbours' strategies, in every second seed. */
const SOME = 20

/** What a seed came to, with how often partitions changed hands, and how many commits the fence refused. */
export interface NodesRan extends Ran {
  readonly handed: number
  readonly refused: number
}

export const run = async (seed: number, template: SharedTemplate): Promise<NodesRan> => {
  watchClocks()
  const plan: Plan = { isEven: false, followers: seed % 2 === 0 ? SOME : 0, hasNodes: true }
  const disk = template.open()
  let nodes: Nodes | undefined
  const world = new World(seed, { ...template, disk }, plan, {
    begin: (world) => {
      nodes = new Nodes(world, disk)
      return nodes
    }
  })
  if (nodes === undefined) throw new Error("a world without nodes")
  try {
    const people = new People(world)
    await live(world, nodes, people)
    const { checks } = nodes
    return {
      seed,
      violation: world.violation,
      traced: world.traced,
      crashes: world.crashes,
      orders: world.venue.orders.size,
      alerts: people.keyed.length,
      digest: digestOf(world),
      handed: checks.handed,
      refused: checks.refused
    }
  } finally {
    nodes.life.alive = false
    nodes.close()
    await disk.close()
    bury()
  }
}

const live = async (world: World, nodes: Nodes, people: People): Promise<void> => {
  const dealers = new Dealers(world, people)
  const neighbours = new Neighbours(world, people)
  const checks = new Checks(world, people, dealers, neighbours)
  world.venue.calm = true
  const ready =
    (await world.awaits(world.now + SET_UP_MS, () => nodes.isReady)) &&
    (await people.settleIn(world.now + SET_UP_MS)) &&
    (await dealers.settleIn(world.now + SET_UP_MS)) &&
    (await neighbours.settleIn(SETTLE_MS))
  if (!ready) return world.fail("set-up", "the nodes were not ready in time")
  const hands = new Hands(world, people)
  world.venue.calm = false
  people.begin()
  dealers.begin()
  new Trespassers(world, people).begin()
  new Squeezer(world, people).begin()
  world.quote()
  neighbours.begin()
  hands.begin()
  nodes.begin()
  world.every("auditor", 8_000, 12_000, () => {
    if (!world.calm) checks.anytime()
  })
  const faultsMs = world.chance.of("faults").whole(12_000, 30_000)
  if (!(await world.passes(faultsMs))) return
  checks.anytime()
  world.calm = true
  world.venue.calm = true
  nodes.calmDown()
  dealers.calmDown()
  world.trace("calm")
  if (!(await world.passes(JUDGED_MS))) return
  nodes.checks.judged(people, JUDGED_MS)
  if (!(await heardInCalm(world, nodes, people))) return
  if (!(await world.passes(CALM * faultsMs))) return
  if (!people.allAnswered) world.fail("I2", "an alert was not answered though all was calm")
  checks.finally()
  nodes.checks.finally()
  hands.anytime()
}

/** Each alert is judged soon although nothing follows it by which a node would hear of it too. */
const heardInCalm = async (world: World, nodes: Nodes, people: People): Promise<boolean> => {
  for (let count = 0; count < IN_CALM; count++) {
    people.alertOnce()
    if (!(await world.passes(HEARD_MS))) return false
    nodes.checks.judged(people, HEARD_MS)
  }
  return true
}

const digestOf = (world: World): string => {
  const rows = ["orders", "fills", "ledger", "outcomes", "timeline"].map((table) =>
    JSON.stringify(world.disk.rows(`SELECT * FROM ${table}`))
  )
  return Bun.hash(rows.join("\n")).toString(16)
}
