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

export class Nodes {
  readonly all = new Map<number, Node>()
  /** Everybody that ever ran, with what each has printed. */
  readonly ever: Array<Served> = []
  private readonly folder: string
  private readonly url: string
  private readonly ports: ReadonlyArray<number>
  private readonly exchanges: string

  /** `ports`: where each node listens for the others; `exchanges`: where all have their prices. */
  constructor(folder: string, url: string, ports: ReadonlyArray<number>, exchanges: string) {
    this.folder = folder
    this.url = url
    this.ports = ports
    this.exchanges = exchanges
  }

  /** Starts a node. */
  async start(number: number): Promise<Node> {
    const home = join(this.folder, `node-${number}`)
    mkdirSync(home, { recursive: true })
    const port = this.ports[number] ?? 0
    const { child, listening } = Served.launch(
      this.url,
      [
        ...["--cluster", "--node-port", `${port}`, "--alert-rate", "0", "--crud-rate", "0"],
        ...["--exchange-urls", this.exchanges]
      ],
      { env: { HOME: home, SIGNALBOX_MASTER_KEY: MASTER_KEY } }
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
