// The schemas, columns and inserts of the portfolio's tables.
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { AlertId } from "../../domain/Alert.ts"
import { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Fill } from "../../domain/Fill.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Order, OrderId, OrderStatus } from "../../domain/Order.ts"
import { Partition } from "../../domain/Partition.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Trade } from "../../domain/Trade.ts"
import { Tally } from "../../trading/Performance.ts"
import * as Insert from "./Insert.ts"
import * as Rows from "./Rows.ts"

/** The JSON of a posting. */
const Posting = Schema.Struct({
  at: Schema.Int,
  market: Schema.optionalWith(Schema.String, { exact: true }),
  order: Schema.optionalWith(OrderId, { exact: true }),
  lines: Schema.Array(
    Schema.Struct({
      account: Schema.Literal(
        "cash",
        "positions",
        "fees",
        "result",
        "capital",
        "dust",
        "written_off",
        "funding"
      ),
      amount: Decimal.Text
    })
  )
})

const BotRow = Schema.Struct({
  strategy: StrategyId,
  state: Schema.parseJson(BotState),
  tally: Schema.parseJson(Tally),
  step: Schema.Int
})
const OrderRow = Schema.Struct({
  strategy: StrategyId,
  order: Schema.parseJson(Order),
  status: OrderStatus
})
const TallyRow = Schema.Struct({ strategy: StrategyId, tally: BotRow.fields.tally })
const TradeRow = Schema.Struct({ id: Schema.Int, trade: Schema.parseJson(Trade) })
const FillRow = Schema.Struct({ fill: Schema.parseJson(Fill) })
const PostingRow = Schema.Struct({ posting: Schema.parseJson(Posting) })

/** Single columns, for readers of rows that may have been altered. */
export const columns = {
  state: BotRow.fields.state,
  tally: BotRow.fields.tally,
  order: OrderRow.fields.order,
  trade: TradeRow.fields.trade,
  fill: FillRow.fields.fill,
  posting: PostingRow.fields.posting
}

/** A fill's order, as the index on it has it; null where the fill is not even JSON, which only SQLite stores. */
export const ORDER_OF_FILL = {
  sqlite: "CASE WHEN json_valid(fill) THEN json_extract(fill, '$.order') END",
  pg: "(fill::json ->> 'order')"
}

/** The columns that `bots`, `orders` and `waiting` read. */
export const BOT = "bots.strategy_id AS strategy, bots.state, bots.tally, bots.step"
export const ORDER = `strategy_id AS strategy, intent AS "order", status`
export const WAITING = "alert_id AS alert, strategy_id AS strategy, owner, since"

export const bots = Rows.reader(BotRow)
export const orders = Rows.reader(OrderRow)
export const tallies = Rows.reader(TallyRow)
export const trades = Rows.reader(TradeRow)
export const fills = Rows.reader(FillRow)
export const postings = Rows.reader(PostingRow)
export const waiting = Rows.reader(
  Schema.Struct({ alert: AlertId, strategy: StrategyId, owner: AccountId, since: Schema.Int })
)
export const cursors = Rows.reader(Schema.Struct({ id: Partition, cursor: Schema.Int }))
export const counts = Rows.reader(Schema.Struct({ account: AccountId, count: Schema.Int }))
export const judged = Rows.reader(Schema.Struct({ alertId: AlertId, strategyId: StrategyId }))

export const tallyText = lazily(() => Schema.encodeSync(BotRow.fields.tally))
export const orderText = lazily(() => Schema.encodeSync(OrderRow.fields.order))
export const tradeText = lazily(() => Schema.encodeSync(TradeRow.fields.trade))
export const fillText = lazily(() => Schema.encodeSync(FillRow.fields.fill))
export const postingText = lazily(() => Schema.encodeSync(PostingRow.fields.posting))

export const insertBots = Insert.into("bots (strategy_id, step, state, tally)", 4, "strategy_id")
export const insertOrders = Insert.into("orders (id, strategy_id, intent, status)", 4)
export const insertFills = Insert.into("fills (strategy_id, fill)", 2)
export const insertTrades = Insert.into("trades (account, strategy_id, trade)", 3)
export const insertLedger = Insert.into("ledger (id, partition, place, strategy_id, posting, hash)", 6)
export const insertCursors = Insert.into("partitions (id, cursor)", 2, "id")
export const insertOutcomes = Insert.into("outcomes (alert_id, strategy_id, account, reason, at, facts)", 6)
export const insertWaiting = Insert.into(
  "waiting (alert_id, strategy_id, owner, since)",
  4,
  "alert_id, strategy_id"
)
