// Creates a ccxt exchange: loads the library of one exchange on first use, reads whole answers within the time-out, and
// reports limits and bans to all threads.
import type { KnownExchange } from "../domain/Market.ts"
import type { Ccxt, Fetch } from "./Ccxt.ts"
import type { Ban } from "./Descriptor.ts"
import { descriptors } from "./descriptors.ts"
import { checked } from "./expiry/LastCheck.ts"
import { MOST_BAN_MS, MOST_PAUSE_MS, PAUSE_MS } from "./PauseLengths.ts"
import { rebase } from "./rebase.ts"
import { sound } from "./sound.ts"

/** Options of the connection. */
export interface Reaching {
  /** Use the exchange's test network; throws if it has none. */
  readonly sandbox?: boolean
  /** Called with the time (ms since the epoch) until which nothing may be sent, if an answer says so. */
  readonly heard?: (until: number) => void
}

/**
 * A ccxt exchange with streams. Each is loaded on first use: all together cost 50 MB and a fifth of a second. `base`
 * routes all its requests behind another address (see rebase).
 */
export const load = async (
  name: KnownExchange,
  base?: string,
  { heard, sandbox = false }: Reaching = {}
): Promise<Ccxt> => {
  const { ban, marketTypes, open } = descriptors[name]
  const exchange = await open(OPTIONS)
  exchange.httpAgent = null
  exchange.fetchImplementation = checked(
    heard === undefined ? whole : listening(ban, exchange.milliseconds, heard)
  )
  if (sandbox) exchange.setSandboxMode(true)
  // Unreadable frames are not printed.
  exchange.log = () => undefined
  if (marketTypes !== undefined)
    exchange.options["fetchMarkets"] = { ...optionsOf(exchange), types: [...marketTypes] }
  if (base !== undefined) exchange.urls.api = rebase(exchange.urls.api, base)
  sound(exchange, base)
  return exchange
}

/** More than the market list of any exchange. */
const MAX_BODY_BYTES = 64 * 2 ** 20

/**
 * Reads the whole answer, because ccxt's time-out covers its headers only. DELETE requests get a connection of their
 * own: the runtime repeats a DELETE if a kept connection is cut, which would cancel an order twice. It also repeats
 * GET, which is harmless, and never POST.
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

/** The default pause (ms) by status. */
const PAUSES: Readonly<Record<number, number>> = { 429: PAUSE_MS.limit, 418: PAUSE_MS.ban }
const BAN = 418

/** Reports limits and bans as they arrive: ccxt keeps only the headers of its last answer. */
const listening =
  (ban: Ban | undefined, now: () => number, heard: (until: number) => void): Fetch =>
  async (url, init) => {
    const response = await whole(url, init)
    const { headers, status } = response
    const retryAfterMs = Number(headers.get("retry-after")) * 1000
    const isBan = ban?.status === status && ban.says.test(await response.clone().text())
    const pause = isBan ? ban.ms : (PAUSES[status] ?? 0)
    // Other answers may carry a Retry-After too, and mean it.
    const ms = retryAfterMs > 0 ? retryAfterMs : pause
    if (ms > 0) heard(now() + Math.min(ms, status === BAN ? MOST_BAN_MS : MOST_PAUSE_MS))
    return response
  }

const optionsOf = ({ options }: Ccxt): object => {
  const known = options["fetchMarkets"]
  return typeof known === "object" && known !== null ? known : {}
}

/** The feed's watchdog decides when streams reopen; pings detect a dead one within 15 s. */
const STREAMS = { backoff: { base: 0, max: 0 }, keepAlive: 5000, maxPingPongMisses: 2 }
const OPTIONS = { enableRateLimit: true, newUpdates: true, options: { ws: STREAMS } }
