// Trades and open positions by the names of `backtest --json`.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { OpenRow, TradeRow } from "./Case.ts"
import { average, type Bot, costOf, type Held, type Place, plain } from "./Money.ts"

/** A position whose last quantity was sold. */
export const tradeOf = (bot: Bot, place: Place, h: Held): TradeRow => {
  const cost = plain(Decimal.add(h.allN, h.allFees))
  const last = h.exits.at(-1)
  const quantity = plain(h.allQ)
  return {
    pair: bot.pairs[place.n] ?? "",
    kind: place.kind,
    side: h.side,
    opened_at: h.first,
    closed_at: last?.at ?? 0,
    entry_price: plain(h.allN) / quantity,
    exit_price: h.exits.reduce((sum, exit) => sum + exit.price * exit.quantity, 0) / quantity,
    quantity,
    cost,
    proceeds: plain(h.back),
    fees: plain(Decimal.add(h.allFees, h.exitFees)),
    pnl: plain(Decimal.subtract(h.back, Decimal.add(h.allN, h.allFees))),
    exit_reason: last?.reason ?? "",
    entries: h.entries,
    exits: h.exits.length,
    exit_fills: h.exits
  }
}

export const openRows = (bot: Bot): ReadonlyArray<OpenRow> =>
  bot.places.flatMap((place) => {
    const h = place.held
    if (!h) return []
    return [
      {
        pair: bot.pairs[place.n] ?? "",
        kind: place.kind,
        side: h.side,
        opened_at: h.first,
        entry_price: average(h),
        quantity: plain(h.q),
        cost: plain(costOf(h)),
        fees: plain(h.fees),
        entries: h.entries
      }
    ]
  })
