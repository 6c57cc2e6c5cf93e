import type { Ccxt } from "./Ccxt.ts"

/** An answer of success that is no answer: half of one, none at all, or a page for people. Nobody knows what was done. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
  constructor() {
    super("the answer is not JSON")
  }
}

/**
 * Refuses what the library takes for an answer with nothing in it: an order without an id, though it was placed, or an
 * account without a coin. Has it judge errors as if they came from the exchange's own address, too: it tells by how the
 * address begins which of binance's tables of words holds.
 */
export const sound = (exchange: Ccxt, base: string | undefined): void => {
  const judge = exchange.handleErrors.bind(exchange)
  exchange.handleErrors = (code, reason, url, method, headers, body, parsed, ...rest) => {
    const home = base === undefined ? url : url.replace(`${base.replace(/\/+$/, "")}/`, "https://")
    const status = Number(code)
    if (status >= 200 && status < 300 && (typeof parsed !== "object" || parsed === null))
      throw new Unreadable()
    return judge(code, reason, home, method, headers, body, parsed, ...rest)
  }
}
