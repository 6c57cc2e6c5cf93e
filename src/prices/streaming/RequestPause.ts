// Checks an exchange's pauses before a request for prices, and starts one after a limit. Orders share the pauses.
import { limited, type RequestFailure } from "../../ccxt/Failure.ts"
import type { Pauses } from "../../ccxt/Pauses.ts"
import type { KnownExchange } from "../../domain/Market.ts"

/** Whether an exchange may be asked. */
export class RequestPause {
  readonly #exchange: KnownExchange
  readonly #pauses: Pauses
  readonly #clock: () => number

  /** `clock` returns the time (ms since the epoch). */
  constructor(exchange: KnownExchange, pauses: Pauses, clock: () => number) {
    this.#exchange = exchange
    this.#pauses = pauses
    this.#clock = clock
  }

  /** Starts a pause after a limit. */
  heard(failure: RequestFailure): RequestFailure {
    if (failure.isLimit) this.#pauses.pause(this.#exchange, this.#clock() + failure.pauseMs)
    return failure
  }

  /** The failure of a request sent now; undefined if it may be sent. */
  now(): RequestFailure | undefined {
    const pauseMs = this.#pauses.until(this.#exchange) - this.#clock()
    return pauseMs > 0 ? limited(pauseMs) : undefined
  }
}
