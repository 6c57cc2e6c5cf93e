// The dashboard's first page as the contract shows it. Storage figures are for the operator alone.
import * as Option from "effect/Option"
import type { OverviewView } from "../../api/Overview.ts"
import { outcomeOf } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ClusterWhole } from "../../services/health/ClusterReading.ts"
import type { Glance } from "../../services/records/Overview.ts"
import { positionView } from "./DashboardViews.ts"
import { money, moneyOf, seconds } from "./Figures.ts"

/** The most characters of an exchange's error. */
const MAX_REASON = 200

type Totals = Glance["currencies"][number]

const currencyView = (totals: Totals): OverviewView["currencies"][number] => ({
  currency: totals.currency,
  account: totals.account ?? null,
  strategies: totals.strategies,
  starting_equity: money(totals.starting),
  balance: money(Decimal.add(totals.starting, totals.net)),
  equity: money(totals.equity),
  net_pnl: money(totals.net),
  open_pnl: moneyOf(totals.openPnl),
  trades: totals.trades,
  days: totals.days.map(({ at, net }) => [seconds(at), money(net)])
})

type Feed = Glance["prices"]["feeds"][number]

const feedView = ({ exchange, markets, reason, reconnects, since, stale, state }: Feed) => ({
  exchange,
  state,
  since: seconds(since),
  markets,
  stale,
  reconnects,
  reason: reason.slice(0, MAX_REASON)
})

const storageView = ({ isWritable, room, undecided, waiting }: Glance["storage"], isOperator: boolean) => ({
  is_writable: isWritable,
  database_bytes: isOperator ? room.used : null,
  free_bytes: isOperator ? Option.getOrNull(room.free) : null,
  undecided_alerts: isOperator ? undecided : null,
  waiting_alerts: isOperator ? waiting : null
})

const clusterView = ({ dark, nodes }: ClusterWhole, now: number): OverviewView["cluster"] => ({
  nodes: nodes.map(({ address, behind, isDraining, isThere, partitions, seenMs, version }) => ({
    address,
    version,
    state: isThere ? (isDraining ? "draining" : "running") : "lost",
    partitions,
    behind,
    seen_at: seconds(now - seenMs)
  })),
  dark_partitions: dark
})

export const overviewView = (glance: Glance, isOperator: boolean): OverviewView => ({
  now: seconds(glance.now),
  strategies: glance.strategies,
  signals: glance.signals,
  currencies: glance.currencies.map(currencyView),
  positions: glance.positions.map(positionView),
  positions_total: glance.positionsTotal,
  alerts_today: {
    received: glance.alerts.received,
    refused: glance.alerts.refused,
    outcomes: glance.alerts.outcomes.map(({ count, reason }) => ({
      outcome: outcomeOf(reason),
      reason,
      count
    }))
  },
  prices: { describe: glance.prices.describe, feeds: glance.prices.feeds.map(feedView) },
  storage: storageView(glance.storage, isOperator),
  cluster: isOperator && glance.cluster !== undefined ? clusterView(glance.cluster, glance.now) : null
})
