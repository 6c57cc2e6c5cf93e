// Reads what an API key may do: trade, withdraw, and whose account it is. A right that the exchange does not report
// clearly is none, never assumed.
import * as Option from "effect/Option"
import { fieldOf } from "../ccxt/Failure.ts"
import type { ExchangeName } from "../domain/Market.ts"
import type { Rights } from "../services/money/Wallets.ts"
import { request, type TradingClient } from "./TradingClient.ts"

/** The request for a key's own rights at each exchange, by ccxt's method name. */
const REQUESTS: Readonly<Record<ExchangeName, string>> = {
  binance: "sapiGetAccountApiRestrictions",
  bybit: "privateGetV5UserQueryApi",
  okx: "privateGetAccountConfig",
  kraken: "privatePostGetApiKeyInfo",
  coinbase: "v3PrivateGetBrokerageKeyPermissions",
  kucoin: "privateGetUserApiKey",
  bitget: "privateSpotGetV2SpotAccountInfo"
}

export const ask = (exchange: ExchangeName, ccxt: TradingClient): Promise<unknown> =>
  request(ccxt, REQUESTS[exchange])

/** The rights in an answer; none for those it does not state in the known form. */
export const read = (exchange: ExchangeName, answer: unknown): Rights => {
  const { identity, trade, withdraw } = readers[exchange](answer)
  return {
    canTrade: Option.fromNullable(trade),
    canWithdraw: Option.fromNullable(withdraw),
    ...(identity === undefined || identity === null ? {} : { identity: String(identity) })
  }
}

interface Response {
  readonly trade?: boolean | undefined
  readonly withdraw?: boolean | undefined
  readonly identity?: unknown
}

const readers: Readonly<Record<ExchangeName, (answer: unknown) => Response>> = {
  binance: (answer) => ({
    trade: flag(fieldOf(answer, "enableSpotAndMarginTrading")),
    withdraw: flag(fieldOf(answer, "enableWithdrawals"))
  }),
  bybit: (answer) => {
    const result = fieldOf(answer, "result")
    const permissions = fieldOf(result, "permissions")
    const readOnly = fieldOf(result, "readOnly")
    const spot = list(fieldOf(permissions, "Spot"))
    return {
      trade:
        readOnly === undefined || spot === undefined
          ? undefined
          : Number(readOnly) === 0 && spot.includes("SpotTrade"),
      withdraw: some(list(fieldOf(permissions, "Wallet")), /withdraw/i),
      identity: fieldOf(result, "userID")
    }
  },
  okx: (answer) => {
    const data = first(fieldOf(answer, "data"))
    const perm = list(fieldOf(data, "perm"))
    return { trade: some(perm, /^trade$/), withdraw: some(perm, /withdraw/), identity: fieldOf(data, "uid") }
  },
  kraken: (answer) => {
    const permissions = list(fieldOf(fieldOf(answer, "result"), "permissions"))
    return { trade: some(permissions, /^modify-trades$/), withdraw: some(permissions, /withdraw/) }
  },
  coinbase: (answer) => ({
    trade: flag(fieldOf(answer, "can_trade")),
    // A transfer sends money to anybody.
    withdraw: flag(fieldOf(answer, "can_transfer")),
    identity: fieldOf(answer, "portfolio_uuid")
  }),
  kucoin: (answer) => {
    const data = fieldOf(answer, "data")
    const permission = list(fieldOf(data, "permission"))
    return {
      trade: some(permission, /^(spot|trade)$/i),
      // Under either name; moving money between the customer's own accounts is called InnerTransfer.
      withdraw: some(permission, /withdraw|^transfer$/i),
      identity: fieldOf(data, "uid")
    }
  },
  bitget: (answer) => {
    const data = fieldOf(answer, "data")
    const authorities = list(fieldOf(data, "authorities"))
    return {
      trade: some(authorities, /^(stow|trade)$/),
      withdraw: some(authorities, /^wwow$|withdraw/),
      identity: fieldOf(data, "userId")
    }
  }
}

/** Numbers and booleans may be texts, as ccxt reads large numbers. */
const flag = (value: unknown): boolean | undefined =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : undefined

/** A list written as `a,b` or `["a", "b"]`. */
const list = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value === "string") return value.split(",").map((word) => word.trim())
  return Array.isArray(value) ? value.map(String) : undefined
}

const some = (words: ReadonlyArray<string> | undefined, pattern: RegExp): boolean | undefined =>
  words?.some((word) => pattern.test(word))

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)
