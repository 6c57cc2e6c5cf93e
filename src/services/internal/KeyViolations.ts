// The rule for API keys: they must be able to trade, and must not be able to withdraw. The error says where to change
// that at the exchange.
import * as Option from "effect/Option"
import type { ExchangeName } from "../../domain/Market.ts"
import type { Rights } from "../money/Wallets.ts"

/** Where each exchange sets a key's permissions. */
const HOW: Readonly<Record<ExchangeName, string>> = {
  binance: 'API Management: "Enable Spot & Margin Trading" on, "Enable Withdrawals" off',
  bybit: 'API: "Read-Write" with "Unified Trading", and "Withdraw" under Wallet off',
  okx: 'API: permissions "Read" and "Trade", and not "Withdraw"',
  kraken: 'API: query funds, and query, create, modify and cancel orders, and not "Withdraw Funds"',
  coinbase: 'API keys: "View" and "Trade", and not "Transfer"',
  kucoin: 'API Management: "General" and "Spot", and not "Withdrawal"',
  bitget: 'API Management: "Spot trade" with reading and writing, and not "Withdraw"'
}

/** The error in a key's permissions; undefined where they are right. */
export const errorOf = (exchange: ExchangeName, { canTrade, canWithdraw }: Rights): string | undefined => {
  if (Option.contains(canWithdraw, true))
    return `this key may withdraw: anybody who gets hold of it could take everything. Make one without that right (${exchange}, ${HOW[exchange]})`
  if (Option.contains(canTrade, false))
    return `this key may not trade: give it that right (${exchange}, ${HOW[exchange]})`
  return undefined
}
