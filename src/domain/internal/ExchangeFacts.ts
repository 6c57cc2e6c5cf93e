// The supported exchanges, and the little about each that portable code reads. Imports nothing, so that the page and
// the thread of the price feeds may load it; all else about an exchange is in its descriptor (src/ccxt/descriptors).

/** The supported exchanges, by their ccxt ids. */
export const EXCHANGE_NAMES = ["binance", "bybit", "okx", "kraken", "coinbase", "kucoin", "bitget"] as const

/** The facts of an exchange for portable code. No field is optional, so that a new exchange cannot lack one. */
export interface ExchangeFacts {
  /** The exchange's own spelling of its name. */
  readonly title: string
  /** Other common names of it, in lower case without separators. */
  readonly otherNames: ReadonlyArray<string>
  /** Whether an API key has a passphrase beside its secret. */
  readonly hasPassphrase: boolean
  /** The coin in which it takes fees where the customer enables that. */
  readonly feeCoin: string | undefined
  /** The page and the switches for a key's permissions at the exchange: it has to trade, and must not withdraw. */
  readonly permissions: string
}

/** The facts of each exchange. */
export const EXCHANGE_FACTS: Readonly<Record<(typeof EXCHANGE_NAMES)[number], ExchangeFacts>> = {
  binance: {
    title: "Binance",
    otherNames: [],
    hasPassphrase: false,
    feeCoin: "BNB",
    permissions: 'API Management: "Enable Spot & Margin Trading" on, "Enable Withdrawals" off'
  },
  bybit: {
    title: "Bybit",
    otherNames: [],
    hasPassphrase: false,
    feeCoin: "MNT",
    permissions: 'API: "Read-Write" with "Unified Trading", and "Withdraw" under Wallet off'
  },
  okx: {
    title: "OKX",
    otherNames: ["okex", "okex5"],
    hasPassphrase: true,
    feeCoin: undefined,
    permissions: 'API: permissions "Read" and "Trade", and not "Withdraw"'
  },
  kraken: {
    title: "Kraken",
    otherNames: [],
    hasPassphrase: false,
    feeCoin: undefined,
    permissions: 'API: query funds, and query, create, modify and cancel orders, and not "Withdraw Funds"'
  },
  coinbase: {
    title: "Coinbase",
    otherNames: ["coinbasepro", "coinbaseadvanced", "coinbaseadvancedtrade", "gdax"],
    hasPassphrase: false,
    feeCoin: undefined,
    permissions: 'API keys: "View" and "Trade", and not "Transfer"'
  },
  kucoin: {
    title: "KuCoin",
    otherNames: [],
    hasPassphrase: true,
    feeCoin: "KCS",
    permissions: 'API Management: "General" and "Spot", and not "Withdrawal"'
  },
  bitget: {
    title: "Bitget",
    otherNames: [],
    hasPassphrase: true,
    feeCoin: "BGB",
    permissions: 'API Management: "Spot trade" with reading and writing, and not "Withdraw"'
  }
}
