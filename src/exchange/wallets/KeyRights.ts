// Asks an exchange what an API key may do: trade, withdraw, and whose account it is. A right that the exchange does not
// report clearly is none, never assumed. Which rights are accepted is decided in services/internal/KeyViolations.ts.
import * as Option from "effect/Option"
import { descriptors } from "../../ccxt/descriptors.ts"
import { request, type TradingClient } from "../../ccxt/TradingClient.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import type { Rights } from "../../services/money/Wallets.ts"

/** Sends the request. */
export const ask = (exchange: KnownExchange, ccxt: TradingClient): Promise<unknown> =>
  request(ccxt, descriptors[exchange].rights.request)

/** The rights in an answer; none for those it does not state in the known form. */
export const read = (exchange: KnownExchange, answer: unknown): Rights => {
  const { identity, trade, withdraw } = descriptors[exchange].rights.read(answer)
  return {
    canTrade: Option.fromNullable(trade),
    canWithdraw: Option.fromNullable(withdraw),
    ...(identity === undefined || identity === null ? {} : { identity: String(identity) })
  }
}
