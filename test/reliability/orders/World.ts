// A server of the built program with seven stub exchanges, an owner at each, and one owner on paper.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { KnownExchange } from "../../../src/domain/Market.ts"
import { Owner } from "../Owner.ts"
import { command, type Ended, Served, token } from "../Program.ts"
import { must, until } from "../prices/until.ts"
import { Rows } from "../Rows.ts"
import { Venue } from "./Venue.ts"

const SERVE = ["--crud-rate", "0", "--alert-rate", "0"]
/** How often an account is connected at most. */
const MOST_TRIES = 3
/** The name of each owner's exchange account. */
export const ACCOUNT = "desk"
/** The owner who trades on paper. */
const PAPER = "paper"
/** A master key for these tests alone: 32 bytes in hex. */
const MASTER_KEY = "5e".repeat(32)

/** An owner with a token and an exchange account, or on paper without one. */
export interface Owned {
  readonly name: KnownExchange | typeof PAPER
  readonly venue: Venue
  readonly key: string
  readonly isPaper: boolean
}

/** The database and further options of the server, where they are not the usual ones. */
export interface Place {
  readonly db?: string
  readonly args?: ReadonlyArray<string>
}

export class World {
  readonly venues: ReadonlyArray<Venue>
  readonly db: string
  readonly owners: ReadonlyArray<Owned>
  readonly env: Readonly<Record<string, string>>
  /** The output of all servers and commands. */
  printed = ""
  readonly #args: ReadonlyArray<string>
  #server: Served | undefined
  #rows: Rows | undefined

  private constructor(
    venues: ReadonlyArray<Venue>,
    db: string,
    owners: ReadonlyArray<Owned>,
    args: ReadonlyArray<string>,
    env: Readonly<Record<string, string>>
  ) {
    this.venues = venues
    this.db = db
    this.owners = owners
    this.#args = args
    this.env = env
  }

  /** Seven exchanges, an owner at each and one on paper, their exchange accounts connected, and the server. */
  static async start(folder: string, name: string, place: Place = {}): Promise<World> {
    const home = join(folder, name)
    mkdirSync(home)
    const { args = [], db = join(home, "signalbox.db") } = place
    const venues = await Venue.all()
    const urls = venues.map((venue) => `${venue.name}=${venue.stub.url}`).join(",")
    const env = {
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      SIGNALBOX_EXCHANGE_URLS: urls,
      SIGNALBOX_MASTER_KEY: MASTER_KEY
    }
    const owners: Array<Owned> = []
    for (const venue of venues)
      owners.push({ name: venue.name, venue, key: await token(db, venue.name, "full"), isPaper: false })
    const [first] = venues
    if (first !== undefined)
      owners.push({ name: PAPER, venue: first, key: await token(db, PAPER, "full"), isPaper: true })
    const world = new World(venues, db, owners, [...SERVE, ...args], env)
    await world.restart()
    return world
  }

  get server(): Served {
    if (this.#server === undefined) throw new Error("the server is down")
    return this.#server
  }

  ownerOf({ key }: Owned): Owner {
    return new Owner(this.server, key)
  }

  /** The owners with an exchange account. */
  get traders(): ReadonlyArray<Owned> {
    return this.owners.filter(({ isPaper }) => !isPaper)
  }

  async kill(): Promise<void> {
    this.#closeRows()
    const server = this.#server
    this.#server = undefined
    await server?.stop("SIGKILL")
    this.printed += server?.printed ?? ""
  }

  /** Starts a server on the same database, or on another one from now on. */
  async restart(): Promise<void> {
    this.#server = await Served.start(this.db, this.#args, { env: this.env })
    await this.#server.ready()
  }

  /** Asks another server of the same database from now on. Whoever calls ends the one before. */
  use(server: Served): void {
    this.#server = server
  }

  /** Starts another server with the same settings and these, beside the one that is asked. */
  async another(args: ReadonlyArray<string>): Promise<Served> {
    return Served.start(this.db, [...SERVE, ...args], { env: this.env })
  }

  /** Stops the server in order. */
  async end(): Promise<number> {
    this.#closeRows()
    const server = this.#server
    this.#server = undefined
    const code = (await server?.stop()) ?? 0
    this.printed += server?.printed ?? ""
    return code
  }

  /** Stops everything, once. */
  async stop(): Promise<void> {
    await this.end()
    await Promise.all(this.venues.map((venue) => venue.stop()))
  }

  /** Runs a command beside the server. */
  async command(args: ReadonlyArray<string>, input = ""): Promise<Ended> {
    const ended = await command([...args, "--db", this.db], {
      ...{ env: this.env, input },
      signal: AbortSignal.timeout(60_000)
    })
    this.printed += ended.stdout + ended.stderr
    return ended
  }

  /** The output of a command that must succeed. */
  async said(args: ReadonlyArray<string>, input = ""): Promise<string> {
    const { exitCode, stderr, stdout } = await this.command(args, input)
    must(exitCode === 0, `${args.join(" ")} ended with ${exitCode}: ${stderr.slice(-300)}`)
    return stdout
  }

  /** Connects an owner's exchange account, as its owner would. */
  connect({ name, venue }: Owned, called = ACCOUNT): Promise<Ended> {
    const { apiKey, password, secret } = venue.desk.credentials
    const lines = [apiKey, secret, ...(password === undefined ? [] : [password])]
    const args = ["account", "connect", venue.name, "--owner", name, "--name", called]
    return this.command(args, `${lines.join("\n")}\n`)
  }

  /** On a busy machine a stub may answer too late: then it is asked again, as its owner would. */
  async connectAll(): Promise<void> {
    for (const owner of this.traders) {
      let ended = await this.connect(owner)
      for (let tries = 1; tries < MOST_TRIES && ended.stderr.includes("it does not answer"); tries++)
        ended = await this.connect(owner)
      must(ended.exitCode === 0, `${owner.name} was not connected: ${ended.stderr.slice(-300)}`)
    }
  }

  /** Sends requests over one connection to each server, because there are many a second. */
  rows<A>(use: (rows: Rows) => A): A {
    this.#rows ??= new Rows(this.db)
    return use(this.#rows)
  }

  #closeRows(): void {
    this.#rows?.close()
    this.#rows = undefined
  }

  fetch({ key }: Owned, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, ...Object.fromEntries(new Headers(init.headers)) }
    return this.server.fetch(path, { ...init, headers })
  }

  /** The JSON of an answer that must be a 200. */
  async ask(owner: Owned, path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await this.fetch(owner, path, init)
    const text = await response.text()
    must(
      response.status === 200,
      `${init.method ?? "GET"} ${path} was answered ${response.status}: ${text.slice(0, 300)}`
    )
    return JSON.parse(text)
  }

  /** Waits until an exchange's prices stream. */
  async streams({ name }: Venue, withinMs = 20_000): Promise<void> {
    const isOpen = async () => {
      const health = await (await this.server.fetch("/healthz")).text()
      return new RegExp(`"exchange_name":"${name}","state":"streaming"[^}]*"stale":0`).test(health)
    }
    await until(`prices of ${name}`, isOpen, withinMs)
  }
}
