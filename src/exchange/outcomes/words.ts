import type { ExchangeName } from "../../domain/Market.ts"
import type { Verdict } from "../Phase.ts"

/**
 * Words of any exchange after which nobody knows what became of an order: one with this id is there already, which may
 * be ours of before; or it takes its time. The library files some of them under refusals.
 */
export const DOUBTS: ReadonlyArray<RegExp> = [
  /duplic/i,
  /already (exist|in use|used|been|submitted)/i,
  /time[ds]?[ _-]?out|deadline/i,
  /status unknown|execution status/i,
  /submitted to the system|processing/i,
  // bitget's own time-out, which the library takes for a wrong key; bybit's, kucoin's and okx' by number.
  /"code":"40010"|"retCode":(10000|10014|12141|170007|170035|170146|170147),|"code":"408000"|"code":"50004"/,
  // The ids that are taken: binance, bybit, okx, kucoin and bitget by number.
  /"code":(-4116|-20132),|"retCode":(110030|110072|170141),|"(s?Code|code)":"(51016|51011|126044|126033|40786)"/
]

/**
 * What an exchange says, in its own words, before it takes an order, and the library has no class for, or a wrong one.
 * `elsewhere` is what it means of an order that was asked about or was to be cancelled.
 */
export interface Rejection {
  readonly says: RegExp
  readonly reason: string
  readonly pauseMs?: number
  readonly elsewhere?: Verdict
}

const LIMIT = "the exchange limits our requests"
const KEY = "the exchange does not take the key"
const FUNDS = "there is not enough money in the account"
const ORDER = "the exchange does not take the order as it is"
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
    // The library takes it for a ban once a key has worked.
    says(KEY, /"code":(-2014|-2015|-1022),/),
    says(ORDER, /"code":(-1013|-1100|-1102|-1111|-1106|-4164|-4003|-4014|-4015),/)
  ],
  bybit: [
    limits(/"retCode":(10006|10018|10429),/),
    // Its ban of the machine's address, said with a 403 and nothing else.
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
    // One that it does not know is no answer to placing one.
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
