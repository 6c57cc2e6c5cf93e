// Some exchanges take fees out of a coin of their own where an account has any, so also out of what a bot holds of it.
import * as Effect from "effect/Effect"
import type { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { baseOf, type ExchangeName } from "../../../domain/Market.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import type { OrderRecord, Orders } from "../../money/Orders.ts"

const COINS: Readonly<Partial<Record<ExchangeName, string>>> = {
  ...{ binance: "BNB", bybit: "MNT", kucoin: "KCS", bitget: "BGB" }
}

/** The coin that an exchange takes its customers' fees from, where they let it. */
export const feeCoinOf = (exchange: ExchangeName): string | undefined => COINS[exchange]

/** Orders that are read at once, and pages of them that are read at most of a strategy. */
const PAGE = 200
const MOST_PAGES = 20

/** How much of a coin the fees of an exchange account's orders took since a time (ms), beyond what was bought. */
export const takenSince = Effect.fn("FeeCoins.takenSince")(function* (
  orders: typeof Orders.Service,
  account: ExchangeAccountId,
  strategies: Iterable<StrategyId>,
  coin: string,
  since: number
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

/** A fee in the coin that was bought is off what arrived already. */
const takenBy = ({ fills, order }: OrderRecord, coin: string, since: number): Decimal.Decimal =>
  order.kind === "spot" && order.side === "buy" && baseOf(order.pair) === coin
    ? Decimal.zero
    : Decimal.sum(fills.flatMap(({ at, paid }) => (paid?.asset === coin && at >= since ? [paid.amount] : [])))
