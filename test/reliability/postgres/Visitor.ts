// Reads pages of a server whose database is in trouble: each is answered in time, with 503 and Retry-After at worst, and
// none names the way into the database.
import type { Served } from "../Program.ts"
import { Tally } from "../Tally.ts"
import { PASSWORD } from "./Ground.ts"

/** A caller waits for so long at most (ms). */
const PATIENCE_MS = 10_000
const PAUSE_MS = 50

/** Whether a text names the password or the user of the database. */
export const betrays = (text: string): boolean => text.includes(PASSWORD) || text.includes("app:")

export class Visitor {
  readonly answers = new Tally()
  readonly secrets = new Tally()
  slowest = 0
  private server: Served | undefined
  private readonly key: string
  private isOver = false
  private readonly ended: Promise<unknown>

  constructor(key: string) {
    this.key = key
    const paths = ["/v1/strategies", "/v1/alerts", "/metrics", "/healthz", "/readyz", "/"]
    this.ended = Promise.all(paths.map((path) => this.read(path)))
  }

  /** The server from now on; undefined while it is down. */
  visit(server: Served | undefined): void {
    this.server = server
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.ended
  }

  private async read(path: string): Promise<void> {
    while (!this.isOver) {
      await Bun.sleep(PAUSE_MS)
      const { server } = this
      if (server === undefined) continue
      const began = performance.now()
      const answer = await server
        .fetch(path, {
          headers: { authorization: `Bearer ${this.key}` },
          keepalive: false,
          signal: AbortSignal.timeout(PATIENCE_MS)
        })
        .then(async (response) => ({ response, text: await response.text() }))
        .catch(() => undefined)
      // The server was killed meanwhile.
      if (this.server !== server) continue
      const took = performance.now() - began
      this.slowest = Math.max(this.slowest, took)
      this.answers.check(
        answer !== undefined && isFine(path, answer.response),
        () => `${path}: ${answer?.response.status ?? "no answer"} after ${took.toFixed(0)} ms`
      )
      this.secrets.check(!betrays(answer?.text ?? ""), () => `${path}: ${answer?.text.slice(0, 200)}`)
    }
  }
}

const isFine = (path: string, { headers, status }: Response): boolean =>
  status === 200 || (status === 503 && headers.has("retry-after") && path !== "/healthz")
