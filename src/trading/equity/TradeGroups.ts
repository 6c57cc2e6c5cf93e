// Completed trades summed by market, reason to close and month, and all together: exact decimals, kept up with each
// trade at constant cost.
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { marketKey } from "../../domain/Market.ts"
import type { Trade } from "../../domain/Trade.ts"
import { dateOf, dayOf } from "../Performance.ts"

/** What the trades of a group have in common; `all` has one group, with an empty name. */
export const Grouping = Schema.Literal("all", "pair", "exit_reason", "month")
export type Grouping = typeof Grouping.Type

/**
 * The sums of a group. `wins` counts trades with a net profit and `losses` those with a net loss; `gained` and `lost`
 * sum these, `lost` as a positive number.
 */
export const TradeGroup = Schema.Struct({
  by: Grouping,
  name: Schema.String,
  trades: Schema.Int,
  wins: Schema.Int,
  losses: Schema.Int,
  gained: Decimal.Text,
  lost: Decimal.Text,
  fees: Decimal.Text
})
export type TradeGroup = typeof TradeGroup.Type

/** The group's name: a market key, a reason, or a month (UTC) as `2026-11`. */
export interface GroupName {
  readonly by: Grouping
  readonly name: string
}

/** The fields of a trade that groups use. */
export type Grouped = Pick<Trade, "exchange" | "pair" | "kind" | "exitReason" | "closedAt" | "pnl" | "fees">

/** The groups that a trade belongs to. */
export const groupsWith = (trade: Grouped): ReadonlyArray<GroupName> => [
  { by: "all", name: "" },
  { by: "pair", name: marketKey(trade) },
  { by: "exit_reason", name: trade.exitReason },
  { by: "month", name: dateOf(dayOf(trade.closedAt)).slice(0, "YYYY-MM".length) }
]

/** The group before its first trade. */
export const empty = ({ by, name }: GroupName): TradeGroup => ({
  by,
  name,
  trades: 0,
  wins: 0,
  losses: 0,
  gained: Decimal.zero,
  lost: Decimal.zero,
  fees: Decimal.zero
})

/** The group with one more trade. */
export const add = (group: TradeGroup, { fees, pnl }: Grouped): TradeGroup => {
  const isWin = Decimal.isPositive(pnl)
  const isLoss = Decimal.isNegative(pnl)
  return {
    ...group,
    trades: group.trades + 1,
    wins: group.wins + (isWin ? 1 : 0),
    losses: group.losses + (isLoss ? 1 : 0),
    gained: isWin ? Decimal.add(group.gained, pnl) : group.gained,
    lost: isLoss ? Decimal.subtract(group.lost, pnl) : group.lost,
    fees: Decimal.add(group.fees, fees)
  }
}

/** Both groups' trades together. */
export const merged = (one: TradeGroup, other: TradeGroup): TradeGroup => ({
  ...one,
  trades: one.trades + other.trades,
  wins: one.wins + other.wins,
  losses: one.losses + other.losses,
  gained: Decimal.add(one.gained, other.gained),
  lost: Decimal.add(one.lost, other.lost),
  fees: Decimal.add(one.fees, other.fees)
})

/** All groups of trades. */
export const groupsOf = (trades: Iterable<Grouped>): ReadonlyArray<TradeGroup> => {
  const groups = new Map<string, TradeGroup>()
  for (const trade of trades) {
    for (const group of groupsWith(trade)) {
      const key = keyOf(group)
      groups.set(key, add(groups.get(key) ?? empty(group), trade))
    }
  }
  return [...groups.values()]
}

/** The key of a group in maps. */
export const keyOf = ({ by, name }: GroupName): string => `${by} ${name}`

/** Net P&L of the group's trades, in quote. */
export const net = ({ gained, lost }: TradeGroup): Decimal.Decimal => Decimal.subtract(gained, lost)

/** Mean net P&L of a trade, in quote; 0 without trades. */
export const expectancy = (group: TradeGroup): Decimal.Decimal =>
  group.trades === 0 ? Decimal.zero : Decimal.divide(net(group), Decimal.fromNumber(group.trades))

/** (1 + average win / average loss) x share of wins - 1; null without wins or without losses. */
export const expectancyRatio = ({ gained, losses, lost, trades, wins }: TradeGroup): number | null => {
  if (wins === 0 || losses === 0) return null
  const averageWin = Decimal.approximate(gained) / wins
  const averageLoss = Decimal.approximate(lost) / losses
  return (1 + averageWin / averageLoss) * (wins / trades) - 1
}
