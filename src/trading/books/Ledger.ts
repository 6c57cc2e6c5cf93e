import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { OrderId } from "../../domain/Order.ts"
import type { Exited } from "./Positions.ts"

/**
 * The accounts of a bot's books, all in its quote currency: `cash` is free; `positions` holds open positions at
 * their entry notional (a swap's margin); `fees`, `result` (a gain is negative, as income is in double entry) and
 * `capital` (what the owner put in, negative); `dust` is what was left too small to sell, `written_off` what the
 * exchange did not hold any more.
 */
export type AccountName = "cash" | "positions" | "fees" | "result" | "capital" | "dust" | "written_off"

/** What one account gets, or gives where it is negative. */
export interface Line {
  readonly account: AccountName
  readonly amount: Decimal.Decimal
}

/** Lines that belong together: their amounts sum to zero. `market` is a market key; `order` what caused them. */
export interface Posting {
  readonly at: number
  readonly market?: string
  readonly order?: OrderId
  readonly lines: ReadonlyArray<Line>
}

/** The owner puts in the starting balance. */
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

/** An exit fill: the position's share becomes cash and fee; what is missing or over is the result. */
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

/** What rounding left under the market's minimum: it is no position any more. */
export const dust = (market: string, basis: Decimal.Decimal, order: OrderId, at: number): Posting => ({
  at,
  market,
  order,
  lines: [
    { account: "positions", amount: Decimal.negate(basis) },
    { account: "dust", amount: basis }
  ]
})

/** What the exchange does not hold any more: nobody knows what became of it, and no order did it. */
export const writtenOff = (market: string, basis: Decimal.Decimal, at: number): Posting => ({
  at,
  market,
  lines: [
    { account: "positions", amount: Decimal.negate(basis) },
    { account: "written_off", amount: basis }
  ]
})

/** Balances are folds of the ledger. */
export const balances = (postings: Iterable<Posting>): Readonly<Record<AccountName, Decimal.Decimal>> => {
  const totals = {
    cash: Decimal.zero,
    positions: Decimal.zero,
    fees: Decimal.zero,
    result: Decimal.zero,
    capital: Decimal.zero,
    dust: Decimal.zero,
    written_off: Decimal.zero
  }
  for (const { lines } of postings) {
    for (const { account, amount } of lines) totals[account] = Decimal.add(totals[account], amount)
  }
  return totals
}

/** Zero, for any sound posting. */
export const imbalance = (posting: Posting): Decimal.Decimal =>
  Decimal.sum(posting.lines.map((line) => line.amount))
