import { EXCHANGE_NAMES, type ExchangeName } from "../domain/Market.ts"

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

/** Over memory that another thread has, or over its own. */
export const make = (memory = new SharedArrayBuffer(8 * EXCHANGE_NAMES.length)): Pauses => {
  const times = new BigInt64Array(memory)
  const until = (exchange: ExchangeName) => Number(Atomics.load(times, EXCHANGE_NAMES.indexOf(exchange)))
  return {
    memory,
    until,
    pause: (exchange, at) => {
      if (at > until(exchange)) Atomics.store(times, EXCHANGE_NAMES.indexOf(exchange), BigInt(Math.ceil(at)))
    }
  }
}
