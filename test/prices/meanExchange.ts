// An exchange whose pages of candles are as bad as those of real ones: short at either end, overlapping, in disorder,
// with the running candle, empty now and then, cut off, or refused for a limit. Its misbehaviour follows from a seed.
import type { PageClient } from "../../src/prices/history/ExchangePages.ts"

const named = (name: string) => Object.assign(new Error("no"), { name })

export interface World {
  readonly span: number
  /** The first candle (ms); `Number.POSITIVE_INFINITY` for a market without any. */
  readonly listed: number
  /** Whether there is a candle at this time. */
  readonly has: (at: number) => boolean
  readonly now: () => number
  readonly seed: number
  /** Serves every page as it should. */
  readonly kind?: boolean
}

export type Row = readonly [number, string, string, string, string, string]

/** The candle of a time, which is a function of it. */
export const rowAt = (at: number, span: number): Row => {
  const open = 1000 + ((at / span) % 977)
  return [
    at,
    `${open}`,
    `${open + 2.5}`,
    `${open - 1.25}`,
    `${open + 1}`,
    `${((at / span) % 13) + 0.123456789}`
  ]
}

/** Counts the requests, and answers them. */
export const meanExchange = (world: World) => {
  const seen = { requests: 0, candles: 0, failures: 0 }
  let state = world.seed >>> 0
  const draw = (count: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  let wasBad = false

  const fetchOHLCV = (
    _: string,
    timeframe: string,
    since = 0,
    limit = 500,
    params: object = {}
  ): Promise<unknown> => {
    seen.requests++
    const span = timeframe === "1d" ? 86_400_000 : world.span
    const until = "until" in params ? Number(params.until) : since + limit * span - 1
    const rows: Array<Row> = []
    // It serves the running candle too.
    for (
      let at = Math.ceil(since / span) * span;
      at <= Math.min(until, world.now()) && rows.length < limit;
      at += span
    )
      if (at + span > world.listed && (span !== world.span || world.has(at))) rows.push(rowAt(at, span))
    seen.candles += rows.length
    if (world.kind === true) return Promise.resolve(rows)
    const bad = wasBad ? 0 : draw(12)
    wasBad = bad === 7 || bad === 8 || bad === 9
    const some = 1 + draw(Math.max(rows.length, 1))
    const last = rows.at(-1)
    switch (bad) {
      case 1:
        return Promise.resolve(rows.slice(0, some))
      case 2:
        return Promise.resolve(rows.slice(-some))
      case 3:
        return Promise.resolve([...rows].reverse())
      case 4:
        return Promise.resolve(last === undefined ? rows : [...rows, last, last])
      case 5:
        return Promise.resolve(
          last === undefined ? rows : [rowAt(since - span, span), ...rows, rowAt(until + 1, span)]
        )
      case 6:
        return Promise.resolve([...rows.slice(some), ...rows.slice(0, some)])
      case 7:
        return Promise.resolve([])
      case 8:
        seen.failures++
        return Promise.reject(named("RateLimitExceeded"))
      case 9:
        seen.failures++
        return Promise.reject(named(["NetworkError", "RequestTimeout", "BadResponse"][draw(3)] ?? ""))
      default:
        return Promise.resolve(rows)
    }
  }

  const ccxt: PageClient = {
    timeout: 0,
    number: Number,
    markets: { "BTC/USDT": {}, "BTC/USDT:USDT": { contractSize: 0.001 } },
    loadMarkets: () => Promise.resolve({}),
    fetchOHLCV,
    close: () => Promise.resolve()
  }
  return { ccxt, seen }
}
