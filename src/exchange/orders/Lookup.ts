// Looks up an order at the exchange and reports its state and fills; a missing page, trade or rate makes the result
// unclear, never empty. When a missing order counts as "never arrived" is decided in
// services/engine/orders/OrdersInFlight.ts.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Dialect, Listing, OrderQuery } from "../../ccxt/Dialect.ts"
import type { TradingClient } from "../../ccxt/TradingClient.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import { Report } from "../../services/Exchange.ts"
import type { Connection } from "../Connection.ts"
import { outcomeOf } from "../Outcome.ts"
import { fillOf, foreignOf } from "./Fills.ts"
import { precisionOf, symbolOf } from "./MarketPrecision.ts"
import type { Rates } from "./Rates.ts"
import { type OrderResponse, orderIn, type TradeResponse, tradesOf } from "./Responses.ts"

/** The result of looking for an order. */
export type Found =
  | { readonly _tag: "Found"; readonly response: OrderResponse }
  /** Every query had a sound answer, and none had the order. */
  | { readonly _tag: "Nowhere" }
  /** At least one answer is missing. */
  | { readonly _tag: "Unclear" }

const found = (response: OrderResponse): Found => ({ _tag: "Found", response })
const NOWHERE: Found = { _tag: "Nowhere" }
const UNCLEAR: Found = { _tag: "Unclear" }

/** The parts that a lookup needs. */
export interface LookupParts {
  readonly connection: Connection
  readonly dialect: Dialect
  readonly rates: Rates
}

/** Finds an order: by the exchange's id if known, then by client order id wherever it may be. */
export const find = Effect.fn("Lookup.find")(function* (
  looking: LookupParts,
  query: OrderQuery,
  id: string | undefined
) {
  const { dialect } = looking
  const byId = (ccxt: TradingClient) => dialect.byId(ccxt, query, id ?? "")
  const looks = [...(id === undefined ? [] : [byId]), ...dialect.find(query)]
  let isClear = true
  for (const lookup of looks) {
    const seen = yield* typeof lookup === "function"
      ? seenIn(looking, query, lookup)
      : listed(looking, query, lookup)
    if (seen === "closed") return UNCLEAR
    if (typeof seen === "object") return found(seen)
    if (seen === "unclear") isClear = false
  }
  return isClear ? NOWHERE : UNCLEAR
})

/** `absent`: a sound answer without the order; `unclear`: an unusable answer; `closed`: the query could not be sent. */
type Seen = OrderResponse | "absent" | "unclear" | "closed"

/** The most pages of a list: many thousand orders of one market. */
const MOST_LISTED = 20

/** Searches a list to its last page. A list without an end is no sound answer. */
const listed = Effect.fnUntraced(function* (
  looking: LookupParts,
  query: OrderQuery,
  { list, next }: Listing
) {
  let from: string | undefined
  for (let page = 0; page < MOST_LISTED; page++) {
    const start = from
    let rows: unknown
    const seen = yield* seenIn(looking, query, async (ccxt) => {
      rows = await list(ccxt, start)
      return rows
    })
    if (seen !== "absent") return seen
    if (!Array.isArray(rows)) return "unclear"
    from = next(rows, start)
    if (from === undefined) return "absent"
    if (from === start) return "unclear"
  }
  return "unclear"
})

const seenIn = Effect.fnUntraced(function* (
  { connection, dialect }: LookupParts,
  query: OrderQuery,
  ask: (ccxt: TradingClient, query: OrderQuery) => Promise<unknown>
): Effect.fn.Return<Seen> {
  const answer = yield* Effect.either(connection.ask("lookup", (ccxt) => ask(ccxt, query)))
  const sought = { clientId: query.clientId, clientIdFields: dialect.clientIdFields }
  if (Either.isRight(answer)) return orderIn(answer.right, sought) ?? "absent"
  if (answer.left._tag === "NotSent") return "closed"
  const { verdict } = outcomeOf(connection.venue.exchange, "lookup", answer.left.cause)
  return verdict === "Missing" ? "absent" : "unclear"
})

/** The report of an order, with all its fills. */
export const report = Effect.fn("Lookup.report")(function* (
  looking: LookupParts,
  query: OrderQuery,
  order: Order,
  first: OrderResponse
) {
  const unknown = Report.Unknown({ order: order.id })
  const response = query.isStop ? yield* traced(looking, query, first) : first
  if (response === undefined) return unknown
  const hasEnded = response.status !== undefined && response.status !== "open"
  // A waiting or cancelled stop reports no filled amount.
  const amount = response.filled ?? (query.isStop ? Decimal.zero : undefined)
  if (amount === undefined) return unknown
  if (Decimal.isZero(amount)) return unfilled(order, response, hasEnded)
  const trades = yield* traded(looking, query, response, amount)
  const fills = trades === undefined ? undefined : yield* filled(looking, order, trades)
  if (trades === undefined || fills === undefined) return unknown
  // Trades may lag behind the order: it is done once all of them are there.
  const sum = Decimal.sum(trades.map((trade) => trade.amount))
  const done = hasEnded && Decimal.equals(sum, amount)
  return fills.length === 0
    ? Report.Accepted({ order: order.id })
    : Report.Filled({ order: order.id, fills, done })
})

/** The most pages of one order's trades. */
const MOST_PAGES = 100

/** The order's trades, page by page until they add up to its filled amount; undefined if a page is missing. */
const traded = Effect.fnUntraced(function* (
  { connection, dialect }: LookupParts,
  query: OrderQuery,
  { id, whole }: OrderResponse,
  amount: Decimal.Decimal
) {
  const trades = new Map<string, TradeResponse>()
  let from: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = { ...query, id, order: whole, from }
    const ask = connection.ask("lookup", (ccxt) => dialect.trades(ccxt, page))
    const answer = yield* Effect.orElseSucceed(ask, () => undefined)
    const some = tradesOf(answer, id)
    if (some === undefined || !Array.isArray(answer)) return undefined
    for (const trade of some) trades.set(trade.id, trade)
    const sum = Decimal.sum([...trades.values()].map((trade) => trade.amount))
    if (!Decimal.lessThan(sum, amount)) break
    from = dialect.next(answer, page)
    if (from === undefined || from === page.from) break
  }
  return [...trades.values()]
})

/** The report of an order without trades. One reported as executed all the same is misreported, or not yet complete. */
const unfilled = ({ id }: Order, { status }: OrderResponse, hasEnded: boolean): Report => {
  if (status === "rejected") return Report.Rejected({ order: id, reason: "the exchange rejected it" })
  if (status === "closed") return Report.Unknown({ order: id })
  return hasEnded ? Report.Filled({ order: id, fills: [], done: true }) : Report.Accepted({ order: id })
}

/** The order behind a stop: itself while it waits, else the order it became; undefined if that is unknown. */
const traced = Effect.fnUntraced(function* (looking: LookupParts, query: OrderQuery, stop: OrderResponse) {
  const { connection, dialect } = looking
  const became = dialect.became?.(stop.whole)
  if (became !== undefined) return yield* followed(looking, query, became)
  const { child } = dialect
  if (child === undefined || stop.status !== "closed" || !child.isParent(stop.whole)) return stop
  const ask = connection.ask("lookup", (ccxt) => child.idOf(ccxt, query, stop.id))
  const id = yield* Effect.orElseSucceed(ask, () => undefined)
  return typeof id === "string" ? yield* followed(looking, query, id) : undefined
})

/** The order that a stop became when it triggered. */
const followed = Effect.fnUntraced(function* (
  { connection, dialect }: LookupParts,
  query: OrderQuery,
  id: string
) {
  const plain = { ...query, isStop: false }
  const ask = connection.ask("lookup", (ccxt) => dialect.byId(ccxt, plain, id))
  // It may have another client order id, or none.
  return orderIn(yield* Effect.orElseSucceed(ask, () => undefined))
})

/** The fills; undefined without the rate of a fee, which is then requested again and never assumed to be zero. */
const filled = Effect.fnUntraced(function* (
  { connection, rates }: LookupParts,
  order: Order,
  trades: ReadonlyArray<TradeResponse>
) {
  const market = yield* Effect.orElseSucceed(connection.market(symbolOf(order)), () => undefined)
  const precision = Option.getOrUndefined(precisionOf(market))
  if (precision === undefined) return undefined
  const known = new Map<string, Decimal.Decimal>()
  for (const asset of foreignOf(order, trades)) {
    const rate = yield* rates.of(asset, quoteOf(order.pair))
    if (rate === undefined) return undefined
    known.set(asset, rate)
  }
  const fills = trades.map((trade) => fillOf(order, trade, precision.size, (asset) => known.get(asset)))
  return fills.every((fill) => fill !== undefined) ? fills : undefined
})
