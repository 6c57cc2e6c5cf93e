// Refuses successful answers that ccxt would misread: an answer that is no JSON says nothing about what the exchange
// did, so the outcome is unknown.
import type { Ccxt } from "./Ccxt.ts"

/** A successful answer that is no JSON: cut off, empty, or a page for people. The outcome is unknown. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
  constructor() {
    super("the answer is not JSON")
  }
}

/**
 * Makes ccxt throw on such answers, which it would read as an order without an id or an account without coins. Also
 * restores the exchange's own URL for its error handling, which selects binance's error table by the URL's start.
 */
export const sound = (exchange: Ccxt, base: string | undefined): void => {
  const judge = exchange.handleErrors.bind(exchange)
  exchange.handleErrors = (...answer) => {
    const [code, reason, url, method, headers, body, parsed, ...rest] = answer
    const home = base === undefined ? url : url.replace(`${base.replace(/\/+$/, "")}/`, "https://")
    const status = Number(code)
    if (status >= 200 && status < 300 && (typeof parsed !== "object" || parsed === null))
      throw new Unreadable()
    return judge(code, reason, home, method, headers, body, parsed, ...rest)
  }
}
