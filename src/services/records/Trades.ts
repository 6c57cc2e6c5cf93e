// The port that pages through trades and fills, of one strategy or of all of an account, with its in-memory layer. There
// may be hundreds of thousands: a page costs little more than what it holds.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { ExitReason, OrderId, OrderPurpose, OrderSide } from "../../domain/Order.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { Results } from "../../trading/backtest/Thinning.ts"
import type { TradeRow } from "../Portfolio.ts"
import { MemoryState, type OwnedTrade, type State } from "./MemoryState.ts"
import {
  type FoundTrade,
  isFound,
  merged,
  type TradeFilter,
  type TradeTotal,
  totalOf
} from "./TradeSearch.ts"

/** The keys that trades are sorted by; ties by closing. */
export type Order = "closed_at" | "opened_at" | "pair" | "pnl" | "profit_pct" | "hold"

/** A page of a sorted list: rows to skip, and the most rows. */
export interface Stretch {
  readonly order: Order
  readonly direction: "asc" | "desc"
  readonly offset: number
  readonly limit: number
}

/** A fill with its order's id and purpose, and whether the order closes a part. `price` and `at` as in the fill. */
export interface Mark {
  readonly order: OrderId
  readonly isPart: boolean
  readonly at: number
  readonly purpose: OrderPurpose
  readonly side: OrderSide
  readonly price: number
  readonly quantity: Decimal.Decimal
  readonly exitReason: ExitReason | undefined
}

/** Some of many rows, with the number of all. */
export interface Some<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number
}

/**
 * Closed trades and fills, to be read. A port; the Portfolio writes them. The caller has checked whose the strategy is.
 * A strategy may have hundreds of thousands: nothing here costs more than its answer, except counting, and a search that
 * is sorted by anything but closing, which reads an index of the account's trades.
 *
 * **An implementation keeps**
 *
 * - Scope: one strategy's, whatever is asked; the caller has checked that it may be seen. `search`, `searchAfter` and
 *   `totals` read all trades of the account's strategies, also of deleted ones, and nobody else's.
 * - Order: any that `Stretch` names, both ways, with ties by closing, in pages that neither skip nor repeat. Marks go
 *   oldest first.
 * - Exactness: money is the decimal that was committed, times are exact to the ms.
 * - Freshness: what a commit stored is visible from the moment it ends.
 *
 * **Proved by** `TradesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Trades extends Context.Tag("signalbox/services/records/Trades")<
  Trades,
  {
    readonly page: (strategy: StrategyId, stretch: Stretch) => Effect.Effect<Some<TradeRow>>
    /** Lists at most `limit` trades with ids above `id`, oldest first. */
    readonly after: (
      strategy: StrategyId,
      id: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TradeRow>>
    /** Lists the account's trades that the filter finds, with the number of all that it finds. */
    readonly search: (
      account: AccountId,
      filter: TradeFilter,
      stretch: Stretch
    ) => Effect.Effect<Some<FoundTrade>>
    /** Lists at most `limit` trades that the filter finds with ids above `id`, oldest first. */
    readonly searchAfter: (
      account: AccountId,
      filter: TradeFilter,
      page: { readonly id: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<FoundTrade>>
    /** Sums up what the filter finds, by currency, paper and live apart. */
    readonly totals: (account: AccountId, filter: TradeFilter) => Effect.Effect<ReadonlyArray<TradeTotal>>
    /** Reads the results of one of the bot's periods (the first is 1), oldest first. */
    readonly results: (strategy: StrategyId, period: number) => Effect.Effect<Results>
    /** Reads the fills on a market in a range (ms, `until` exclusive), oldest first: the latest `limit`. */
    readonly marks: (
      strategy: StrategyId,
      market: MarketId,
      range: { readonly from: number; readonly until: number; readonly limit: number }
    ) => Effect.Effect<Some<Mark>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Trades,
    Effect.map(MemoryState, (state) => {
      const of = (strategy: StrategyId) => state.trades.filter((row) => row.strategy === strategy)
      return Trades.of({
        page: Effect.fn("Trades.page")((strategy, stretch) =>
          Effect.sync(() => {
            const { rows, total } = stretched(of(strategy), stretch)
            return { rows: rows.map(({ id, trade }) => ({ id, trade })), total }
          })
        ),
        ...searching(state),
        after: Effect.fn("Trades.after")((strategy, id, limit) =>
          Effect.sync(() =>
            of(strategy)
              .filter((row) => row.id > id)
              .slice(0, limit)
              .map((row) => ({ id: row.id, trade: row.trade }))
          )
        ),
        results: Effect.fn("Trades.results")((strategy, period) =>
          Effect.sync(() => {
            const rows = of(strategy).filter(({ trade }) => (trade.period ?? 1) === period)
            return {
              at: Float64Array.from(rows, ({ trade }) => trade.closedAt),
              pnl: Float64Array.from(rows, ({ trade }) => Decimal.toNumber(trade.pnl))
            }
          })
        ),
        marks: Effect.fn("Trades.marks")((strategy, market, { from, limit, until }) =>
          Effect.sync(() => {
            const key = marketKey(market)
            const found = state.fills
              .filter(
                ({ fill, strategy: owner }) =>
                  owner === strategy && marketKey(fill) === key && fill.at >= from && fill.at < until
              )
              .sort((one, other) => one.fill.at - other.fill.at)
            const rows = found.slice(-limit).map(({ fill }): Mark => {
              const order = state.orders.get(fill.order)?.order
              const { at, price, quantity, side } = fill
              return {
                order: fill.order,
                isPart: order?.part === true,
                at,
                purpose: order?.purpose ?? (side === "buy" ? "entry" : "exit"),
                side,
                price,
                quantity,
                exitReason: order?.exitReason
              }
            })
            return { rows, total: found.length }
          })
        )
      })
    })
  )
}

/** The reads of all trades of an account. */
const searching = (state: State): Pick<typeof Trades.Service, "search" | "searchAfter" | "totals"> => {
  const found = (account: AccountId, filter: TradeFilter) =>
    state.trades.filter((row) => isFound(row, account, filter))
  return {
    search: Effect.fn("Trades.search")((account, filter, stretch) =>
      Effect.sync(() => {
        const { rows, total } = stretched(found(account, filter), stretch)
        return { rows: rows.map(foundTrade), total }
      })
    ),
    searchAfter: Effect.fn("Trades.searchAfter")((account, filter, { id, limit }) =>
      Effect.sync(() =>
        found(account, filter)
          .filter((row) => row.id > id)
          .slice(0, limit)
          .map(foundTrade)
      )
    ),
    totals: Effect.fn("Trades.totals")((account, filter) =>
      Effect.sync(() => merged(found(account, filter).map(({ trade }) => totalOf(trade))))
    )
  }
}

/** The rows of a stretch, with the number of all. */
const stretched = (
  all: ReadonlyArray<OwnedTrade>,
  { direction, limit, offset, order }: Stretch
): Some<OwnedTrade> => {
  const sorted = [...all].sort((a, b) => comparing[order](a.trade, b.trade) || a.id - b.id)
  if (direction === "desc") sorted.reverse()
  return { rows: sorted.slice(offset, offset + limit), total: all.length }
}

const foundTrade = ({ id, strategy, trade }: OwnedTrade): FoundTrade => ({ id, strategy, trade })

const comparing: Readonly<Record<Order, (one: Trade, other: Trade) => number>> = {
  closed_at: () => 0,
  opened_at: (one, other) => one.openedAt - other.openedAt,
  pair: (one, other) => (one.pair < other.pair ? -1 : one.pair > other.pair ? 1 : 0),
  pnl: (one, other) => Decimal.toNumber(one.pnl) - Decimal.toNumber(other.pnl),
  profit_pct: (one, other) => one.profitPercent - other.profitPercent,
  hold: (one, other) => one.closedAt - one.openedAt - (other.closedAt - other.openedAt)
}
