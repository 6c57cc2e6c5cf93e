import { fieldOf } from "../ccxt/Failure.ts"
import type { Order } from "../domain/Order.ts"
import type { TradingClient } from "./TradingClient.ts"

/** An order as the library wants it: amounts (in contracts where the exchange counts those) and prices as texts. */
export interface OrderRequest {
  readonly order: Order
  readonly symbol: string
  readonly clientId: string
  readonly amount: string
  /** Of a limit order, of one that stands in for a market order (see `marketBuys`), or where a stop goes off. */
  readonly price: string
  /** Of a stop that turns into a limit order (see `stopLimits`): far enough to be filled. */
  readonly worst: string
}

/** What the library's `createOrder` is called with besides symbol, side and amount. */
export interface Sending {
  readonly type: "market" | "limit"
  readonly price?: string
  readonly params: Readonly<Record<string, unknown>>
}

/** An order that is asked about. `since` is a time (ms) before it was sent. */
export interface OrderQuery {
  readonly symbol: string
  readonly clientId: string
  readonly isStop: boolean
  readonly isSwap: boolean
  readonly since: number
}

type Ask = (ccxt: TradingClient, query: OrderQuery) => Promise<unknown>

/** A list in which an order may be, told in pages: the first one, or the one that starts at `from`. */
export interface Listing {
  readonly list: (ccxt: TradingClient, from: string | undefined) => Promise<unknown>
  /** Where the page after this one starts, which started at `from`; undefined where it is the last one. */
  readonly next: (page: ReadonlyArray<unknown>, from: string | undefined) => string | undefined
}
type AskById = (ccxt: TradingClient, query: OrderQuery, id: string) => Promise<unknown>

/** Something that is set for a perpetual. */
export interface Setting {
  readonly set: (ccxt: TradingClient, symbol: string) => Promise<unknown>
  /**
   * Whether it is set already. Asked where `set` was refused: exchanges refuse to set anything while a position or an
   * order is open, also to what it is.
   */
  readonly isSet: (ccxt: TradingClient, symbol: string) => Promise<boolean>
}

/** Margin of its own, where an exchange keeps that for each market. */
export const OWN_MARGIN: Setting = {
  set: (ccxt, symbol) => ccxt.setMarginMode("isolated", symbol),
  isSet: async (ccxt, symbol) => fieldOf(await ccxt.fetchMarginMode(symbol), "marginMode") === "isolated"
}

/** As much margin as the position is worth, where the exchange tells that of both sides. */
export const SINGLE: Setting = {
  set: (ccxt, symbol) => ccxt.setLeverage(1, symbol),
  isSet: async (ccxt, symbol) => isSingle(await ccxt.fetchLeverage(symbol))
}

/** Whether what the library says of a leverage is 1, for each side. */
export const isSingle = (told: unknown): boolean =>
  ["longLeverage", "shortLeverage"].every((side) => Number(fieldOf(told, side)) === 1)

/** How an exchange tells of what an account holds. */
export interface WalletPages {
  /**
   * Whether a page of balances, as the exchange wrote it, is the last one, or where the next one starts. Undefined where
   * it is no sound page: then more may be there than it tells.
   */
  readonly page: (info: unknown) => "last" | { readonly from: string } | undefined
  /** The asset that is spent where this one is: the exchange keeps some under names of their own. */
  readonly spentAs?: (asset: string) => string
}

/** All that an account holds stands in one answer, in the list at this place. */
export const onePage = (...path: ReadonlyArray<string>): WalletPages => ({
  page: (info) => {
    const list = path.reduce<unknown>((value, name) => fieldOf(value, name), info)
    return Array.isArray(list) ? "last" : undefined
  }
})

/** In what the seven differ. Every function makes one request, but where one answer takes several pages. */
export interface Dialect {
  readonly wallet: WalletPages
  readonly send: (request: OrderRequest) => Sending
  /**
   * Looks for an order by its client's id, the most telling first: answers are orders, or lists of them. Where an
   * exchange can be asked for lists only, each is a `Listing`: an order that is not on its first page may be on another.
   */
  readonly find: (query: OrderQuery) => ReadonlyArray<Ask | Listing>
  readonly byId: AskById
  /** A page of its trades, the first one or the one that starts at `from`; `order` is what was told of it. */
  readonly trades: (
    ccxt: TradingClient,
    query: OrderQuery,
    id: string,
    order: unknown,
    from: string | undefined
  ) => Promise<unknown>
  /** Where the page after this one starts, which started at `from`; undefined where it is the last one. */
  readonly next?: (
    page: ReadonlyArray<unknown>,
    query: OrderQuery,
    from: string | undefined
  ) => string | undefined
  readonly cancel: AskById
  /** The id of the order that a stop has turned into, where that is another. */
  readonly became?: (order: unknown) => string | undefined
  /** Where an exchange tells apart which order a stop has turned into. */
  readonly child?: {
    /** Whether what was told is the stop, and not what it turned into. */
    readonly isParent: (order: unknown) => boolean
    /** The id of what a stop of this id has turned into. */
    readonly idOf: (ccxt: TradingClient, query: OrderQuery, id: string) => Promise<string | undefined>
  }
  /** Before the first order on a perpetual: margin of its own, and as much as the position is worth. */
  readonly isolate?: ReadonlyArray<Setting>
  /** `true`: each request bears a number above those before, which is a time of this machine's, and not one of its own. */
  readonly isNumbered?: true
  /** `false`: it takes for a market buy only what it may cost; a limit order that is filled or cancelled stands in. */
  readonly marketBuys?: false
  /** `true`: its stops turn into limit orders only. */
  readonly stopLimits?: true
}

/** What most of them agree on: markets, limits that are filled at once or cancelled, and what may only reduce. */
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

/** Pages hold at least so many. */
export const PAGE = 100

/** A page's cursor, where the exchange told one: the library puts it into one of its rows. */
export const cursorOf = (page: ReadonlyArray<unknown>, field: string): string | undefined =>
  page.map((row) => fieldOf(fieldOf(row, "info"), field)).find(isText)
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The lowest and the highest number of a full page's rows, where ids are numbers; undefined where it is not full. */
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
