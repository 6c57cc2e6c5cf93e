import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import { Report } from "../../services/Exchange.ts"
import type { Connection } from "../Connection.ts"
import type { Dialect, Listing, OrderQuery } from "../Dialect.ts"
import { outcomeOf } from "../Outcome.ts"
import type { TradingClient } from "../TradingClient.ts"
import { fillOf, foreignOf } from "./Fills.ts"
import { precisionOf, symbolOf } from "./MarketPrecision.ts"
import type { Rates } from "./Rates.ts"
import { type OrderResponse, orderIn, type TradeResponse, tradesOf } from "./Responses.ts"

/** What asking about an order came to. */
export type Found =
  | { readonly _tag: "Found"; readonly told: OrderResponse }
  /** Sound answers, and it was in none. */
  | { readonly _tag: "Nowhere" }
  /** An answer did not come. */
  | { readonly _tag: "Unclear" }

const found = (told: OrderResponse): Found => ({ _tag: "Found", told })
const NOWHERE: Found = { _tag: "Nowhere" }
const UNCLEAR: Found = { _tag: "Unclear" }

/** What looking for orders needs. */
export interface LookupParts {
  readonly connection: Connection
  readonly dialect: Dialect
  readonly rates: Rates
}

/** Looks for an order: by the exchange's id where it is known, then by ours, everywhere where it may be. */
export const find = Effect.fn("Lookup.find")(function* (
  looking: LookupParts,
  query: OrderQuery,
  id: string | undefined
) {
  const { dialect } = looking
  const byId = (ccxt: TradingClient) => dialect.byId(ccxt, query, id ?? "")
  const looks = [...(id === undefined ? [] : [byId]), ...dialect.find(query)]
  let isClear = true
  for (const look of looks) {
    const seen = yield* typeof look === "function"
      ? seenIn(looking, query, look)
      : listed(looking, query, look)
    if (seen === "closed") return UNCLEAR
    if (typeof seen === "object") return found(seen)
    if (seen === "unclear") isClear = false
  }
  return isClear ? NOWHERE : UNCLEAR
})

/** `absent` from a sound answer, an answer that tells nothing, or no question that could be asked now. */
type Seen = OrderResponse | "absent" | "unclear" | "closed"

/** Pages of a list that are read at most: many thousand orders of one market. */
const MOST_LISTED = 20

/** Looks through a list to its last page. One that has no end within reason is no sound answer. */
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
  { connection }: LookupParts,
  query: OrderQuery,
  ask: (ccxt: TradingClient, query: OrderQuery) => Promise<unknown>
): Effect.fn.Return<Seen> {
  const answer = yield* Effect.either(connection.ask("lookup", (ccxt) => ask(ccxt, query)))
  if (Either.isRight(answer)) return orderIn(answer.right, query.clientId) ?? "absent"
  if (answer.left._tag === "NotSent") return "closed"
  const { verdict } = outcomeOf(connection.venue.exchange, "lookup", answer.left.cause)
  return verdict === "Missing" ? "absent" : "unclear"
})

/** What an order has come to, with all its fills. */
export const report = Effect.fn("Lookup.report")(function* (
  looking: LookupParts,
  query: OrderQuery,
  order: Order,
  first: OrderResponse
) {
  const unknown = Report.Unknown({ order: order.id })
  const told = query.isStop ? yield* traced(looking, query, first) : first
  if (told === undefined) return unknown
  const hasEnded = told.status !== undefined && told.status !== "open"
  // A stop that waits, or was taken back, is told without it.
  const amount = told.filled ?? (query.isStop ? Decimal.zero : undefined)
  if (amount === undefined) return unknown
  if (Decimal.isZero(amount)) return unfilled(order, told, hasEnded)
  const trades = yield* traded(looking, query, told, amount)
  const fills = trades === undefined ? undefined : yield* filled(looking, order, trades)
  if (trades === undefined || fills === undefined) return unknown
  // Trades may lag behind the order: it is done when all are there.
  const sum = Decimal.sum(trades.map((trade) => trade.amount))
  const done = hasEnded && Decimal.equals(sum, amount)
  return fills.length === 0
    ? Report.Accepted({ order: order.id })
    : Report.Filled({ order: order.id, fills, done })
})

/** More pages than any order's trades fill. */
const MOST_PAGES = 100

/** Its trades, page by page until they make up what was filled; undefined where a page cannot be had. */
const traded = Effect.fnUntraced(function* (
  { connection, dialect }: LookupParts,
  query: OrderQuery,
  { id, whole }: OrderResponse,
  amount: Decimal.Decimal
) {
  const trades = new Map<string, TradeResponse>()
  let from: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const start = from
    const ask = connection.ask("lookup", (ccxt) => dialect.trades(ccxt, query, id, whole, start))
    const answer = yield* Effect.orElseSucceed(ask, () => undefined)
    const some = tradesOf(answer, id)
    if (some === undefined || !Array.isArray(answer)) return undefined
    for (const trade of some) trades.set(trade.id, trade)
    const sum = Decimal.sum([...trades.values()].map((trade) => trade.amount))
    if (!Decimal.lessThan(sum, amount)) break
    from = dialect.next?.(answer, query, start)
    if (from === undefined || from === start) break
  }
  return [...trades.values()]
})

/** Of an order of which nothing was traded. One that was carried out all the same is told of wrongly, or not yet. */
const unfilled = ({ id }: Order, { status }: OrderResponse, hasEnded: boolean): Report => {
  if (status === "rejected") return Report.Rejected({ order: id, reason: "the exchange turned it down" })
  if (status === "closed") return Report.Unknown({ order: id })
  return hasEnded ? Report.Filled({ order: id, fills: [], done: true }) : Report.Accepted({ order: id })
}

/** A stop as it is told where it is traded: itself as long as it waits; undefined where that is not known now. */
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

/** The order that a stop has become when it went off. */
const followed = Effect.fnUntraced(function* (
  { connection, dialect }: LookupParts,
  query: OrderQuery,
  id: string
) {
  const plain = { ...query, isStop: false }
  const ask = connection.ask("lookup", (ccxt) => dialect.byId(ccxt, plain, id))
  // Its client's id may be another, or none.
  return orderIn(yield* Effect.orElseSucceed(ask, () => undefined))
})

/** Undefined where the worth of a fee is not known: then it is asked again, and never taken for nothing. */
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
