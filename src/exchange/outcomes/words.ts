// Exchange texts that override ccxt's error classes: those that leave an order in doubt, and those that certainly
// refuse it.
import type { ExchangeName } from "../../domain/Market.ts"
import type { Verdict } from "../Phase.ts"

/**
 * Texts of any exchange that leave an order in doubt: its id exists already (perhaps from our earlier sending), or it
 * is still being processed. ccxt classifies some as refusals.
 */
export const DOUBTS: ReadonlyArray<RegExp> = [
  /duplic/i,
  /already (exist|in use|used|been|submitted)/i,
  /time[ds]?[ _-]?out|deadline/i,
  /status unknown|execution status/i,
  /submitted to the system|processing/i,
  // Time-outs: bitget's own, which ccxt takes for a wrong key; those of bybit, kucoin and okx by number.
  /"code":"40010"|"retCode":(10000|10014|12141|170007|170035|170146|170147),|"code":"408000"|"code":"50004"/,
  // Used ids: binance, bybit, okx, kucoin and bitget by number.
  /"code":(-4116|-20132),|"retCode":(110030|110072|170141),|"(s?Code|code)":"(51016|51011|126044|126033|40786)"/
]

/**
 * An exchange's own text before it accepts an order, for which ccxt has no class or a wrong one. `elsewhere` is its
 * verdict in a lookup or cancel.
 */
export interface Rejection {
  readonly says: RegExp
  readonly reason: string
  readonly pauseMs?: number
  readonly elsewhere?: Verdict
}

const LIMIT = "the exchange limits our requests"
const KEY = "the exchange refuses the key"
const FUNDS = "there is not enough money in the account"
const ORDER = "the exchange refuses the order as it is"
const MARKET = "the exchange does not know the market"
const CLOSED = "the market cannot be traded now"
const GONE = "the exchange does not know the order"

const limits = (says: RegExp, pauseMs = 5000): Rejection => ({ says, reason: LIMIT, pauseMs })
const says = (reason: string, words: RegExp): Rejection => ({ says: words, reason, pauseMs: 0 })
const unknown = (words: RegExp): Rejection => ({
  says: words,
  reason: GONE,
  pauseMs: 0,
  elsewhere: "Missing"
})

export const REFUSALS: Readonly<Record<ExchangeName, ReadonlyArray<Rejection>>> = {
  binance: [
    limits(/"code":(-1003|-1015),/),
    // ccxt takes it for a ban once a key has worked.
    says(KEY, /"code":(-2014|-2015|-1022),/),
    says(ORDER, /"code":(-1013|-1100|-1102|-1111|-1106|-4164|-4003|-4014|-4015),/)
  ],
  bybit: [
    limits(/"retCode":(10006|10018|10429),/),
    // Bybit's ban of the machine's address, a 403 with nothing else.
    limits(/access too frequent\.?\s*$/i, 600_000),
    says(ORDER, /"retCode":(10001|170130|170134|170136|170137|170140),/)
  ],
  okx: [
    limits(/"(s?Code|code)":"(50011|50061)"/),
    says("the key may not do that", /"code":"50120"/),
    says(
      "the account's mode at OKX has no spot without margin: choose Spot mode or Futures mode there",
      /"sMsg":"Parameter tdMode/
    ),
    says(ORDER, /"(sCode|code)":"(51000|51006|51020|51121)"/)
  ],
  kraken: [
    limits(/E(API|Order):Rate limit exceeded|EGeneral:Too many requests/, 10_000),
    limits(/EGeneral:Temporary lockout/, 60_000),
    says(KEY, /EAPI:Invalid (signature|key)/),
    says(MARKET, /EQuery:(Unknown|Invalid) asset pair/),
    says(CLOSED, /EService:Market in (cancel|post|reduce)_only mode/),
    says(FUNDS, /EOrder:Insufficient funds/),
    // An unknown error is no answer to placing an order.
    says(ORDER, /E(General|Order):(Invalid|Cost|Order minimum|Insufficient|Trading|Positions|Orders|Margin)/)
  ],
  coinbase: [
    limits(/"error":"(rate_limit_exceeded|resource_exhausted)"/i),
    limits(/ 429 .*too many requests\s*$/i),
    says(FUNDS, /"(error|preview_failure_reason)":"(PREVIEW_)?INSUFFICIENT_FUND"/),
    says(ORDER, /"preview_failure_reason":"PREVIEW_(?!UNKNOWN)/),
    says(
      ORDER,
      /"error":"(INVALID_(SIZE|PRICE)_PRECISION|INVALID_LIMIT_PRICE|UNSUPPORTED_ORDER_CONFIGURATION)"/
    ),
    says(CLOSED, /"error":"ORDER_ENTRY_DISABLED"/),
    says(MARKET, /account is not available|"error":"INVALID_ARGUMENT"/),
    unknown(/UNKNOWN_CANCEL_ORDER|order with this orderID was not found/)
  ],
  kucoin: [
    limits(/"code":"(429000|200002|1015)"/, 10_000),
    says(MARKET, /"code":"900001"/),
    says(CLOSED, /"code":"400600"/),
    says(ORDER, /"code":"(400100|300000|400760)"/)
  ],
  bitget: [
    limits(/"code":"(429|30001|30007)"/),
    says(MARKET, /"code":"40034"/),
    says(CLOSED, /"code":"43119"/),
    says(ORDER, /"code":"(40017|40808|40832|43011|45110|45111|45112|45113|45114|45115)"/)
  ]
}
