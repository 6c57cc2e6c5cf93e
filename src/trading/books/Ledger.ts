// Double-entry postings in the bot's quote currency. The lines of every posting sum to zero, and every balance is the
// sum of its account's lines.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { OrderId } from "../../domain/Order.ts"
import type { Exited } from "./Positions.ts"

/**
 * The accounts of a bot's books, all in its quote currency. `cash` is free cash. `positions` holds open positions at
 * entry notional (a swap's margin). `fees` are fees paid. `result` and `capital` are negative for gains and for the
 * owner's deposits, as in double entry. `funding` is what perpetuals paid, negative for what they received. `dust` is the cost of rests too small to sell, `written_off` the cost of
 * positions that the exchange no longer held.
 */
export type AccountName =
  | "cash"
  | "positions"
  | "fees"
  | "result"
  | "capital"
  | "dust"
  | "written_off"
  | "funding"

/** The amount that one account receives; negative if it pays. */
export interface Line {
  readonly account: AccountName
  readonly amount: Decimal.Decimal
}

/** Lines whose amounts sum to zero. `market` is a market key; `order` is the order that caused the posting. */
export interface Posting {
  readonly at: number
  readonly market?: string
  readonly order?: OrderId
  readonly lines: ReadonlyArray<Line>
}

/** The owner pays in the starting balance. */
export const opening = (amount: Decimal.Decimal, at: number): Posting => ({
  at,
  lines: [
    { account: "cash", amount },
    { account: "capital", amount: Decimal.negate(amount) }
  ]
})

/** An entry fill: cash becomes position and fee. */
export const entry = (market: string, fill: Fill): Posting => ({
  at: fill.at,
  market,
  order: fill.order,
  lines: [
    { account: "cash", amount: Decimal.negate(Decimal.add(fill.notional, fill.fee)) },
    { account: "positions", amount: fill.notional },
    { account: "fees", amount: fill.fee }
  ]
})

/** An exit fill: the position's cost becomes cash and fee; the difference is the result. */
export const exit = (market: string, fill: Fill, exited: Exited): Posting => ({
  at: fill.at,
  market,
  order: fill.order,
  lines: [
    { account: "cash", amount: exited.net },
    { account: "positions", amount: Decimal.negate(exited.basis) },
    { account: "fees", amount: fill.fee },
    { account: "result", amount: Decimal.subtract(exited.basis, Decimal.add(exited.net, fill.fee)) }
  ]
})

/** Takes a rest below the market's minimum, left by rounding, out of the position. */
export const dust = (market: string, basis: Decimal.Decimal, order: OrderId, at: number): Posting => ({
  at,
  market,
  order,
  lines: [
    { account: "positions", amount: Decimal.negate(basis) },
    { account: "dust", amount: basis }
  ]
})

/** The exchange no longer holds the position; no order explains it. */
export const writtenOff = (market: string, basis: Decimal.Decimal, at: number): Posting => ({
  at,
  market,
  lines: [
    { account: "positions", amount: Decimal.negate(basis) },
    { account: "written_off", amount: basis }
  ]
})

/** A perpetual's position receives funding, or pays a negative amount of it. */
export const funding = (market: string, received: Decimal.Decimal, at: number): Posting => ({
  at,
  market,
  lines: [
    { account: "cash", amount: received },
    { account: "funding", amount: Decimal.negate(received) }
  ]
})

/** Sums the lines of each account. */
export const balances = (postings: Iterable<Posting>): Readonly<Record<AccountName, Decimal.Decimal>> => {
  const totals = {
    cash: Decimal.zero,
    positions: Decimal.zero,
    fees: Decimal.zero,
    result: Decimal.zero,
    capital: Decimal.zero,
    dust: Decimal.zero,
    written_off: Decimal.zero,
    funding: Decimal.zero
  }
  for (const { lines } of postings) {
    for (const { account, amount } of lines) totals[account] = Decimal.add(totals[account], amount)
  }
  return totals
}

/** The sum of all lines: zero for a sound posting. */
export const imbalance = (posting: Posting): Decimal.Decimal =>
  Decimal.sum(posting.lines.map((line) => line.amount))
