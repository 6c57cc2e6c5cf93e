// The descriptor of an exchange: everything that is particular to it, from its ccxt class to its error codes, in one
// file. No field is optional: what an exchange does not have, its descriptor says so.
import type { MarketKind } from "../domain/Market.ts"
import type { CandleRules } from "./CandleRules.ts"
import type { Ccxt } from "./Ccxt.ts"
import type { Channels } from "./Channels.ts"
import type { Dialect } from "./Dialect.ts"
import type { Expiry } from "./expiry/Expiry.ts"
import type { FundingRules } from "./FundingRules.ts"
import type { KeyFault, KeyForm, RightsQuery } from "./Keys.ts"
import type { Refusal } from "./Refusal.ts"
import type { TradingClient } from "./TradingClient.ts"
import type { WalletPages } from "./WalletPages.ts"

/** Everything that differs between exchanges, in the sequence in which a connection uses it. */
export interface Descriptor {
  /** Creates ccxt's class with streams, and loads it on first use. */
  readonly open: (options: object) => Promise<Ccxt>
  /** A public address: one request to it shows whether there is a network, before ccxt is loaded. */
  readonly home: string
  /** Whether it has a test network for programs, according to ccxt (`urls.test`). */
  readonly hasSandbox: boolean
  /** ccxt's options of a trading connection, so that it sends no hidden requests before the one that is meant. */
  readonly options: Readonly<Record<string, unknown>>
  /** ccxt's names for spot and linear markets, if it would otherwise load options and others too. */
  readonly marketTypes: ReadonlyArray<string> | undefined
  /** The field of a market's raw `info` with a minimum cost that ccxt leaves there. */
  readonly minCostField: string | undefined
  /** The pages of past candles. */
  readonly candles: CandleRules
  /** The pages of past funding rates; undefined where it serves none of linear perpetuals. */
  readonly funding: FundingRules | undefined
  /**
   * The rate of requests: well below the documented limit for one account, because prices are requested too and the
   * user may run other programs.
   */
  readonly rate: Rate
  /** A ban that shares its status with other answers, and is recognised by its text. */
  readonly ban: Ban | undefined
  /** The text of a rate limit that ccxt does not classify as one. */
  readonly limit: RegExp | undefined
  /** ccxt's error classes of a request that may have been refused for its time. */
  readonly timeErrors: ReadonlyArray<string>
  /** How a request that places an order expires. */
  readonly expiry: Expiry
  /** Whether each request of a key carries a number above the last (a nonce), made of this machine's time. */
  readonly isNumbered: boolean
  /** The streams and requests of prices, by kind of market. */
  readonly channels: Readonly<Record<MarketKind, Channels>>
  /** The form of its API keys. */
  readonly keys: KeyForm
  /** The query for an API key's rights. */
  readonly rights: RightsQuery
  /** Its codes for a fault of the key; the first match holds. */
  readonly keyFaults: ReadonlyArray<readonly [KeyFault, RegExp]>
  /** Its texts that certainly refuse an order and that ccxt classifies wrongly or not at all; the first match holds. */
  readonly refusals: ReadonlyArray<Refusal>
  /** Its codes that leave an order in doubt (time-outs, used client order ids), though ccxt may call them refusals. */
  readonly doubts: ReadonlyArray<RegExp>
  /** The pages of balances. */
  readonly wallet: WalletPages
  /** Queries the position in a perpetual; the answer has ccxt's form. `symbol` is listed. */
  readonly positions: (ccxt: TradingClient, symbol: string) => Promise<unknown>
  /** Placing, finding and cancelling of orders. */
  readonly dialect: Dialect
}

/** A rate limit: sustained requests per second, and a burst after a rest. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
  /** A separate limit of order requests, if the exchange counts them apart. */
  readonly orders?: Rate
}

/** A ban of the machine's address: an answer of this status and text asks for `ms` of silence. */
export interface Ban {
  readonly status: number
  readonly says: RegExp
  readonly ms: number
}

/** Positions through ccxt's own method. */
export const unifiedPositions: Descriptor["positions"] = (ccxt, symbol) => ccxt.fetchPositions([symbol])

/** ccxt's error class of a request that was refused for its time or its number. */
export const TIME_ERROR = "InvalidNonce"
