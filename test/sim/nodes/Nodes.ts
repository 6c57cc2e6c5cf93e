// Two to four nodes over one database, as the people of a world see them, and what happens to them: they stand still for
// longer than their leases hold, are killed, stopped and started, cut off and told wrong things, and their clocks jump.
import { Effect, type Exit, type Layer, type Scope } from "effect"
import { NotOwner } from "../../../src/cluster/BotsRpcs.ts"
import type { AccountId } from "../../../src/domain/Account.ts"
import { Partition, partitionOf } from "../../../src/domain/Partition.ts"
import { LEASE_SECONDS } from "../../../src/postgres/Lease.ts"
import type { ExchangeAccounts } from "../../../src/services/ExchangeAccounts.ts"
import type { Wallets } from "../../../src/services/money/Wallets.ts"
import { StorageUnavailable } from "../../../src/services/records/StorageUnavailable.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { accountsOf, walletsOf } from "../Money.ts"
import type { Services } from "../Server.ts"
import type { Front, World } from "../World.ts"
import type { Served } from "./bots.ts"
import { exchangeOf } from "./exchange.ts"
import { FenceChecks } from "./fenceChecks.ts"
import { Link } from "./Link.ts"
import { Machine } from "./Machine.ts"
import { Node } from "./Node.ts"
import { MOST_PARTITION, SharedDatabase } from "./SharedDatabase.ts"
import type { SharedDisk } from "./SharedDisk.ts"

/** How far a clock may be off (ms), and how long a node stands still at most: a lease holds for ten seconds. */
const MOST_SKEW_MS = 6_000
const MOST_FROZEN_MS = 16_000
const LEASE_MS = 1000 * LEASE_SECONDS
const MOST_CUT_MS = 9_000
const PARTITIONS = Array.from({ length: MOST_PARTITION + 1 }, (_, id) => Partition.make(id))
/** How long another node is waited for (ms). */
const PATIENCE_MS = 5_000

/** What a sound node logs while all this happens to it. */
const EXPECTED =
  /^(alerts cannot be stored and are refused|the bots wait until their steps can be stored|another server has taken over|partitions could not be given back|partitions that come or go met a fault|the engine follows |the last steps of the bots could not be stored|exchange account \d does not report its balances)/

/** A place for a node, with the one that lives there now. */
interface Berth {
  readonly number: number
  node: Node | undefined
  wanted: ReadonlySet<Partition>
  lives: number
}

export class Nodes implements Front {
  readonly life = { alive: true }
  readonly database: SharedDatabase
  readonly checks: FenceChecks
  readonly #world: World
  readonly #disk: SharedDisk
  readonly #berths: ReadonlyArray<Berth>
  readonly #outside: {
    readonly wallets: Layer.Layer<Wallets>
    readonly accounts: Layer.Layer<ExchangeAccounts>
  }
  /** Before that the people move in: one node has everything. */
  #hasBegun = false

  constructor(world: World, disk: SharedDisk) {
    this.#world = world
    this.#disk = disk
    this.database = new SharedDatabase(disk.filename, world.loom)
    this.checks = new FenceChecks(world, this)
    this.#outside = { wallets: walletsOf(world), accounts: accountsOf(world.people) }
    this.database.tell = (notice) => {
      for (const { node } of this.#berths) node?.link.hear(notice)
    }
    this.database.onMove = (all, by) => this.checks.moved(all, by)
    this.database.onFence = (fenced, lease) => this.checks.fenced(fenced, lease)
    const count = world.chance.of("nodes").whole(2, 4)
    this.#berths = Array.from({ length: count }, (_, number) => ({
      ...{ number, node: undefined, lives: 0 },
      wanted: new Set(number === 0 ? PARTITIONS : [])
    }))
    for (const berth of this.#berths) this.#start(berth)
  }

  get isReady(): boolean {
    const isIn = (berth: Berth) => berth.node?.isReady === true
    if (this.#hasBegun) return this.#berths.some(isIn)
    const first = this.#berths[0]
    return this.#berths.every(isIn) && PARTITIONS.every((id) => first?.node?.runs.has(id) === true)
  }

  /** The nodes that live now. */
  get living(): ReadonlyArray<Node> {
    return this.#berths.flatMap(({ node }) => node ?? [])
  }

  call<A, E>(
    asked: Effect.Effect<A, E, Services | Scope.Scope>,
    answer?: (exit: Exit.Exit<A, E>) => void
  ): void {
    const ready = this.living.filter((node) => node.isReady)
    if (ready.length > 0) this.#world.chance.of("balancer").pick(ready).call(asked, answer)
  }

  everywhere(asked: Effect.Effect<void, never, Services>): void {
    for (const node of this.living) node.call(asked)
  }

  /** Lets the adversary begin. */
  begin(): void {
    this.#hasBegun = true
    const { loom } = this.#world
    this.#assign()
    this.#often("assignment", 2_000, 12_000, () => this.#assign())
    this.#often("freezer", 3_000, 15_000, (dice) =>
      this.#any(dice, ({ link }) => {
        this.#freeze(link, dice.whole(200, MOST_FROZEN_MS))
        return "stands still"
      })
    )
    this.#often("killer", 6_000, 25_000, (dice) => this.#kill(dice))
    this.#often("operator of nodes", 8_000, 30_000, (dice) => this.#stop(dice))
    this.#often("cutter", 5_000, 20_000, (dice) =>
      this.#any(dice, ({ link }) => {
        link.cut()
        loom.after(dice.whole(100, MOST_CUT_MS), () => link.mend())
        return "is cut off from the database"
      })
    )
    this.#often("clockmaker", 3_000, 20_000, (dice) =>
      this.#any(dice, ({ link: { machine } }) => {
        // One that sleeps has nothing but its clock to tell it how long.
        if (machine.sleeps) return undefined
        machine.set(dice.whole(-MOST_SKEW_MS, MOST_SKEW_MS))
        return "has its clock set"
      })
    )
  }

  /** All live, nothing is cut, and every partition has a node. */
  calmDown(): void {
    for (const { link } of this.living) {
      link.mend()
      link.machine.thaw()
    }
    for (const berth of this.#berths) if (berth.node === undefined) this.#start(berth)
    this.#assign()
    this.#world.every("calm assignment", 5_000, 5_000, () => this.#assignIfDark())
  }

  close(): void {
    for (const node of this.living) node.kill()
    this.database.close()
  }

  #often(who: string, low: number, high: number, act: (dice: SeededRandom) => void): void {
    this.#world.every(who, low, high, (dice) => {
      if (!this.#world.calm) act(dice)
    })
  }

  #any(dice: SeededRandom, act: (node: Node) => string | undefined): void {
    const { living } = this
    if (living.length === 0) return
    const node = dice.pick(living)
    const what = act(node)
    if (what !== undefined) this.#world.trace(`${node.link.name} ${what}`)
  }

  #freeze(link: Link, ms: number): void {
    if (link.machine.isFrozen) return
    link.machine.freeze()
    link.stall()
    this.#world.loom.after(ms, () => link.machine.thaw())
  }

  #kill(dice: SeededRandom): void {
    const berth = dice.pick(this.#berths)
    if (berth.node === undefined) return
    this.#world.trace(`${berth.node.link.name} is killed`)
    this.#world.crashes++
    berth.node.kill()
    berth.node = undefined
    this.#world.loom.after(dice.whole(10, 15_000), () => this.#start(berth))
  }

  #stop(dice: SeededRandom): void {
    const berth = dice.pick(this.#berths)
    const { node } = berth
    if (node?.isReady !== true) return
    this.#world.trace(`${node.link.name} is told to stop`)
    node.stop(() => {
      if (berth.node !== node) return
      this.#world.trace(`${node.link.name} has stopped`)
      berth.node = undefined
      this.#world.loom.after(dice.whole(10, 8_000), () => this.#start(berth))
    })
  }

  /** Gives out the partitions anew; each node hears of it at a time of its own, so that views differ meanwhile. */
  #assign(): void {
    const { calm, chance, loom } = this.#world
    const dice = chance.of("assignment")
    const among = calm ? this.#berths.filter(({ node }) => node?.isReady === true) : this.#berths
    if (among.length === 0) return
    const given = new Map(PARTITIONS.map((id) => [id, dice.pick(among)]))
    for (const berth of this.#berths) {
      const wanted = new Set(PARTITIONS.filter((id) => given.get(id) === berth))
      loom.after(dice.whole(0, calm ? 10 : 4_000), () => {
        berth.wanted = wanted
      })
    }
  }

  #assignIfDark(): void {
    const { living } = this
    if (!PARTITIONS.every((id) => living.some(({ runs }) => runs.has(id)))) this.#assign()
  }

  /** Now and then it begins with any partition, and more often with one that it is about to get. */
  #presumed({ node, wanted }: Berth, dice: SeededRandom): ReadonlyArray<Partition> {
    if (!this.#hasBegun || this.#world.calm || !dice.chance(0.1)) return []
    const lacking = [...wanted].filter((partition) => node?.runs.has(partition) === false)
    if (lacking.length > 0) return [dice.pick(lacking)]
    return dice.chance(0.2) ? [dice.pick(PARTITIONS)] : []
  }

  #start(berth: Berth): void {
    if (berth.node !== undefined || !this.life.alive) return
    const { bounds, calm, chance, loom } = this.#world
    const dice = chance.of(`machine ${berth.number}`)
    const machine = new Machine(loom, dice.whole(-MOST_SKEW_MS, MOST_SKEW_MS), dice.chance(0.3))
    const name = `node ${berth.number}.${++berth.lives}`
    const way = {
      dice: chance.of(`way of ${name}`),
      isCalm: () => this.#world.calm || !this.#hasBegun,
      // Between the commit of orders and their sending.
      onCommit: () => {
        if (dice.chance(0.03)) this.#freeze(link, dice.whole(LEASE_MS, MOST_FROZEN_MS))
      }
    }
    const link = new Link(name, machine, this.database, way)
    this.#world.trace(`${name} starts${calm ? " in calm" : ""}`)
    const node: Node = new Node(
      {
        ...this.#outside,
        link,
        bounds,
        exchange: exchangeOf(this.#world, link, this.checks),
        turnMs: () => chance.of("journal").whole(0, 3),
        stir: () => this.#disk.stir(),
        ask: (account, work) => this.#ask(link, account, work),
        wanted: () => berth.wanted,
        presumed: () => this.#presumed(berth, dice)
      },
      {
        ready: () => {
          this.#world.trace(`${name} is ready`)
          // It has heard no price yet, and takes the first one for what it is.
          this.#world.prices.forgotten()
        },
        ended: (why) => {
          this.#world.trace(`${name} did not start: ${why}`)
          if (node.isReady) return this.#world.fail("alive", `${name} ended: ${why}`)
          if (berth.node !== node) return
          berth.node = undefined
          node.kill()
          loom.after(500, () => this.#start(berth))
        },
        logged: (level, text) => {
          if (EXPECTED.test(text)) return this.#world.trace(`${name} logged: ${text}`)
          this.#world.fail("sound", `${name} logged at ${level}: ${text}`)
        }
      }
    )
    berth.node = node
  }

  /** Asks one that runs the bots of an account; there may be several. */
  #ask<A, E>(
    own: Link,
    account: AccountId,
    work: (served: Served) => Effect.Effect<A, E | NotOwner>
  ): Effect.Effect<A, E | NotOwner> {
    const partition = partitionOf(account)
    return Effect.suspend((): Effect.Effect<A, E | NotOwner> => {
      const owners = this.living.filter(({ runs }) => runs.has(partition))
      const dice = this.#world.chance.of("requests of nodes")
      const there = owners.length === 0 ? undefined : dice.pick(owners)
      const served = there?.served
      if (there === undefined || served === undefined) return new NotOwner()
      if (there.link === own) return work(served)
      const { loom } = this.#world
      return Effect.async<A, E | NotOwner>((resume) => {
        own.machine.after(PATIENCE_MS, () =>
          resume(Effect.die(new StorageUnavailable({ reason: "the node does not answer" })))
        )
        loom.after(dice.whole(0, 5), () =>
          there.run(work(served), (exit) =>
            loom.after(dice.whole(0, 5), () => own.machine.after(0, () => resume(exit)))
          )
        )
      })
    })
  }
}
