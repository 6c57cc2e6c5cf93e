// What the owner closed in a record, as changes on the way of a test.
import * as Decimal from "../../domain/Decimal.ts"
import type { TermsChange } from "../backtest/TermsChange.ts"
import { isByHand } from "./LiveRecord.ts"
import { EARLIER_MS } from "./Moments.ts"
import type { RealTrade, RealTrades } from "./RealTrades.ts"

/** The owner's closes, each with the part of the position that it sold. */
export const closesOf = ({ entries, trades }: RealTrades): ReadonlyArray<TermsChange> =>
  [...trades.values()].flatMap((trade) => closesIn(trade, entries.get(trade.key)?.moved ?? Decimal.zero))

const closesIn = ({ dca, exits }: RealTrade, entered: Decimal.Decimal): ReadonlyArray<TermsChange> => {
  const changes: Array<TermsChange> = []
  for (const [index, { decided, orders }] of exits.entries()) {
    const [first] = orders
    if (first === undefined || !isByHand(first)) continue
    const { at, exchange, kind, pair, part } = first.order
    const added = dca.filter(({ orders }) => (orders[0]?.order.at ?? at) < at)
    const held = Decimal.subtract(
      Decimal.sum([entered, ...added.map(({ moved }) => moved)]),
      Decimal.sum(exits.slice(0, index).map(({ moved }) => moved))
    )
    const isPart = part === true && Decimal.greaterThan(held, decided)
    changes.push({
      // The moment of the order's own price comes before it.
      at: at - EARLIER_MS / 2,
      closed: {
        market: { exchange, pair, kind },
        percent: isPart ? 100 * Decimal.toNumber(Decimal.divide(decided, held)) : 100
      }
    })
  }
  return changes
}
