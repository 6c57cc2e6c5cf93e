import type { ExchangeName } from "../domain/Market.ts"

/**
 * Until when each exchange wants to be left alone (ms since the epoch), by orders and prices alike: bans are of the
 * machine. In memory that threads share, so that whoever is told of one tells all.
 */
export interface Pauses {
  readonly memory: SharedArrayBuffer
  /** 0 where there was none. */
  readonly until: (exchange: ExchangeName) => number
  /** Never shortens one. */
  readonly pause: (exchange: ExchangeName, until: number) => void
}

/** Counted here: what names the exchanges elsewhere brings more along than the thread of the prices should hold. */
const PLACES: Readonly<Record<ExchangeName, number>> = {
  ...{ binance: 0, bybit: 1, okx: 2, kraken: 3, coinbase: 4, kucoin: 5, bitget: 6 }
}

/** Over memory that another thread has, or over its own. */
export const make = (memory = new SharedArrayBuffer(8 * Object.keys(PLACES).length)): Pauses => {
  const times = new BigInt64Array(memory)
  const until = (exchange: ExchangeName) => Number(Atomics.load(times, PLACES[exchange]))
  return {
    memory,
    until,
    pause: (exchange, at) => {
      if (at > until(exchange)) Atomics.store(times, PLACES[exchange], BigInt(Math.ceil(at)))
    }
  }
}
