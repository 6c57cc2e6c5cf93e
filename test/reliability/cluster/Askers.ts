// People who look at their strategies and change them, on any node, while nodes come and go. They remember what failed.
import * as Schema from "effect/Schema"
import type { Rows } from "../Rows.ts"
import type { Keys } from "../Storm.ts"

/** How long an answer may take, which is longer than any server promises, and the pause between two requests (ms). */
const PATIENCE_MS = 15_000
const PAUSE_MS = 50
/** How many requests tell whether people are served well, and within which time each has to be answered then (ms). */
const LATELY = 8
const WELL_MS = 1000

const StrategyRow = Schema.Struct({ id: Schema.Int, account: Schema.Int })

export class Askers {
  /** The nodes that a load balancer would ask. */
  bases: ReadonlyArray<string> = []
  /** Nodes that were killed or frozen: what they leave unanswered is no fault. */
  readonly excused = new Set<string>()
  answers = 0
  /** Responses that ask to come back later, and what the last of them said. */
  postponed = 0
  excuse = ""
  /** All other responses, and requests without one. */
  readonly refused: Array<string> = []
  private isOver = false
  /** How long the last requests took (ms). */
  private took: Array<number> = []
  private readonly strategies: ReadonlyArray<{ readonly id: number; readonly token: string }>

  /** `accounts` are those with the ids from 1 on. */
  constructor(rows: Rows, accounts: ReadonlyArray<Keys>) {
    this.strategies = rows
      .all(StrategyRow, "SELECT id, account FROM strategies ORDER BY id")
      .flatMap((row) => {
        const keys = accounts[row.account - 1]
        return keys === undefined ? [] : [{ id: row.id, token: keys.api }]
      })
  }

  /** Asks until `end`. */
  async ask(): Promise<void> {
    for (let turn = 0; !this.isOver; turn++) {
      const [base, strategy] = [
        this.bases[turn % this.bases.length],
        this.strategies[turn % this.strategies.length]
      ]
      if (base !== undefined && strategy !== undefined) await this.once(base, strategy, turn)
      await Bun.sleep(PAUSE_MS)
    }
  }

  /** Waits until so many requests in a row that begin from now on are answered well; `patience` (ms) at the longest. */
  async areServedWell(patience: number): Promise<void> {
    const until = performance.now() + patience
    this.took = []
    const isWell = () => this.took.length >= LATELY && this.took.slice(-LATELY).every((ms) => ms <= WELL_MS)
    while (!isWell() && performance.now() < until) await Bun.sleep(PAUSE_MS)
  }

  end(): void {
    this.isOver = true
  }

  private async once(
    base: string,
    { id, token }: { id: number; token: string },
    turn: number
  ): Promise<void> {
    const authorization = `Bearer ${token}`
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const isChange = turn % 2 === 0
    const began = performance.now()
    const request = isChange
      ? fetch(`${base}/v1/strategies/${id}`, {
          ...{ method: "PUT", signal, body: JSON.stringify({ description: `turn ${turn}` }) },
          headers: { authorization, "content-type": "application/json" }
        })
      : fetch(`${base}/v1/strategies`, { headers: { authorization }, signal })
    const answer = await request.then(
      async (response) => ({
        status: response.status,
        later: response.headers.has("retry-after"),
        text: await response.text()
      }),
      (cause) => ({ status: 0, later: false, text: `${cause}` })
    )
    this.took.push(answer.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
    if (answer.status === 200) this.answers++
    else if (answer.status === 503 && answer.later) {
      this.postponed++
      this.excuse = `; the last one: ${answer.text.slice(0, 300)}`
    } else if (answer.status !== 0 || !this.excused.has(base))
      this.refused.push(
        `${isChange ? "a change" : "a look"} was answered ${answer.status}: ${answer.text.slice(0, 1000)}`
      )
  }
}
