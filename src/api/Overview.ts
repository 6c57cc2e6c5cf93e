// The contract of the dashboard's first page: one account at a glance. Paper and each exchange account have rows of
// their own.
import * as Schema from "effect/Schema"
import { Reason } from "../domain/Alert.ts"
import { ExchangeName, QuoteCurrency } from "../domain/Market.ts"
import { account, PositionView } from "./Holdings.ts"
import { moment } from "./shared/Moment.ts"

const number = (description: string) => Schema.Number.annotations({ description })
const count = (description: string) => Schema.Int.annotations({ description })

/** Sums over the strategies of one quote currency: those on paper, or those of one exchange account. */
const CurrencyView = Schema.Struct({
  currency: QuoteCurrency,
  account,
  strategies: count("strategies that trade in it"),
  starting_equity: number("what they began with"),
  balance: number("the same and the net result of their completed trades"),
  equity: number("free cash and open positions at market; at their cost where no price is known"),
  net_pnl: number("balance minus starting_equity"),
  open_pnl: number("what closing everything now would add to the balance"),
  trades: count("completed trades"),
  days: Schema.Array(Schema.Tuple(Schema.Int, Schema.Number)).annotations({
    description:
      "net result of completed trades up to the end of each UTC day that had any, as [start of the day in seconds, quote], oldest first, at most 400"
  })
}).annotations({ identifier: "CurrencyOverview" })

const FeedView = Schema.Struct({
  exchange: ExchangeName,
  state: Schema.Literal("connecting", "streaming", "polling", "unreachable"),
  since: moment("since when"),
  markets: count("markets that are watched"),
  stale: count("those of them without a fresh price"),
  reconnects: count("how often its streams were opened anew"),
  reason: Schema.String.annotations({ description: "the last error; empty if there is none" })
}).annotations({ identifier: "FeedHealth" })

const NodeView = Schema.Struct({
  address: Schema.String.annotations({ description: "where the other nodes reach it" }),
  version: Schema.String.annotations({ description: "of its program" }),
  state: Schema.Literal("running", "draining", "lost").annotations({
    description: "draining: it gives its partitions away, to be stopped; lost: it told nothing for a while"
  }),
  partitions: count("partitions that it has"),
  behind: count("alerts that its bots have not judged yet"),
  seen_at: moment("when it last told of itself")
}).annotations({ identifier: "ClusterNode" })

/** A count over all accounts, which only the operator may see. */
const operators = (description: string) =>
  Schema.NullOr(Schema.Int).annotations({
    description: `${description}; null for everybody but the operator`
  })

/** The whole overview of an account. */
export const OverviewView = Schema.Struct({
  now: moment("the server's time"),
  strategies: Schema.Struct({ total: Schema.Int, active: Schema.Int }),
  signals: Schema.Struct({ total: Schema.Int, active: Schema.Int }),
  currencies: Schema.Array(CurrencyView),
  positions: Schema.Array(PositionView).annotations({
    description: "open positions, the latest first, at most 200"
  }),
  positions_total: count("all of them"),
  alerts_today: Schema.Struct({
    received: count("alerts since midnight UTC"),
    refused: count("requests to the alert doors that were refused since the server started, today"),
    outcomes: Schema.Array(
      Schema.Struct({ outcome: Schema.Literal("acted", "ignored"), reason: Reason, count: Schema.Int })
    ).annotations({ description: "the outcomes of the alerts, the most frequent first" })
  }),
  prices: Schema.Struct({
    describe: Schema.String.annotations({ description: "where prices come from, in words" }),
    feeds: Schema.Array(FeedView)
  }),
  storage: Schema.Struct({
    is_writable: Schema.Boolean,
    database_bytes: operators("size of the database"),
    free_bytes: operators("room left on its disk; null where unknown too"),
    undecided_alerts: operators("alerts of all accounts on disk that the bots have not come to yet"),
    waiting_alerts: operators("alerts of all accounts that wait for a price or an order")
  }),
  cluster: Schema.NullOr(
    Schema.Struct({
      nodes: Schema.Array(NodeView),
      dark_partitions: count("partitions that no node has: their bots stand still")
    })
  ).annotations({
    description:
      "the servers that share the database; null on one that is alone, and for everybody but the operator"
  })
}).annotations({ identifier: "Overview", description: "An account at a glance." })
export type OverviewView = typeof OverviewView.Type
