// What a rule at work is doing, for its owner: whether it acts, from when it will, and how far it has looked.
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { SignalId } from "../../domain/Signal.ts"
import type { Cohort } from "./Cohort.ts"
import type { RuleBook } from "./RuleBook.ts"
import { seriesOf, type WorkingRule } from "./WorkingRule.ts"

/**
 * `acting`: it is looked at with each closed candle. `warming_up`: it has too few candles, and acts from a time on.
 * `waiting`: past candles are being fetched, or cannot be had now. `stopped`: it does nothing, for a reason.
 */
export const STATES = ["acting", "warming_up", "waiting", "stopped"] as const
/** What a rule is doing, as one of `STATES`. */
export type RuleState = (typeof STATES)[number]

/** A rule on one market. Times in ms: the close of the last candle that was looked at, and from when on it acts. */
export interface MarketStatus {
  readonly market: MarketId
  readonly state: RuleState
  readonly lookedAt: number | undefined
  readonly actsFrom: number | undefined
  readonly reason: string | undefined
}

/** A rule in all of its markets. Its own state is that of the market that is furthest from acting. */
export interface RuleStatus extends Pick<MarketStatus, "actsFrom" | "reason" | "state"> {
  readonly markets: ReadonlyArray<MarketStatus>
}

/** Gives the status of a signal's rule, as a reference: none where no rule of the account's signal is at work. */
export class RuleStatuses extends Context.Reference<RuleStatuses>()("signalbox/services/rules/RuleStatuses", {
  defaultValue: (): { readonly of: (account: AccountId, signal: SignalId) => Option.Option<RuleStatus> } => ({
    of: () => Option.none()
  })
}) {}

/** The status of a rule that does nothing. */
export const stopped = (reason: string): RuleStatus => ({
  state: "stopped",
  actsFrom: undefined,
  reason,
  markets: []
})

/** The status of a rule at work. */
export const statusOf = (book: RuleBook, rule: WorkingRule): RuleStatus => {
  const markets = seriesOf(rule).map(({ timeframe, ...market }): MarketStatus => {
    const cohort = book.seriesOf({ ...market, timeframe })?.cohorts.find(({ rules }) => rules.includes(rule))
    return { market, lookedAt: rule.lookedAt.get(marketKey(market)), ...stateOf(cohort, rule) }
  })
  // A rule without conditions has a schedule only.
  const worst = markets.toSorted((one, other) => rankOf(other) - rankOf(one))[0]
  return {
    state: worst?.state ?? "acting",
    actsFrom: worst?.actsFrom,
    reason: worst?.reason,
    markets
  }
}

/** How all rules at work stand, as `RuleReading` says. */
export interface Standing {
  readonly waiting: number
  readonly behindMs: number
}

/** How all rules at work stand at a time (ms). */
export const standingOf = (book: RuleBook, now: number): Standing => {
  let [waiting, behindMs] = [0, 0]
  for (const { cohorts, series } of book.series())
    for (const { isLive, known, rules } of cohorts)
      if (isLive && known !== undefined)
        behindMs = Math.max(behindMs, now - known - millisOf(series.timeframe))
      else waiting += rules.filter((rule) => book.isAtWork(rule)).length
  return { waiting, behindMs }
}

const rankOf = ({ state }: MarketStatus): number => STATES.indexOf(state)

const stateOf = (
  cohort: Cohort | undefined,
  rule: WorkingRule
): Pick<MarketStatus, "actsFrom" | "reason" | "state"> => {
  if (cohort === undefined || cohort.known === undefined || !cohort.isLive)
    return { state: "waiting", actsFrom: undefined, reason: cohort?.reason ?? FETCHING }
  if (cohort.ready[cohort.rules.indexOf(rule)] === true)
    return { state: "acting", actsFrom: undefined, reason: undefined }
  return {
    state: "warming_up",
    actsFrom: cohort.known + cohort.lacking(rule),
    reason: "the exchange does not have as many past candles as its indicators need"
  }
}

const FETCHING = "the candles that its indicators need are being fetched"
