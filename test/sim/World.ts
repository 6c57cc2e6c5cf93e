import { Effect, type Exit, type Scope } from "effect"
import { type MarketId, marketKey, Pair } from "../../src/domain/Market.ts"
import { LiveFeed } from "../../src/services/LiveFeed.ts"
import { Dice } from "../../src/testing/Dice.ts"
import { Disk, type Template } from "./Disk.ts"
import { Life, Loom } from "./Loom.ts"
import { accountsOf, ByHand, walletsOf } from "./Money.ts"
import { Prices } from "./Prices.ts"
import { type Alter, Server, type Services } from "./Server.ts"
import { Venue } from "./Venue.ts"

/** Something that must never be. */
export interface Violation {
  readonly invariant: string
  readonly text: string
}

/** A bug put in on purpose, to see that it is found. */
export interface Mutant {
  readonly name: string
  readonly alter: (world: World) => Alter
}

/** 2026-01-05 00:00 UTC. */
const BEGIN = 1_767_571_200_000
const MOST_TRACED = 60
/** Of tasks without a moment going by. */
const MOST_STEPS = 300_000

export const MARKETS: ReadonlyArray<MarketId> = (["BTC/USDT", "ETH/USDT"] as const).flatMap((pair) =>
  (["spot", "swap"] as const).map((kind) => ({ exchange: "binance", pair: Pair.make(pair), kind }) as const)
)

/** Logged by a server that is well, but whose disk is full or whose exchange is silent: anything else is a flaw. */
const EXPECTED =
  /^(alerts cannot be stored and are refused|the bots wait until their steps can be stored|exchange account \d does not tell what it holds)/

/** A server, its disk, an exchange, prices and people, all of one seed. */
export class World {
  readonly dice: Dice
  readonly loom: Loom
  readonly disk: Disk
  readonly prices: Prices
  readonly venue: Venue
  readonly people: Template["people"]
  readonly byHand = new ByHand()
  server: Server
  /** No more faults: what was promised has to come true. */
  calm = false
  crashes = 0
  violation: Violation | undefined
  #restless = 0
  readonly #alter: Alter
  readonly #traced: Array<string> = []

  constructor(seed: number, template: Template, mutant?: Mutant) {
    this.dice = new Dice(seed)
    this.loom = new Loom(this.dice, BEGIN)
    this.disk = new Disk(template)
    this.people = template.people
    this.prices = new Prices(this.loom, MARKETS)
    this.venue = new Venue(this.loom, this.prices)
    this.venue.tell = (what) => this.trace(what)
    this.#alter = mutant?.alter(this) ?? ((base) => base)
    this.server = this.#start()
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

  /** The first thing that must never be ends the run. */
  fail(invariant: string, text: string): void {
    this.violation ??= { invariant, text }
  }

  call<A, E>(
    asked: Effect.Effect<A, E, Services | Scope.Scope>,
    answer?: (exit: Exit.Exit<A, E>) => void
  ): void {
    this.server.call(asked, answer)
  }

  /** Does it again and again, after so many ms each time, for as long as the world lasts. */
  every(low: number, high: number, act: () => void): void {
    this.loom.after(this.dice.whole(low, high), () => {
      act()
      this.every(low, high, act)
    })
  }

  /** Lets it all run until something holds, or until then (ms); whether it held. */
  awaits(until: number, enough: () => boolean): boolean {
    while (this.violation === undefined && !enough()) if (!this.#step(until)) return enough()
    return this.violation === undefined
  }

  /** Lets it all run for so long (ms); whether nothing was found. */
  passes(ms: number): boolean {
    const until = this.now + ms
    while (this.violation === undefined && this.#step(until));
    return this.violation === undefined
  }

  /** A server that never comes to rest at one moment never will. */
  #step(until: number): boolean {
    const before = this.now
    const isMore = this.loom.step(until)
    this.#restless = this.now === before ? this.#restless + 1 : 0
    if (this.#restless > MOST_STEPS) this.fail("alive", "the server never comes to rest")
    return isMore
  }

  /** Some markets move, and the server is told in one go of those that it asked for. When all is calm, prices are rarer. */
  quote(): void {
    const moving = MARKETS.filter(() => this.calm || this.dice.chance(0.6))
    const quotes = moving.flatMap((market) => this.prices.tick(market, this.calm))
    for (const market of moving) this.venue.moved(market)
    const tell = Effect.gen(this, function* () {
      const feed = yield* LiveFeed
      const wanted = new Set((yield* feed.wanted).map(marketKey))
      const heard = quotes.filter(({ market }) => wanted.has(marketKey(market)))
      this.prices.tell(heard)
      feed.publish(heard)
    })
    if (quotes.length > 0) this.call(tell)
    const wait = this.calm ? this.dice.whole(4_000, 8_000) : this.dice.whole(500, 2_500)
    this.loom.after(wait, () => this.quote())
  }

  /** The server dies between two steps of its fibers, and another is started on what it left on disk. */
  crash(): void {
    this.trace("crash")
    this.crashes++
    this.server.life.alive = false
    this.disk.cut()
    this.prices.forgotten()
    this.server = this.#start()
  }

  /** The disk is full for so long (ms), or until a crash. */
  fillDisk(ms: number): void {
    this.trace("the disk is full")
    this.disk.fill()
    this.loom.after(ms, () => {
      this.trace("the disk has room")
      this.disk.makeRoom()
    })
  }

  close(): void {
    this.server.life.alive = false
    this.disk.close()
  }

  #start(): Server {
    const life = new Life(this.loom)
    const parts = {
      filename: this.disk.filename,
      life,
      exchange: this.venue.layer(life),
      wallets: walletsOf(this.venue, this.byHand, this.loom),
      accounts: accountsOf(this.people),
      alter: this.#alter
    }
    return new Server(parts, {
      ready: () => this.trace("the server is ready"),
      ended: (why) => this.fail("alive", `the server ended: ${why}`),
      logged: (level, text) => {
        if (EXPECTED.test(text)) return this.trace(`logged: ${text}`)
        this.fail("sound", `the server logged at ${level}: ${text}`)
      }
    })
  }
}
