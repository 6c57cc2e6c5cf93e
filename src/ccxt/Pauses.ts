// Until when nothing may be sent to each exchange, for orders and prices alike, because bans hit the machine's address.
// Kept in shared memory, so that one thread's ban pauses all.
import type { ExchangeName } from "../domain/Market.ts"

/** The pauses, as times in ms since the epoch. */
export interface Pauses {
  readonly memory: SharedArrayBuffer
  /** When the pause ends; 0 if there was none. */
  readonly until: (exchange: ExchangeName) => number
  /** Starts a pause; never shortens one. */
  readonly pause: (exchange: ExchangeName, until: number) => void
}

/** Listed here: the module that lists the exchanges would pull too much into the price feed's thread. */
const PLACES: Readonly<Record<ExchangeName, number>> = {
  ...{ binance: 0, bybit: 1, okx: 2, kraken: 3, coinbase: 4, kucoin: 5, bitget: 6 }
}

/** The pauses in another thread's memory, or in new memory. */
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
