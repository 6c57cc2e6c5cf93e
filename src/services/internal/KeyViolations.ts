import * as Option from "effect/Option"
import type { ExchangeName } from "../../domain/Market.ts"
import type { Rights } from "../money/Wallets.ts"

/** Where an exchange lets its customers say what a key may do. */
const HOW: Readonly<Record<ExchangeName, string>> = {
  binance: 'API Management: "Enable Spot & Margin Trading" on, "Enable Withdrawals" off',
  bybit: 'API: "Read-Write" with "Unified Trading", and "Withdraw" under Wallet off',
  okx: 'API: permissions "Read" and "Trade", and not "Withdraw"',
  kraken: 'API: query funds, and query, create, modify and cancel orders, and not "Withdraw Funds"',
  coinbase: 'API keys: "View" and "Trade", and not "Transfer"',
  kucoin: 'API Management: "General" and "Spot", and not "Withdrawal"',
  bitget: 'API Management: "Spot trade" with reading and writing, and not "Withdraw"'
}

/** What is wrong with what a key may do: it has to trade, and must not withdraw. */
export const errorOf = (exchange: ExchangeName, { canTrade, canWithdraw }: Rights): string | undefined => {
  if (Option.contains(canWithdraw, true))
    return `this key may withdraw: whoever got hold of it could take everything. Make one that may not (${exchange}, ${HOW[exchange]})`
  if (Option.contains(canTrade, false))
    return `this key may not trade: let it (${exchange}, ${HOW[exchange]})`
  return undefined
}
