// The dialect of an exchange: placing, finding and cancelling orders, as data and small functions in ccxt's terms. Each
// function makes one request, except where an answer has several pages.
import type { Order } from "../domain/Order.ts"
import { fieldOf } from "./Field.ts"
import type { TradingClient } from "./TradingClient.ts"

/** An order in ccxt's terms: amounts (in contracts where the exchange counts those) and prices as texts. */
export interface OrderRequest {
  readonly order: Order
  readonly symbol: string
  readonly clientId: string
  readonly amount: string
  /** The price of a limit order, of one that replaces a market order (see `marketBuys`), or of a stop's trigger. */
  readonly price: string
  /** The limit price of a stop where stops can only become limit orders, far enough to fill. */
  readonly worst: string
}

/** The arguments of ccxt's `createOrder` besides symbol, side and amount. */
export interface Sending {
  readonly type: "market" | "limit"
  readonly price?: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The query for an order. `since` is a time (ms) before it was sent. */
export interface OrderQuery {
  readonly symbol: string
  readonly clientId: string
  readonly isStop: boolean
  readonly isSwap: boolean
  readonly since: number
}

type Ask = (ccxt: TradingClient, query: OrderQuery) => Promise<unknown>

/** A paged list that may contain an order: the first page, or the one that starts at `from`. */
export interface Listing {
  readonly list: (ccxt: TradingClient, from: string | undefined) => Promise<unknown>
  /** The start of the next page, after the one that started at `from`; undefined after the last. */
  readonly next: (page: ReadonlyArray<unknown>, from: string | undefined) => string | undefined
}
type AskById = (ccxt: TradingClient, query: OrderQuery, id: string) => Promise<unknown>

/** A setting of a perpetual. */
export interface Setting {
  readonly set: (ccxt: TradingClient, symbol: string) => Promise<unknown>
  /**
   * Whether it is already set; queried after `set` was refused, because exchanges refuse any change while a position or
   * order is open, even to the same value.
   */
  readonly isSet: (ccxt: TradingClient, symbol: string) => Promise<boolean>
}

/** Isolated margin at leverage 1. */
export interface Isolation {
  readonly settings: ReadonlyArray<Setting>
  /** The text of a refusal because the setting has that value already, beside ccxt's error classes for it. */
  readonly isSetAlready: RegExp | undefined
}

/** Isolated margin, on exchanges that set it per market. */
export const OWN_MARGIN: Setting = {
  set: (ccxt, symbol) => ccxt.setMarginMode("isolated", symbol),
  isSet: async (ccxt, symbol) => fieldOf(await ccxt.fetchMarginMode(symbol), "marginMode") === "isolated"
}

/** Leverage 1, on exchanges that report it for both sides. */
export const SINGLE: Setting = {
  set: (ccxt, symbol) => ccxt.setLeverage(1, symbol),
  isSet: async (ccxt, symbol) => isSingle(await ccxt.fetchLeverage(symbol))
}

/** Whether ccxt's leverage is 1 on each side. */
export const isSingle = (response: unknown): boolean =>
  ["longLeverage", "shortLeverage"].every((side) => Number(fieldOf(response, side)) === 1)

/** A query for a page of an order's trades. */
export interface TradesQuery extends OrderQuery {
  /** The exchange's id of the order. */
  readonly id: string
  /** The exchange's report of the order. */
  readonly order: unknown
  /** The start of the page; undefined for the first. */
  readonly from: string | undefined
}

/** The dialect of an exchange. Like a descriptor it has no optional field. */
export interface Dialect {
  readonly send: (request: OrderRequest) => Sending
  /**
   * Whether market buys are accepted by quantity. If only by cost, a limit order that fills at once or is cancelled
   * replaces them.
   */
  readonly marketBuys: boolean
  /** The names of the client order id in the raw `info` of orders, where ccxt does not read it. */
  readonly clientIdFields: ReadonlyArray<string>
  /**
   * Queries for an order by its client order id, the most reliable first. Answers are orders or lists of orders; a
   * `Listing` has several pages.
   */
  readonly find: (query: OrderQuery) => ReadonlyArray<Ask | Listing>
  readonly byId: AskById
  /** A page of the order's trades. */
  readonly trades: (ccxt: TradingClient, query: TradesQuery) => Promise<unknown>
  /** The start of the page after this one; undefined after the last. */
  readonly next: (page: ReadonlyArray<unknown>, query: TradesQuery) => string | undefined
  readonly cancel: AskById
  /** The id of the order that a stop became when it triggered, if that is another and the stop's report has it. */
  readonly became: ((order: unknown) => string | undefined) | undefined
  /** For exchanges that report the triggered order separately. */
  readonly child:
    | {
        /** Whether a report is of the stop itself, not of the order that it became. */
        readonly isParent: (order: unknown) => boolean
        /** The id of the order that this stop became. */
        readonly idOf: (ccxt: TradingClient, query: OrderQuery, id: string) => Promise<string | undefined>
      }
    | undefined
  /** The account settings to make before the first order on a perpetual; undefined if it has no perpetuals here. */
  readonly isolation: Isolation | undefined
}

/** The usual order: market, limit that fills at once or is cancelled, and reduce-only exits of perpetuals. */
export const usual = (
  { order, price, clientId }: OrderRequest,
  id: string,
  stop: Readonly<Record<string, unknown>>,
  isLimit = order.type === "limit"
): Sending => {
  const swap =
    order.kind === "swap"
      ? { marginMode: "isolated", ...(order.purpose === "exit" ? { reduceOnly: true } : {}) }
      : {}
  if (order.type === "stop") return { type: "market", params: { [id]: clientId, ...stop, ...swap } }
  if (!isLimit) return { type: "market", params: { [id]: clientId, ...swap } }
  return { type: "limit", price, params: { [id]: clientId, timeInForce: "IOC", ...swap } }
}

/** The least number of rows of a full page. */
export const PAGE = 100

/** The cursor of the next page; ccxt puts it into one of the rows. */
export const cursorOf = (page: ReadonlyArray<unknown>, field: string): string | undefined =>
  page.map((row) => fieldOf(fieldOf(row, "info"), field)).find(isText)
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The lowest and highest numeric id of a full page; undefined if the page is not full. */
export const numbersOf = (
  page: ReadonlyArray<unknown>,
  field: string,
  size = PAGE
): { readonly lowest: bigint; readonly highest: bigint } | undefined => {
  const ids = page.map((row) => String(fieldOf(fieldOf(row, "info"), field))).filter((id) => /^\d+$/.test(id))
  if (page.length < size || ids.length === 0) return undefined
  const numbers = ids.map(BigInt).toSorted((one, other) => (one < other ? -1 : 1))
  return { lowest: numbers[0] ?? 0n, highest: numbers.at(-1) ?? 0n }
}
