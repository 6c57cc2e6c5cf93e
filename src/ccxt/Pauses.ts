// Remembers until when nothing may be sent to each exchange. Orders and prices share it, because an exchange bans the
// machine's address; it is in shared memory, so that one thread's ban pauses all. How long: `PauseLengths`.
import { EXCHANGE_NAMES } from "../domain/internal/ExchangeFacts.ts"
import type { ExchangeName } from "../domain/Market.ts"

/** The pauses, as times in ms since the epoch. */
export interface Pauses {
  readonly memory: SharedArrayBuffer
  /** When the pause ends; 0 if there was none. */
  readonly until: (exchange: ExchangeName) => number
  /** Starts a pause; never shortens one. */
  readonly pause: (exchange: ExchangeName, until: number) => void
}

/** The pauses in another thread's memory, or in new memory. */
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
