// The rule for API keys: they must be able to trade, and must not be able to withdraw. The error says where to change
// that at the exchange.
import * as Option from "effect/Option"
import { EXCHANGE_FACTS } from "../../domain/internal/ExchangeFacts.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import type { Rights } from "../money/Wallets.ts"

/** The error in a key's permissions; undefined where they are right. */
export const errorOf = (exchange: KnownExchange, { canTrade, canWithdraw }: Rights): string | undefined => {
  if (Option.contains(canWithdraw, true))
    return `this key may withdraw: anybody who gets hold of it could take everything. Make one without that right (${exchange}, ${EXCHANGE_FACTS[exchange].permissions})`
  if (Option.contains(canTrade, false))
    return `this key may not trade: give it that right (${exchange}, ${EXCHANGE_FACTS[exchange].permissions})`
  return undefined
}
