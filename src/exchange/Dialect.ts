// The differences between the seven exchanges in placing, finding and cancelling orders, as data and small functions.
// Each function makes one request, except where an answer has several pages.
import { fieldOf } from "../ccxt/Failure.ts"
import type { Order } from "../domain/Order.ts"
import type { TradingClient } from "./TradingClient.ts"

/** An order in ccxt's terms: amounts (in contracts where the exchange counts those) and prices as texts. */
export interface OrderRequest {
  readonly order: Order
  readonly symbol: string
  readonly clientId: string
  readonly amount: string
  /** The price of a limit order, of one that replaces a market order (see `marketBuys`), or of a stop's trigger. */
  readonly price: string
  /** The limit price of a stop that becomes a limit order (see `stopLimits`), far enough to fill. */
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
  /** Where the next page starts, after the one that started at `from`; undefined after the last. */
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
export const isSingle = (told: unknown): boolean =>
  ["longLeverage", "shortLeverage"].every((side) => Number(fieldOf(told, side)) === 1)

/** How an exchange pages balances. */
export interface WalletPages {
  /**
   * Whether a page of raw balances is the last, or where the next starts. Undefined for a malformed page: there may be
   * more than it shows.
   */
  readonly page: (info: unknown) => "last" | { readonly from: string } | undefined
  /** The asset that is spent for this one; some exchanges keep assets under other names. */
  readonly spentAs?: (asset: string) => string
}

/** Balances in a single answer, as the list at this path. */
export const onePage = (...path: ReadonlyArray<string>): WalletPages => ({
  page: (info) => {
    const list = path.reduce<unknown>((value, name) => fieldOf(value, name), info)
    return Array.isArray(list) ? "last" : undefined
  }
})

/** The dialect of an exchange. */
export interface Dialect {
  readonly wallet: WalletPages
  readonly send: (request: OrderRequest) => Sending
  /**
   * Queries for an order by its client order id, the most reliable first. Answers are orders or lists of orders; a
   * `Listing` has several pages.
   */
  readonly find: (query: OrderQuery) => ReadonlyArray<Ask | Listing>
  readonly byId: AskById
  /**
   * A page of the order's trades, the first or the one that starts at `from`; `order` is the exchange's report of it.
   */
  readonly trades: (
    ccxt: TradingClient,
    query: OrderQuery,
    id: string,
    order: unknown,
    from: string | undefined
  ) => Promise<unknown>
  /** Where the next page starts, after the one that started at `from`; undefined after the last. */
  readonly next?: (
    page: ReadonlyArray<unknown>,
    query: OrderQuery,
    from: string | undefined
  ) => string | undefined
  readonly cancel: AskById
  /** The id of the order that a stop became when it triggered, if that is another. */
  readonly became?: (order: unknown) => string | undefined
  /** For exchanges that report the triggered order separately. */
  readonly child?: {
    /** Whether a report is of the stop itself, not of the order that it became. */
    readonly isParent: (order: unknown) => boolean
    /** The id of the order that this stop became. */
    readonly idOf: (ccxt: TradingClient, query: OrderQuery, id: string) => Promise<string | undefined>
  }
  /** Settings before the first order on a perpetual: isolated margin at leverage 1. */
  readonly isolate?: ReadonlyArray<Setting>
  /** `true`: each request carries a nonce above the last, made of this machine's time. */
  readonly isNumbered?: true
  /**
   * `false`: market buys are accepted by cost only, so a limit order that fills at once or is cancelled replaces them.
   */
  readonly marketBuys?: false
  /** `true`: stops can only become limit orders. */
  readonly stopLimits?: true
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
