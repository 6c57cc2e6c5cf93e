// What a browser suite runs on: servers, browsers and the results of its steps.
import { join, resolve } from "node:path"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { Owner } from "../../reliability/Owner.ts"
import { Served, type Surroundings, token } from "../../reliability/Program.ts"
import type { Row } from "./Steps.ts"
import { Steps } from "./Steps.ts"
import { Visitor } from "./Visitor.ts"

/** A server with its database, and a token of its one account. */
export interface Site {
  readonly served: Served
  readonly base: string
  readonly db: string
  readonly token: string
  /** Sets up signals and strategies of that account through the API. */
  readonly owner: Owner
}

const PICTURES = resolve(import.meta.dir, "../../../dist/browser")

/** Options without rate limits. */
const UNLIMITED = ["--crud-rate", "0", "--alert-rate", "0"]

/** A suite's browser, folder, servers and visitors, which end with it. */
export class Stage {
  readonly browser: Browser
  readonly folder: string
  readonly steps: Steps
  readonly #servers: Array<Served> = []
  readonly #visitors: Array<Visitor> = []

  constructor(suite: string, browser: Browser, folder: string, told: (row: Row) => void) {
    this.browser = browser
    this.folder = folder
    const watch = {
      flaws: () => this.#visitors.flatMap((it) => it.flaws()),
      pictures: (name: string) => this.#pictures(name)
    }
    this.steps = new Steps(suite, watch, told)
  }

  /** Starts a server; without prices and limits unless `args` say otherwise. */
  async serve(
    args: ReadonlyArray<string> = ["--prices", "none", ...UNLIMITED],
    name = "it",
    env: Surroundings["env"] = {}
  ): Promise<Site> {
    const db = join(this.folder, `${name}.db`)
    const key = await token(db, "ann", "full")
    const served = await this.start(db, args, 0, env)
    return { served, base: served.url(""), db, token: key, owner: new Owner(served, key) }
  }

  /** Starts a server on an existing database. */
  async start(
    db: string,
    args: ReadonlyArray<string>,
    port = 0,
    env: Surroundings["env"] = {}
  ): Promise<Served> {
    const served = await Served.start(db, args, { port, env })
    this.#servers.push(served)
    await served.ready()
    return served
  }

  /** A visitor with a new browser, signed in if a token is given. */
  async visit(base: string, key?: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.open(this.browser, base, options)
    this.#visitors.push(visitor)
    if (key !== undefined) await visitor.signIn(key)
    return visitor
  }

  /** Takes pictures of all open pages, in a folder that git ignores. */
  async #pictures(name: string): Promise<ReadonlyArray<string>> {
    const pages = this.#visitors.flatMap((it) => it.context.pages())
    const paths = pages.map((_, index) =>
      join(PICTURES, `${name.replace(/[^a-z0-9]+/gi, "-")}-${index + 1}.png`)
    )
    const taken = pages.map((page, index) =>
      page.screenshot({ path: paths[index] ?? "", fullPage: true, timeout: 3000 })
    )
    const results = await Promise.allSettled(taken)
    return paths.filter((_, index) => results[index]?.status === "fulfilled")
  }

  async close(): Promise<void> {
    await Promise.all(this.#visitors.map((it) => it.close().catch(() => {})))
    await Promise.all(this.#servers.map((it) => it.stop("SIGKILL")))
  }
}

/** A suite that tests the dashboard in a real browser. */
export type Suite = (stage: Stage) => Promise<void>
