// Servers of one cluster on this machine, which share a database, a master key and the prices of an exchange.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Served } from "../Program.ts"

const MASTER_KEY = "5a".repeat(32)

/** A server of the cluster. */
export interface Node {
  readonly served: Served
  readonly base: string
  /** Where the others reach it: its name in the list of nodes. */
  readonly address: string
}

/** What all nodes share. */
export interface Place {
  readonly url: string
  /** Where each node listens for the others. */
  readonly ports: ReadonlyArray<number>
  /** Where all have their prices. */
  readonly exchanges: string
  /** The program of those that are there first: an older build, which an upgrade finds. */
  readonly older: string | undefined
}

export class Nodes {
  readonly all = new Map<number, Node>()
  /** Everybody that ever ran, with what each has printed. */
  readonly ever: Array<Served> = []
  private readonly folder: string
  private readonly place: Place

  constructor(folder: string, place: Place) {
    this.folder = folder
    this.place = place
  }

  /** Starts a node. */
  async start(number: number, program?: string): Promise<Node> {
    const { exchanges, ports, url } = this.place
    const home = join(this.folder, `node-${number}`)
    mkdirSync(home, { recursive: true })
    const port = ports[number] ?? 0
    const { child, listening } = Served.launch(
      url,
      [
        ...["--cluster", "--node-port", `${port}`, "--alert-rate", "0", "--crud-rate", "0"],
        ...["--exchange-urls", exchanges]
      ],
      { env: { HOME: home, SIGNALBOX_MASTER_KEY: MASTER_KEY }, program }
    )
    const served = await listening.catch((error) => {
      child.kill("SIGKILL")
      throw error
    })
    this.ever.push(served)
    const node = { served, base: served.url(""), address: `127.0.0.1:${port}` }
    this.all.set(number, node)
    return node
  }

  /** Starts the first ones: of the older build, where there is one. Those that start later are of the present one. */
  async begin(count: number): Promise<void> {
    for (let number = 0; number < count; number++) await this.start(number, this.place.older)
  }

  /** Those that run, but for some. */
  but(...some: ReadonlyArray<number>): ReadonlyArray<Node> {
    return [...this.all].filter(([number]) => !some.includes(number)).map(([, node]) => node)
  }

  /** Ends all of them at once. */
  async end(): Promise<void> {
    for (const { child } of this.ever) child.kill("SIGKILL")
    await Promise.all(this.ever.map(({ child }) => child.exited))
  }
}
