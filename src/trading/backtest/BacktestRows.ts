// Rows of a back-test's result: trades and open positions with times in ms since the epoch, money as unrounded numbers.
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { costLeft, feesLeft, type Position } from "../../domain/Position.ts"
import { type ExitFill, exitFillsOf, type Trade } from "../../domain/Trade.ts"

/** A completed trade in numbers. */
export interface TradeRow extends Pick<Trade, "exchange" | "pair" | "kind" | "side" | "entries"> {
  readonly opened_at: number
  readonly closed_at: number
  readonly entry_price: number
  readonly exit_price: number
  readonly quantity: number
  readonly cost: number
  readonly proceeds: number
  readonly fees: number
  readonly pnl: number
  readonly profit_pct: number
  readonly exit_reason: Trade["exitReason"]
  readonly exits: number
  readonly funding?: number
  readonly exit_fills: ReadonlyArray<Omit<ExitFill, "quantity"> & { readonly quantity: number }>
}

/** The row of a completed trade. */
export const tradeRow = (trade: Trade): TradeRow => ({
  exchange: trade.exchange,
  pair: trade.pair,
  kind: trade.kind,
  side: trade.side,
  opened_at: trade.openedAt,
  closed_at: trade.closedAt,
  entry_price: trade.entryPrice,
  exit_price: trade.exitPrice,
  quantity: Decimal.toNumber(trade.quantity),
  cost: Decimal.toNumber(trade.cost),
  proceeds: Decimal.toNumber(trade.proceeds),
  fees: Decimal.toNumber(trade.fees),
  pnl: Decimal.toNumber(trade.pnl),
  profit_pct: trade.profitPercent,
  exit_reason: trade.exitReason,
  entries: trade.entries,
  exits: trade.exits ?? 1,
  ...(trade.funding === undefined ? {} : { funding: Decimal.toNumber(trade.funding) }),
  exit_fills: exitFillsOf(trade).map(({ at, price, quantity, reason }) => ({
    at,
    price,
    quantity: Decimal.toNumber(quantity),
    reason
  }))
})

/** The open position of a slot; empty if it has none. */
export const openRows = (slot: Slot) => (slot.position === undefined ? [] : [openRow(slot, slot.position)])

const openRow = (slot: Slot, position: Position) => ({
  exchange: slot.exchange,
  pair: slot.pair,
  kind: slot.kind,
  side: position.side,
  opened_at: position.openedAt,
  entry_price: Decimal.toNumber(Decimal.divide(position.basis, position.quantity)),
  quantity: Decimal.toNumber(position.quantity),
  cost: Decimal.toNumber(costLeft(position)),
  fees: Decimal.toNumber(feesLeft(position)),
  ...(position.funding === undefined ? {} : { funding: Decimal.toNumber(position.funding) }),
  entries: position.entries
})
