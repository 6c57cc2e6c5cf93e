// Makes the answer of a comparison from what was gathered, the candles and the facts of markets, with what has to be said
// about it.
import { utcText } from "../../domain/internal/DateFormat.ts"
import type { MarketKind, Pair } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { compare } from "../../trading/compare/Compare.ts"
import { type CompareView, viewOf } from "../../trading/compare/CompareView.ts"
import type { LiveRecord } from "../../trading/compare/LiveRecord.ts"
import { overrunText } from "../../trading/Overrun.ts"
import { exchangeFor, meaningOf, type Place } from "../../trading/Routing.ts"
import type { Gathered } from "./Gathering.ts"

/** A pair whose candles are needed. `kind` is that of its market, if only one kind was traded. */
export interface CandlePlace extends Place {
  readonly kind: MarketKind | undefined
}

/** The pairs of the alerts and orders, each once, where the strategy's settings send their alerts. */
export const placesOf = ({ alerts, orders, settings }: Gathered): ReadonlyArray<CandlePlace> => {
  const kinds = new Map<Pair, Set<MarketKind>>()
  const add = (pair: Pair, kind: MarketKind) => kinds.set(pair, (kinds.get(pair) ?? new Set()).add(kind))
  for (const { alert } of alerts) add(alert.pair, meaningOf(alert.type).kind)
  for (const { order } of orders) add(order.pair, order.kind)
  return [...kinds].map(([pair, found]) => ({
    exchange: exchangeOf(settings, orders, pair),
    pair,
    kind: found.size === 1 ? [...found][0] : undefined
  }))
}

/** A pair that the strategy lists no longer is priced where it was traded. */
const exchangeOf = (settings: Settings, orders: Gathered["orders"], pair: Pair) =>
  exchangeFor(settings, pair) ??
  orders.find(({ order }) => order.pair === pair)?.order.exchange ??
  settings.defaultExchange

/**
 * Compares what was gathered; a text says why it cannot be. `fillModel` is that of the server's paper trading: the test
 * of a bot with real money has none. The balance is what was gathered, whatever else the sources hold.
 */
export const compared = (
  gathered: Gathered,
  { fillModel, ...sources }: Pick<LiveRecord, "fees" | "fillModel" | "market" | "series">
): CompareView | string => {
  const comparison = compare({ ...sources, ...gathered, ...(gathered.isLive ? {} : { fillModel }) })
  if (comparison.overrunAt !== undefined) return overrunText(utcText(comparison.overrunAt))
  return viewOf({
    strategy: gathered.strategy.id,
    name: gathered.settings.name,
    isLive: gathered.isLive,
    period: gathered.period,
    currency: gathered.settings.quote,
    from: gathered.from,
    until: gathered.until,
    balance: gathered.balance,
    notices: noticesOf(gathered),
    comparison
  })
}

const noticesOf = ({
  wantedFrom,
  from,
  period,
  periodFrom,
  settings,
  unknownChanges
}: Gathered): ReadonlyArray<string> => {
  const [unknown] = unknownChanges
  const hasBalanceRule = settings.balanceStopLoss !== undefined || settings.balanceTakeProfit !== undefined
  return [
    ...(period > 1
      ? [
          "it is of one period of the bot: the others, on paper or with real money, are compared by themselves"
        ]
      : []),
    ...(from > wantedFrom ? [`it begins at ${utcText(from)}, when the bot held nothing`] : []),
    ...(unknown === undefined
      ? []
      : [
          `the settings before ${utcText(unknown)} are not on record: until then the test has the first that are, and what they change is among latency and the rest`
        ]),
    ...(from > periodFrom && hasBalanceRule
      ? ["the balance rules of the test count from its beginning, those of the bot from an earlier time"]
      : []),
    ...(settings.active ? [] : ["the strategy is inactive now: its test is of the same settings, active"])
  ]
}
