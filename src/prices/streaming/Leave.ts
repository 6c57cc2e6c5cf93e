import { type Failure, LIMITED } from "../../ccxt/Failure.ts"
import type { Pauses } from "../../ccxt/Pauses.ts"
import type { ExchangeName } from "../../domain/Market.ts"

/** Whether an exchange may be asked: what orders were told counts for prices too, and the other way round. */
export class Leave {
  readonly #exchange: ExchangeName
  readonly #pauses: Pauses
  readonly #clock: () => number

  /** `clock` gives the time (ms since the epoch). */
  constructor(exchange: ExchangeName, pauses: Pauses, clock: () => number) {
    this.#exchange = exchange
    this.#pauses = pauses
    this.#clock = clock
  }

  /** Tells the others of a limit. */
  heard(failure: Failure): Failure {
    if (failure.reason === LIMITED) this.#pauses.pause(this.#exchange, this.#clock() + failure.pauseMs)
    return failure
  }

  /** What a request would come to now; nothing where it may be sent. */
  now(): Failure | undefined {
    const pauseMs = this.#pauses.until(this.#exchange) - this.#clock()
    return pauseMs > 0 ? { reason: LIMITED, pauseMs } : undefined
  }
}
