// A rule at work: the rule of a signal, read and checked, with how far it was looked at in each of its markets.
import * as Either from "effect/Either"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import * as RuleReading from "../../domain/signalRule/RuleReading.ts"
import type { CheckedRule, FullRule } from "../../domain/signalRule/SignalRule.ts"
import type { Warmup } from "../../trading/expressions/Compile.ts"
import { warmupsOf } from "../../trading/signalRule/RuleAlerts.ts"
import type { ActiveRule, RuleProgress, RuleStamp } from "./ActiveRules.ts"

/** A rule at work. `lookedAt` is the close of the last candle that was looked at (ms), by place. */
export interface WorkingRule extends ActiveRule {
  readonly rule: FullRule
  readonly checked: CheckedRule
  readonly warmups: ReadonlyArray<Warmup>
  /** Whether something in it never forgets. */
  readonly isAnchored: boolean
  readonly lookedAt: Map<string, number>
}

/** The longest time (ms) for which candles are looked at late. Identities of alerts are remembered for longer. */
export const MAX_CATCH_UP_MS = 30 * 86_400_000

/** Reads a rule, which goes on where its stored progress ends; undefined if this version cannot read it. */
export const workingRule = (
  active: ActiveRule,
  progress: ReadonlyArray<RuleProgress>
): WorkingRule | undefined => {
  const read = RuleReading.read(active.document)
  if (Either.isLeft(read)) return undefined
  const { checked, rule } = read.right
  const warmups = warmupsOf(checked)
  const known = progress.filter(({ version }) => version === active.version)
  return {
    ...active,
    rule,
    checked,
    warmups,
    isAnchored: warmups.some(({ anchored }) => anchored),
    lookedAt: new Map(known.map(({ lookedAt, place }) => [place, lookedAt]))
  }
}

/** The close up to which a rule was looked at in a market (ms), at `now`: what closed earlier is history. */
export const lookedAtIn = ({ lookedAt, since }: WorkingRule, market: MarketId, now: number): number =>
  Math.max(lookedAt.get(marketKey(market)) ?? since, now - MAX_CATCH_UP_MS)

/** The series of candles that a rule looks at. */
export const seriesOf = ({ rule: { markets, on, timeframe } }: WorkingRule): ReadonlyArray<CandleSeries> =>
  on.length === 0 ? [] : markets.map((market) => ({ ...market, timeframe }))

/** Whether a rule is still the one that a stamp names. */
export const isOf = ({ since, version }: RuleStamp, stamp: RuleStamp): boolean =>
  version === stamp.version && since === stamp.since
