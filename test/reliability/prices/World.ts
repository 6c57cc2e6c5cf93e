// A server of the built program and its price sources.
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import type { KnownExchange } from "../../../src/domain/Market.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { Owner } from "../Owner.ts"
import { Served, token } from "../Program.ts"
import { Rows } from "../Rows.ts"
import { until } from "./until.ts"
import { Venue } from "./Venue.ts"

const Health = Schema.Struct({
  status: Schema.Literal("up"),
  prices: Schema.Struct({
    source: Schema.String,
    exchanges: Schema.Array(
      Schema.Struct({
        exchange_name: Schema.String,
        state: Schema.Literal("connecting", "streaming", "polling", "unreachable"),
        since: Schema.Int,
        markets: Schema.Int,
        stale: Schema.Int,
        reconnects: Schema.Int,
        reason: Schema.String
      })
    )
  })
})
type Feed = (typeof Health.Type)["prices"]["exchanges"][number]

/** The server's health, requested once for all who read it within this time. */
const LOOK_MS = 50

const SERVE = ["--crud-rate", "0", "--alert-rate", "0"]

export class World {
  readonly venues: ReadonlyArray<Venue>
  readonly db: string
  readonly key: string
  readonly #args: ReadonlyArray<string>
  #server: Served
  #health: { readonly at: number; readonly answer: Promise<typeof Health.Type> } | undefined
  #metrics: { readonly at: number; readonly answer: Promise<string> } | undefined

  private constructor(
    venues: ReadonlyArray<Venue>,
    db: string,
    key: string,
    args: ReadonlyArray<string>,
    server: Served
  ) {
    this.venues = venues
    this.db = db
    this.key = key
    this.#args = args
    this.#server = server
  }

  /** A database and a server of its own, and seven exchanges. */
  static async start(folder: string, name: string, args: ReadonlyArray<string> = []): Promise<World> {
    const db = databaseIn(folder, name)
    const key = await token(db, "prices", "full")
    const venues = await Venue.all(new SeededRandom(1))
    const urls = venues.map((venue) => `${venue.name}=${venue.stub.url}`).join(",")
    const all = [...SERVE, "--exchange-urls", urls, ...args]
    return new World(venues, db, key, all, await Served.start(db, all))
  }

  /** A world whose prices come from another source. */
  static async plain(folder: string, name: string, args: ReadonlyArray<string>): Promise<World> {
    const db = databaseIn(folder, name)
    const key = await token(db, "prices", "full")
    return new World([], db, key, [...SERVE, ...args], await Served.start(db, [...SERVE, ...args]))
  }

  get server(): Served {
    return this.#server
  }

  get owner(): Owner {
    return new Owner(this.#server, this.key)
  }

  async kill(): Promise<void> {
    await this.#server.stop("SIGKILL")
  }

  async restart(): Promise<void> {
    this.#server = await Served.start(this.db, this.#args)
    this.#health = undefined
    this.#metrics = undefined
  }

  async stop(): Promise<number> {
    const code = await this.#server.stop()
    await Promise.all(this.venues.map((venue) => venue.stop()))
    return code
  }

  /** How the prices of an exchange come in; absent while none are wanted. */
  async feed(exchange: KnownExchange): Promise<Feed | undefined> {
    if (this.#health === undefined || Date.now() - this.#health.at > LOOK_MS)
      this.#health = { at: Date.now(), answer: this.#ask("/healthz").then(decodeHealth) }
    const { prices } = await this.#health.answer
    return prices.exchanges.find(({ exchange_name }) => exchange_name === exchange)
  }

  /** A metric of an exchange. */
  async metric(name: string, exchange: KnownExchange): Promise<number> {
    if (this.#metrics === undefined || Date.now() - this.#metrics.at > LOOK_MS)
      this.#metrics = { at: Date.now(), answer: this.#ask("/metrics") }
    const found = new RegExp(`^${name}\\{exchange="${exchange}"\\} (\\S+)$`, "m").exec(
      await this.#metrics.answer
    )
    return Number(found?.[1] ?? Number.NaN)
  }

  /** Waits for fresh and continuing prices of an exchange's wanted markets; returns the time since `since` (ms). */
  async priced(venue: Venue, since: number, withinMs: number): Promise<number> {
    const counter = () => this.metric("signalbox_quotes_accepted_total", venue.name)
    const before = await counter()
    const comes = async () => {
      const feed = await this.feed(venue.name)
      return feed !== undefined && feed.stale === 0 && (await counter()) >= before + feed.markets
    }
    await until(`prices of ${venue.name}`, comes, withinMs - (Date.now() - since))
    return Date.now() - since
  }

  /** Waits until an exchange's wanted markets stream and are accepted; returns the time since `since` (ms). */
  async well(venue: Venue, since: number, withinMs: number): Promise<number> {
    const isOpen = async () => {
      const feed = await this.feed(venue.name)
      if (feed?.state !== "streaming" || feed.stale > 0) return false
      return venue.stub.subscriptions().size >= feed.markets
    }
    await until(`streams of ${venue.name}`, isOpen, withinMs - (Date.now() - since))
    const before = await this.metric("signalbox_quotes_accepted_total", venue.name)
    const goesOn = async () =>
      (await this.metric("signalbox_quotes_accepted_total", venue.name)) >= before + 10
    await until(`prices of ${venue.name} that stream`, goesOn, withinMs - (Date.now() - since))
    return Date.now() - since
  }

  rows<A>(use: (rows: Rows) => A): A {
    const rows = new Rows(this.db)
    try {
      return use(rows)
    } finally {
      rows.close()
    }
  }

  /** Resident memory (MB). */
  get resident(): number {
    return residentOf(this.#server.child.pid)
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.key}`, ...Object.fromEntries(new Headers(init.headers)) }
    return this.#server.fetch(path, { ...init, headers })
  }

  async #ask(path: string): Promise<string> {
    const response = await this.fetch(path)
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`)
    return response.text()
  }
}

/** Puts the database into a folder of its own for the files beside it. */
const databaseIn = (folder: string, name: string): string => {
  mkdirSync(join(folder, name))
  return join(folder, name, "signalbox.db")
}

export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const decodeHealth = Schema.decodeUnknownSync(Schema.parseJson(Health))
