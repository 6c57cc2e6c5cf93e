// Two servers of a cluster, of which one has all bots and the other takes them over. Seven stub exchanges take their orders.
import { administrate } from "../../lib/postgres/Database.ts"
import { type Server, start, stop } from "../../lib/postgres/Server.ts"
import * as Owners from "../cluster/Owners.ts"
import { World } from "../orders/World.ts"
import type { Served } from "../Program.ts"
import { must } from "../prices/until.ts"

/** How soon the other one has all bots (ms): the lease of the one before holds for ten seconds. */
const TAKEN_MS = 25_000
/** How long a server goes on that was frozen, before it stops in order: longer than any request waits. */
const THAWED_MS = 12_000
const LOWEST_PORT = 20_000
const PORTS = 12_000

export class Pair {
  readonly world: World
  readonly url: string
  /** How long the take-overs took (ms). */
  readonly took: Array<number> = []
  readonly #postgres: Server
  #nextPort: number

  private constructor(world: World, url: string, postgres: Server, nextPort: number) {
    this.world = world
    this.url = url
    this.#postgres = postgres
    this.#nextPort = nextPort
  }

  /** A database and the first server, with the exchange accounts of seven owners. */
  static async start(folder: string, name: string): Promise<Pair> {
    const postgres = await start({ durable: true, connections: 120 })
    await administrate(postgres, `CREATE DATABASE ${name}`)
    const db = `postgres://signalbox@127.0.0.1:${postgres.port}/${name}`
    const port = LOWEST_PORT + Math.floor(Math.random() * PORTS)
    const world = await World.start(folder, name, { db, args: argsOf(port) })
    const pair = new Pair(world, db, postgres, port + 1)
    await pair.#owns(port)
    await world.connectAll()
    return pair
  }

  /** Another server takes over from one that is gone or frozen, and is asked from now on. */
  async takenOver(): Promise<void> {
    const port = this.#nextPort++
    const next = await this.world.another(argsOf(port))
    this.world.use(next)
    this.took.push(await this.#owns(port))
  }

  /** A server that was frozen goes on for a while beside its successor, and stops in order. */
  async thawed(frozen: Served): Promise<void> {
    frozen.child.kill("SIGCONT")
    await Bun.sleep(THAWED_MS)
    const code = await frozen.stop()
    this.world.printed += frozen.printed
    must(code === 0, `the server that was frozen ended with ${code}: ${frozen.printed.slice(-500)}`)
  }

  async stop(): Promise<void> {
    await this.world.stop()
    await stop(this.#postgres)
  }

  async #owns(port: number): Promise<number> {
    const { server } = this.world
    const node = { served: server, base: server.url(""), address: `127.0.0.1:${port}` }
    const took = await Owners.within(this.url, [node], TAKEN_MS)
    must(took < TAKEN_MS, `after ${took.toFixed(0)} ms not all bots were taken over`)
    await server.ready()
    return took
  }
}

const argsOf = (port: number): ReadonlyArray<string> => ["--cluster", "--node-port", `${port}`]
