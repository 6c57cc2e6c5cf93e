// Past candles in Binance's words, before a stub of its markets. Three minutes of 1 June 2026 are missing.
import { Pair } from "../../src/domain/Market.ts"
import { rowAt } from "../prices/meanExchange.ts"
import { protocols } from "./protocols.ts"
import { Stub } from "./Stub.ts"

const MINUTE = 60_000
/** The minutes that are missing: from the first on, and before the second (ms). */
export const HOLE = [Date.UTC(2026, 5, 1) + 90 * MINUTE, Date.UTC(2026, 5, 1) + 93 * MINUTE] as const
const MARKET = {
  pair: Pair.make("BTC/USDT"),
  kind: "spot",
  priceStep: "0.01",
  amountStep: "0.00001",
  minAmount: "0.00001",
  minCost: "5"
} as const

/** A running gateway. */
export class KlineGateway {
  /** How long each page takes (ms). */
  pace = 0
  /** Pages so far. */
  pages = 0
  /** What the next pages get instead of an answer. */
  faults: Array<{ readonly status: number; readonly headers: Record<string, string> }> = []
  readonly #stub: Stub
  readonly #server: Bun.Server<undefined>

  private constructor(stub: Stub) {
    this.#stub = stub
    this.#server = Bun.serve({ port: 0, fetch: (request) => this.#answer(request) })
  }

  static async start(): Promise<KlineGateway> {
    return new KlineGateway(await Stub.start(protocols.binance, [MARKET], { door: false }))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url)
    if (!pathname.endsWith("/klines")) return fetch(`${this.#stub.url}${pathname}${search}`)
    this.pages++
    const fault = this.faults.shift()
    if (fault !== undefined) return new Response("{}", fault)
    await Bun.sleep(this.pace)
    const span = searchParams.get("interval") === "1d" ? 1440 * MINUTE : MINUTE
    const [from, until] = [Number(searchParams.get("startTime")), Number(searchParams.get("endTime"))]
    const rows = []
    for (let at = Math.ceil(from / span) * span; at <= until && rows.length < 500; at += span)
      if (span > MINUTE || at < HOLE[0] || at >= HOLE[1])
        rows.push([...rowAt(at, span), at + span - 1, "1", 1])
    return Response.json(rows)
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
    await this.#stub.stop()
  }
}
