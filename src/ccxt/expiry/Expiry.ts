// How a request that places an order expires at its exchange. A process that stood still may send it late, and another
// process may have the account by then: an order is taken for never arrived only once no request of it can be valid any
// more (`MISSING_MS` in services/engine/orders/OrdersInFlight.ts, which is longer than any `validMs`).

/** How long (ms) a request that places an order is valid where the exchange lets us choose. */
export const ORDER_MS = 5000

/** The expiry of requests that place orders. `now` is the exchange's time (ms), as far as it is known. */
export interface Expiry {
  /** How long (ms) after it was made the exchange accepts such a request at the longest, if its clock is ours. */
  readonly validMs: number
  /** The params of ccxt's `createOrder` that set the end. */
  readonly params: (now: number) => Readonly<Record<string, string>>
  /** The headers that set it; they are not signed. */
  readonly headers: (now: number) => Readonly<Record<string, string>>
  /** The text of a refusal because of the end, which says nothing else of the order. */
  readonly refusal: RegExp | undefined
}

const none = () => ({})

/** Requests that expire by the time in their signature, by a window of the exchange or one that ccxt's options set. */
export const signed = (validMs: number): Expiry => ({
  ...{ validMs, params: none, headers: none, refusal: undefined }
})
