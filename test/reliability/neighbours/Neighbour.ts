// An account that keeps to every limit and uses it up: alerts, bodies, streams, back-tests, connections, and records
// that are created, changed and deleted. The server's limits are off for the set-up, and this file keeps to them.
import { Owner } from "../Owner.ts"
import { token } from "../Program.ts"
import type { Venue } from "../prices/Venue.ts"
import type { World } from "../prices/World.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { Sockets } from "./Sockets.ts"

/** The limits of one account. */
const STRATEGIES = 1_000
const ALERTS_A_SECOND = 30
const READS_A_SECOND = 30
const PAGES_A_SECOND = 50
const RECORDS_A_SECOND = 2
/** The number of requested streams, of which those beyond the limit are refused. */
const STREAMS = 50
const BODY_BYTES = 65_536
/** Candles of a back-test, minute by minute: about as large as its body may be. */
const CANDLES = 500_000
/** The number of senders, and of readers. Each waits for its answers. */
const LANES = 3
/** How long the neighbour is busy before the first trial (ms). */
const WARM_MS = 10_000

/** Counts of answers by action and status. */
type Kind = "alerts" | "records" | "bodies" | "reads" | "back-tests"

export class Neighbour {
  readonly #world: World
  readonly #key: string
  readonly #signal: number
  readonly #strategies: Array<number>
  readonly #settings: object
  readonly #ending = new AbortController()
  readonly #busy: Array<Promise<void>> = []
  readonly #begun = new Set<Kind>()
  readonly #answered = new Map<Kind, number>()
  readonly #failed = new Map<Kind, number>()
  #sockets: Sockets | undefined

  private constructor(
    world: World,
    key: string,
    signal: number,
    strategies: Array<number>,
    settings: object
  ) {
    this.#world = world
    this.#key = key
    this.#signal = signal
    this.#strategies = strategies
    this.#settings = settings
  }

  static async move(world: World, venue: Venue): Promise<Neighbour> {
    const key = await token(world.db, "neighbour", "full")
    const owner = new Owner(world.server, key)
    const signal = await owner.signal("storm")
    const settings = {
      default_exchange_name: venue.name,
      exchanges: [{ exchange_name: venue.name, coin_pairs: [`BTC/${venue.currency}`] }],
      buy_percentage: 1,
      trailing_sell: true,
      trailing_sell_arm: 0.1,
      trailing_sell_percentage: 0.05
    }
    const strategies: Array<number> = []
    for (let made = 0; made < STRATEGIES; made++) strategies.push(await owner.strategy(signal, [], settings))
    return new Neighbour(world, key, signal, strategies, settings)
  }

  /** Begins everything, and ends when the backlog has had time to grow. */
  async atFull(): Promise<void> {
    for (let lane = 0; lane < LANES; lane++) {
      this.#again("alerts", ALERTS_A_SECOND / LANES, (count) => this.#alert(count))
    }
    this.#again("records", RECORDS_A_SECOND, (count) => this.#changeStrategy(count))
    this.#again("records", RECORDS_A_SECOND, (count) => this.#changeSignal(count))
    this.#again("records", RECORDS_A_SECOND, (count) => this.#changeToken(count))
    this.#again("bodies", 2, () => this.#post("/v1/signals/charting", "-eyJ".repeat(BODY_BYTES / 4 - 10)))
    const backtest = backtestBody(this.#settings)
    // Only one back-test of an account runs at a time, so the other one is always refused.
    for (let lane = 0; lane < 2; lane++)
      this.#again("back-tests", 2, () => this.#post("/v1/dashboard/backtests", backtest))
    for (let stream = 0; stream < STREAMS; stream++) this.#busy.push(this.#listen())
    this.#sockets = new Sockets(this.#world.server.port, this.#key)
    await Bun.sleep(WARM_MS)
  }

  /** Reads its longest lists and pages as often as it may. */
  reads(): void {
    for (let lane = 0; lane < LANES; lane++) {
      this.#again("reads", READS_A_SECOND / LANES, () => this.#get("/v1/alerts?limit=500"))
      this.#again("reads", PAGES_A_SECOND / LANES, (count) => this.#get(PAGES[count % PAGES.length] ?? "/"))
    }
  }

  async leave(): Promise<void> {
    this.#ending.abort()
    this.#sockets?.end()
    await Promise.allSettled(this.#busy)
  }

  row(suite: string): Row {
    const tally = new Tally()
    for (const kind of this.#begun)
      tally.check((this.#answered.get(kind) ?? 0) > 0, () => `none of its ${kind} was answered`)
    const done = [...this.#answered].map(([kind, count]) => `${count} ${kind}`)
    const failed = [...this.#failed].map(([kind, count]) => `${count} ${kind}`)
    return tally.row(
      `${suite}: what the neighbour did`,
      `${done.join(", ")}; ${this.#sockets?.opened ?? 0} connections; without an answer: ${failed.join(", ") || "none"}`
    )
  }

  /** Repeats an action so many times a second, but never twice at once. */
  #again(kind: Kind, aSecond: number, act: (count: number) => Promise<unknown>): void {
    this.#begun.add(kind)
    const { signal } = this.#ending
    const more = (counts: Map<Kind, number>) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const go = async () => {
      for (let count = 0; !signal.aborted; count++) {
        const next = Bun.sleep(1_000 / aSecond)
        await act(count).then(
          () => more(this.#answered),
          () => signal.aborted || more(this.#failed)
        )
        await next
      }
    }
    this.#busy.push(go())
  }

  #alert(count: number): Promise<unknown> {
    const type = count % 2 === 0 ? "buy" : "sell"
    return this.#post("/v1/signals/alert", {
      signal_id: this.#signal,
      coin: "BTC",
      quote_currency: "USDT",
      type
    })
  }

  /** Sends bodies with as many errors as fit, deletes and creates records, and switches one off and on. */
  async #changeStrategy(count: number): Promise<unknown> {
    const id = this.#strategies[count % this.#strategies.length] ?? 0
    switch (count % 5) {
      case 0:
        return this.#post("/v1/strategies", { name: "x", exchanges: huge(count) })
      case 1:
        return this.#send("DELETE", `/v1/strategies/${id}`)
      case 2: {
        const made = await this.#post("/v1/strategies", {
          ...STRATEGY,
          ...this.#settings,
          signal_id: this.#signal
        })
        const { strategy_id }: { readonly strategy_id?: unknown } = JSON.parse(made)
        if (typeof strategy_id === "number")
          this.#strategies[(count - 1) % this.#strategies.length] = strategy_id
        return made
      }
      default:
        return this.#send("PUT", `/v1/strategies/${id}`, { active: count % 5 === 4 })
    }
  }

  async #changeSignal(count: number): Promise<unknown> {
    if (count % 4 > 1)
      return this.#send("PUT", `/v1/signals/${this.#signal}`, { description: `${count}`, active: true })
    const made = await this.#post("/v1/signals", { name: "x", description: "", active: true, public: true })
    const { id }: { readonly id?: unknown } = JSON.parse(made)
    return this.#send("DELETE", `/v1/signals/${id}`)
  }

  async #changeToken(count: number): Promise<unknown> {
    if (count % 2 === 1) return this.#get("/v1/tokens")
    const made = await this.#post("/v1/tokens", { scope: "alerts", expires_days: 1 })
    const { id }: { readonly id?: unknown } = JSON.parse(made)
    return this.#send("DELETE", `/v1/tokens/${id}`)
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending
    await this.#world.server.fetch("/v1/events", { headers: this.#headers, signal }).catch(() => {})
  }

  get #headers() {
    return { authorization: `Bearer ${this.#key}`, "content-type": "application/json" }
  }

  #get(path: string): Promise<string> {
    return this.#send("GET", path)
  }

  #post(path: string, body: object | string): Promise<string> {
    return this.#send("POST", path, body)
  }

  async #send(method: string, path: string, body?: object | string): Promise<string> {
    const text = typeof body === "object" ? JSON.stringify(body) : body
    const { signal } = this.#ending
    const init = { method, headers: this.#headers, signal, ...(text === undefined ? {} : { body: text }) }
    return (await this.#world.server.fetch(path, init)).text()
  }
}

const PAGES = [
  "/v1/dashboard/overview",
  "/v1/dashboard/strategies?limit=500",
  "/v1/dashboard/alerts?limit=500",
  "/v1/dashboard/markets?limit=500",
  "/v1/dashboard/refusals"
]

const STRATEGY = {
  name: "another",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT"
}

/** A body of the largest size with as many errors as fit. */
const huge = (count: number): unknown =>
  count % 2 === 0
    ? [{ exchange_name: "binance", coin_pairs: Array.from({ length: BODY_BYTES / 2 - 200 }, () => 1) }]
    : Array.from({ length: BODY_BYTES / 3 - 200 }, () => ({}))

/** A strategy that buys and sells on a price that never rests. */
const backtestBody = (settings: object): string => {
  const from = Date.UTC(2024, 0, 1) / 1000
  const rows: Array<string> = []
  for (let minute = 0; minute < CANDLES; minute++) {
    const price = 100 + (minute % 7)
    rows.push(`${from + 60 * minute},${price},${price + 1},${price - 1},${price},12.25`)
  }
  const alerts = Array.from({ length: 10_000 }, (_, count) =>
    JSON.stringify({
      time: (from + 3_000 * count) * 1000,
      coin: "BTC",
      quote_currency: "USDT",
      type: count % 2 === 0 ? "buy" : "sell"
    })
  )
  return JSON.stringify({
    strategy: { ...STRATEGY, ...settings },
    candles: [{ pair: "BTC/USDT", csv: rows.join("\n") }],
    alerts: { text: alerts.join("\n") }
  })
}
