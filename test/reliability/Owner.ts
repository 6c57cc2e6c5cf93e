// The owner of a suite's signals and strategies, who creates them through the API.
import type { Served } from "./Program.ts"

export class Owner {
  private readonly server: Served
  private readonly token: string

  constructor(server: Served, token: string) {
    this.server = server
    this.token = token
  }

  get headers() {
    return { authorization: `Bearer ${this.token}` }
  }

  signal(name: string, isPublic = false): Promise<number> {
    const fields = { name, description: "", active: "1", public: isPublic ? "1" : "0" }
    return this.made("/v1/signals", "id", { body: new URLSearchParams(fields) })
  }

  /** Creates a strategy that follows a signal on these binance pairs; `settings` are request fields. */
  strategy(signal: number, pairs: ReadonlyArray<string>, settings: object = {}): Promise<number> {
    const all = { ...COMMON, exchanges: [{ exchange_name: "binance", coin_pairs: pairs }], signal_id: signal }
    return this.made("/v1/strategies", "strategy_id", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...all, ...settings })
    })
  }

  private async made(path: string, field: string, init: RequestInit): Promise<number> {
    const headers = { ...this.headers, ...Object.fromEntries(new Headers(init.headers)) }
    const response = await this.server.fetch(path, { ...init, method: "POST", headers })
    const text = await response.text()
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${text}`)
    return Number(JSON.parse(text)[field])
  }
}

const COMMON = {
  name: "reliability",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10
}
