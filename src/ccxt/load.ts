import type { ExchangeName } from "../domain/Market.ts"
import type { Ccxt } from "./Ccxt.ts"
import { rebase } from "./rebase.ts"
import { sound } from "./sound.ts"

/** How an exchange is reached besides. */
export interface Reaching {
  /** At the exchange's own test network. Throws where it has none. */
  readonly sandbox?: boolean
  /** Told until when (ms since the epoch) it wants to be left alone, where an answer says so. */
  readonly heard?: (until: number) => void
}

/**
 * A ccxt exchange with its streams. Each is loaded when it is first asked for: together they cost 50 MB and a fifth
 * of a second. `base` sends all its requests behind another address (see rebase).
 */
export const load = async (
  name: ExchangeName,
  base?: string,
  { heard, sandbox = false }: Reaching = {}
): Promise<Ccxt> => {
  const exchange = await make(name)
  exchange.httpAgent = null
  exchange.fetchImplementation = heard === undefined ? whole : listening(name, exchange.milliseconds, heard)
  if (sandbox) exchange.setSandboxMode(true)
  // Frames that cannot be read are nobody's to print.
  exchange.log = () => undefined
  const types = TYPES[name]
  if (types !== undefined) exchange.options["fetchMarkets"] = { ...optionsOf(exchange), types: [...types] }
  if (base !== undefined) exchange.urls.api = rebase(exchange.urls.api, base)
  sound(exchange, base)
  return exchange
}

/** More than any exchange's list of markets is. */
const MAX_BODY_BYTES = 64 * 2 ** 20

/** What the library sends its requests with. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The library's time-out ends with the headers of an answer: here the rest of it has to be there by then too. Where a
 * connection that was kept is cut, the runtime sends a DELETE again by itself, so that an order would be cancelled
 * twice: those get a connection of their own. It does so with a GET too, which does no harm, and never with a POST.
 */
export const whole: Fetch = async (url, init) => {
  const keepalive = init.method !== "DELETE"
  const response = await fetch(url, { ...init, redirect: "error", keepalive })
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new TypeError("the answer is too long")
    chunks.push(chunk)
  }
  return new Response(new Blob(chunks), { status: response.status, headers: response.headers })
}

/** How long (ms) an exchange is left alone that names no time, by what it says that it is: a limit, or a ban. */
const PAUSES: Readonly<Record<number, number>> = { 429: 5000, 418: 60_000 }
/** Bybit asks whoever it answers so to be silent for ten minutes; other pages come with this status too. */
const BYBIT_BAN = { status: 403, says: /access too frequent/i, ms: 600_000 }
const MOST_PAUSE_MS = 3_600_000
/** Bans last for up to three days, and longer where they are not kept to. */
const MOST_BAN_MS = 3 * 86_400_000
const BAN = 418

/** Hears of limits and bans where they are told: the library remembers only the headers of the last answer of all. */
const listening =
  (name: ExchangeName, now: () => number, heard: (until: number) => void): Fetch =>
  async (url, init) => {
    const response = await whole(url, init)
    const { headers, status } = response
    const asked = Number(headers.get("retry-after")) * 1000
    const isBan =
      name === "bybit" && status === BYBIT_BAN.status && BYBIT_BAN.says.test(await response.clone().text())
    const pause = isBan ? BYBIT_BAN.ms : (PAUSES[status] ?? 0)
    // A Retry-After comes with other answers too, and always means it.
    const ms = asked > 0 ? asked : pause
    if (ms > 0) heard(now() + Math.min(ms, status === BAN ? MOST_BAN_MS : MOST_PAUSE_MS))
    return response
  }

/** What the library calls the two kinds of markets that we know, where it would ask for options and others as well. */
const TYPES: { readonly [name in ExchangeName]?: ReadonlyArray<string> } = {
  binance: ["spot", "linear"],
  bybit: ["spot", "linear"],
  okx: ["spot", "swap"],
  kucoin: ["spot", "swap"]
}

const optionsOf = ({ options }: Ccxt): object => {
  const known = options["fetchMarkets"]
  return typeof known === "object" && known !== null ? known : {}
}

/** When to open streams anew is for whoever watches over them; that one has died is noticed in 15 s, by pings. */
const STREAMS = { backoff: { base: 0, max: 0 }, keepAlive: 5000, maxPingPongMisses: 2 }
const OPTIONS = { enableRateLimit: true, newUpdates: true, options: { ws: STREAMS } }

const make = async (name: ExchangeName): Promise<Ccxt> => {
  switch (name) {
    case "binance":
      return new (await import("../../node_modules/ccxt/js/src/pro/binance.js")).default(OPTIONS)
    case "bybit":
      return new (await import("../../node_modules/ccxt/js/src/pro/bybit.js")).default(OPTIONS)
    case "okx":
      return new (await import("../../node_modules/ccxt/js/src/pro/okx.js")).default(OPTIONS)
    case "kraken":
      return new (await import("../../node_modules/ccxt/js/src/pro/kraken.js")).default(OPTIONS)
    case "coinbase":
      return coinbase((await import("../../node_modules/ccxt/js/src/pro/coinbase.js")).default)
    case "kucoin":
      return new (await import("../../node_modules/ccxt/js/src/pro/kucoin.js")).default(OPTIONS)
    case "bitget":
      return new (await import("../../node_modules/ccxt/js/src/pro/bitget.js")).default(OPTIONS)
  }
}

type Coinbase = typeof import("../../node_modules/ccxt/js/src/pro/coinbase.js").default

/** The library has the tickers of many told every five seconds only; those of one at a time run into a limit. */
const coinbase = (Exchange: Coinbase): Ccxt =>
  new (class extends Exchange {
    override watchTickers(symbols: Array<string>, params: object) {
      return this.subscribeMultiple("ticker", false, symbols, params)
    }
  })(OPTIONS)
