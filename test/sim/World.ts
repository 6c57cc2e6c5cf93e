// A simulated world: server, disk, exchange, prices and people, all determined by one seed.
import { Effect, type Exit, type Scope } from "effect"
import { type MarketId, marketKey, Pair } from "../../src/domain/Market.ts"
import type { Bounds } from "../../src/services/engine/EngineLimits.ts"
import { StreamingFeed } from "../../src/services/feeds/StreamingFeed.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { boundsOf } from "./bounds.ts"
import { Chance } from "./Chance.ts"
import type { Disk, Template } from "./Disk.ts"
import { Guard } from "./Guard.ts"
import { Life, Loom } from "./Loom.ts"
import { accountsOf, ByHand, walletsOf } from "./Money.ts"
import { Pace, PLACES } from "./Pace.ts"
import { Prices } from "./Prices.ts"
import { type Alter, Server, type Services } from "./Server.ts"
import { Venue } from "./Venue.ts"

/** A violated invariant. */
export interface Violation {
  readonly invariant: string
  readonly text: string
}

/** A planted bug, which the world must find: in a port, or in the source (`plants.ts`) if `alter` is absent. */
export interface Mutant {
  readonly name: string
  readonly alter?: (world: World) => Alter
}

/** What the people see of the server: the one, or several nodes. */
export interface Front extends Pick<Server, "isReady" | "call"> {
  readonly life: { alive: boolean }
  /** Asks every server that runs, where there are several. */
  readonly everywhere: (asked: Effect.Effect<void, never, Services>) => void
}

/**
 * The kind of world that a seed makes. `followers` counts the neighbours' strategies, 0 without neighbours. An even
 * world (see `Pace`) has no crashes and no full disks.
 */
export interface Plan {
  readonly isEven: boolean
  readonly followers: number
  /** Whether there are several servers. Their answers overtake each other, and prices come without gaps and wild ticks. */
  readonly hasNodes?: boolean
}

/** 2026-01-05 00:00 UTC. */
const BEGIN = 1_767_571_200_000
const MOST_TRACED = 60
/** The most tasks in one moment. */
const MOST_STEPS = 300_000

export const MARKETS: ReadonlyArray<MarketId> = (["BTC/USDT", "ETH/USDT"] as const).flatMap((pair) =>
  (["spot", "swap"] as const).map((kind) => ({ exchange: "binance", pair: Pair.make(pair), kind }) as const)
)

/** How long after a start that failed, because the database was away, the next one is tried (ms). */
const AGAIN_MS = 500

/**
 * Log lines of a healthy server whose disk is full, whose database is away or whose exchange is silent: any other error
 * is a violation.
 */
const EXPECTED =
  /^(alerts cannot be stored and are refused|the bots wait until their steps can be stored|exchange account \d does not report its balances|changes of other processes are not noticed|the engine follows )/

export class World {
  readonly plan: Plan
  readonly chance: Chance
  readonly pace: Pace
  readonly loom: Loom
  readonly disk: Disk
  readonly prices: Prices
  readonly venue: Venue
  readonly people: Template["people"]
  readonly neighbours: Template["neighbours"]
  /** Names of the people's strategies by id: compared worlds know them by these. */
  readonly names = new Map<number, string>()
  readonly byHand = new ByHand()
  readonly bounds: Bounds
  server: Front
  /** No more faults: all promises must be kept now. */
  calm = false
  crashes = 0
  violation: Violation | undefined
  #restless = 0
  readonly #guard = new Guard(() => this.fail("alive", "a bot decides without end"))
  readonly #alter: Alter
  readonly #traced: Array<string> = []

  /** Makes the world of a seed on a database of its own. */
  static async make(seed: number, template: Template, plan: Plan, mutant?: Mutant): Promise<World> {
    return new World(seed, { ...template, disk: await template.open() }, plan, { mutant })
  }

  /** `begin` starts something else than the one server. */
  constructor(
    seed: number,
    ground: Pick<Template, "people" | "neighbours"> & { readonly disk: Disk },
    plan: Plan,
    { begin, mutant }: { readonly mutant?: Mutant | undefined; readonly begin?: (world: World) => Front }
  ) {
    this.plan = plan
    this.chance = new Chance(seed)
    this.bounds = boundsOf(this.chance.of("bounds"), plan)
    this.loom = new Loom(new SeededRandom(seed), plan.isEven ? BEGIN + PLACES.start : BEGIN)
    this.pace = new Pace(this.loom, plan.isEven)
    this.disk = ground.disk
    this.people = ground.people
    this.neighbours = ground.neighbours
    this.prices = new Prices(this.loom, this.chance, MARKETS)
    const nameOf = (strategy: number) => this.names.get(strategy)
    this.venue = new Venue(this.loom, this.chance, this.pace, this.prices, nameOf)
    this.venue.tell = (what) => this.trace(what)
    const altered = mutant?.alter?.(this) ?? ((base) => base)
    this.#alter = (base) => altered(this.#guard.alter(base))
    this.server = begin?.(this) ?? this.#start()
  }

  get now(): number {
    return this.loom.now
  }

  trace(what: string): void {
    this.#traced.push(`${((this.now - BEGIN) / 1000).toFixed(3).padStart(8)} s  ${what}`)
    if (this.#traced.length > MOST_TRACED) this.#traced.shift()
  }

  get traced(): ReadonlyArray<string> {
    return this.#traced
  }

  /** The first violation ends the run. */
  fail(invariant: string, text: string): void {
    this.violation ??= { invariant, text }
  }

  call<A, E>(
    asked: Effect.Effect<A, E, Services | Scope.Scope>,
    answer?: (exit: Exit.Exit<A, E>) => void
  ): void {
    this.server.call(asked, answer)
  }

  /** Repeats an action at random intervals (ms) as long as the world lasts. */
  every(who: string, low: number, high: number, act: (dice: SeededRandom) => void): void {
    const dice = this.chance.of(who)
    const place = this.pace.person()
    const again = () =>
      this.loom.after(this.pace.wait(dice.whole(low, high), place), () => {
        act(dice)
        again()
      })
    again()
  }

  /** Runs until a condition holds or a time (ms) is reached; whether it held. */
  async awaits(until: number, enough: () => boolean): Promise<boolean> {
    while (this.violation === undefined && !enough()) {
      const pending = this.#pending()
      if (pending !== undefined) await pending
      else if (!this.#step(until)) return enough()
    }
    return this.violation === undefined
  }

  /** Runs for a time (ms); whether no violation was found. */
  async passes(ms: number): Promise<boolean> {
    const until = this.now + ms
    await this.awaits(until, () => false)
    return this.violation === undefined
  }

  /** Time stands still while a statement is on its way and nobody has anything else to do. */
  #pending(): Promise<void> | undefined {
    return this.disk.stirred?.() ?? (this.loom.isIdle ? this.disk.pending() : undefined)
  }

  /** A server that never comes to rest within one moment is at fault. */
  #step(until: number): boolean {
    const before = this.now
    this.#guard.rest()
    const isMore = this.loom.step(until)
    this.#restless = this.now === before ? this.#restless + 1 : 0
    if (this.#restless > MOST_STEPS) this.fail("alive", "the server never comes to rest")
    return isMore
  }

  /** Moves some markets and publishes the wanted prices in one batch; less often when calm. */
  quote(): void {
    const dice = this.chance.of("prices")
    const isPlain = this.plan.hasNodes === true
    const moving = MARKETS.filter(() => this.calm || dice.chance(0.6))
    const quotes = moving.flatMap((market) => this.prices.tick(market, this.calm || isPlain))
    for (const market of moving) this.venue.moved(market)
    const tell = Effect.gen(this, function* () {
      const feed = yield* StreamingFeed
      const wanted = new Set((yield* feed.wanted).map(marketKey))
      // In an even world every price is published: otherwise the neighbours' wishes would change when people decide.
      const heard = quotes.filter(({ market }) => this.pace.isEven || wanted.has(marketKey(market)))
      this.prices.tell(heard)
      feed.publish(heard)
    })
    if (quotes.length > 0) this.server.everywhere(tell)
    const wait = this.calm ? dice.whole(4_000, 8_000) : dice.whole(500, 2_500)
    this.loom.after(this.pace.wait(wait, PLACES.price), () => this.quote())
  }

  /** Kills the server between two steps of its fibers, and starts another on the same disk. */
  crash(): void {
    this.trace("crash")
    this.crashes++
    this.server.life.alive = false
    this.disk.cut()
    this.prices.forgotten()
    this.server = this.#start()
  }

  /** Fills the disk for a time (ms), or until a crash. */
  fillDisk(ms: number): void {
    this.trace("the disk is full")
    this.disk.fill()
    this.loom.after(ms, () => {
      this.trace("the disk has room")
      this.disk.makeRoom()
    })
  }

  close(): Promise<void> {
    this.server.life.alive = false
    return this.disk.close()
  }

  #start(): Server {
    const life = new Life(this.loom)
    const parts = {
      disk: this.disk,
      life,
      exchange: this.venue.layer(life),
      wallets: walletsOf(this),
      accounts: accountsOf(this.people),
      turnMs: () => (this.pace.isEven ? 1 : this.chance.of("journal").whole(0, 3)),
      alter: this.#alter,
      bounds: this.bounds
    }
    return new Server(parts, {
      ready: () => this.trace("the server is ready"),
      ended: (why) => {
        if (this.server.isReady || this.disk.strike === undefined)
          return this.fail("alive", `the server ended: ${why}`)
        this.trace(`the server did not start: ${why}`)
        this.loom.after(AGAIN_MS, () => {
          if (this.server.life === life) this.server = this.#start()
        })
      },
      logged: (level, text) => {
        if (EXPECTED.test(text)) return this.trace(`logged: ${text}`)
        this.fail("sound", `the server logged at ${level}: ${text}`)
      }
    })
  }
}
