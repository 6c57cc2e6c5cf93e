// Some exchanges take fees in a coin of their own whenever the account has any, so also from a bot's position in it. A
// fee in the coin that was just bought is off the fill's quantity: exchange/orders/Fills.
import * as Effect from "effect/Effect"
import type { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { baseOf } from "../../../domain/Market.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import type { OrderRecord, Orders } from "../../money/Orders.ts"

/** Orders read at a time, and the most pages read of one strategy. */
const PAGE = 200
const MOST_PAGES = 20

/** A coin, the exchange account, and the time (ms) from which on fees count. */
interface Taken {
  readonly account: ExchangeAccountId
  readonly coin: string
  readonly since: number
}

/**
 * How much of a coin the fees of an exchange account's orders took since a time (ms), beyond fees on buys of that coin.
 */
export const takenSince = Effect.fn("FeeCoins.takenSince")(function* (
  orders: typeof Orders.Service,
  strategies: Iterable<StrategyId>,
  { account, coin, since }: Taken
) {
  let taken = Decimal.zero
  for (const strategy of strategies) {
    let before: number | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const rows = yield* orders.page(strategy, {
        limit: PAGE,
        ...(before === undefined ? {} : { before })
      })
      for (const row of rows) {
        if (row.order.live?.account === account) taken = Decimal.add(taken, takenBy(row, coin, since))
      }
      const last = rows.at(-1)
      if (rows.length < PAGE || last === undefined || last.order.at < since) break
      before = last.sequence
    }
  }
  return taken
})

/** A fee in the coin bought is already subtracted from the amount that arrived. */
const takenBy = ({ fills, order }: OrderRecord, coin: string, since: number): Decimal.Decimal =>
  order.kind === "spot" && order.side === "buy" && baseOf(order.pair) === coin
    ? Decimal.zero
    : Decimal.sum(fills.flatMap(({ at, paid }) => (paid?.asset === coin && at >= since ? [paid.amount] : [])))
