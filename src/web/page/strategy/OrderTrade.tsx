// The completed trade that a filled order is part of.
import { call } from "../client.ts"
import { times } from "../parts/reader/time.ts"
import { Loaded } from "../parts/States.tsx"
import { Money, Percent, Price, Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { type Order, tradeOfOrder } from "./orders.ts"

/** Trades read to find one: another exchange may have closed the same pair in between. */
const ROWS = 20

export const OrderTrade = ({ id, of }: { id: number; of: Order }) => {
  const [first] = of.fills
  const query = useQuery(
    `trade of order ${id} ${of.sequence}`,
    async (signal) => {
      if (first === undefined) return undefined
      const urlParams = {
        strategy_id: String(id),
        pair: of.pair,
        from: String(first.at),
        sort: "closed_at",
        direction: "asc",
        limit: String(ROWS)
      }
      const { data } = await call("trades", "list", { urlParams, signal })
      return { trade: tradeOfOrder(data, of, first.at) }
    },
    { on: ({ rule, strategy_id }) => strategy_id === id && rule === "trade" }
  )
  if (first === undefined) return null
  return (
    <Loaded query={query}>
      {(found) =>
        found?.trade === undefined ? (
          <p class="quiet">Its position is not closed yet: the trade is listed then.</p>
        ) : (
          <p>
            <a
              href={href("trades", [], {
                strategy: id,
                pair: of.pair,
                from: times().dayOf(found.trade.closed_at)
              })}
            >
              Its trade
            </a>
            : in at <Price value={found.trade.entry_price} />, out at <Price value={found.trade.exit_price} />{" "}
            (<Time at={found.trade.closed_at} />
            ), <Money value={found.trade.pnl} currency={found.trade.currency} sign />{" "}
            <Percent value={found.trade.profit_pct} sign />
          </p>
        )
      }
    </Loaded>
  )
}
