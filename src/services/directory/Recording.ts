// How strategies' records and publications go on: pure functions that every storage calls in the transaction of the
// change.
import type { BotState } from "../../domain/Bot.ts"
import { differences } from "../../domain/directory/Differences.ts"
import type { Mode, Publication, TrackRecord } from "../../domain/directory/TrackRecord.ts"
import type { QuoteCurrency } from "../../domain/Market.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { Posting } from "../../trading/books/Ledger.ts"
import type { Tally } from "../../trading/Performance.ts"
import * as TrackRecords from "../../trading/TrackRecord.ts"

/** A period of a record, after its last trade. `until` is when that closed (ms). */
export interface PeriodRecord {
  readonly period: number
  readonly mode: Mode
  readonly currency: QuoteCurrency
  readonly tally: Tally
  readonly until: number
}

/** The parts of a commit's step that concern a record. */
export interface Recorded {
  readonly bot: {
    readonly strategy: StrategyId
    readonly state: Pick<BotState, "live" | "period" | "quote">
    readonly tally: Tally
  }
  readonly postings: ReadonlyArray<Posting>
  readonly trades: ReadonlyArray<Trade>
}

/** The visible settings of a signal or a strategy. */
type Shown = Pick<Settings, "active" | "public" | "displayName"> | Pick<Signal, "active" | "public">

/** The display name under which something is listed; undefined where it is not: private, inactive, or without a name. */
export const listedName = (shown: Shown): string | undefined => {
  const name = "displayName" in shown ? shown.displayName : undefined
  return shown.active && shown.public && name !== "" ? name : undefined
}

/** The publication after a change at a time (seconds). What becomes visible is published anew; what was before stays. */
export const publicationAfter = (
  publication: Publication | undefined,
  [before, after]: readonly [before: Shown | undefined, after: Shown],
  now: number
): Publication | undefined => {
  const wasListed = before !== undefined && listedName(before) !== undefined
  if (wasListed || listedName(after) === undefined) return publication
  return { first: publication?.first ?? now, since: now, times: (publication?.times ?? 0) + 1 }
}

/** Whether a change of settings changes how a strategy trades. */
export const isOfTrading = (before: Settings, after: Settings): boolean =>
  before !== after && differences(before, after).length > 0

/** Whether a step can change its strategy's record: a trade ended, or a period began. */
export const concerns = ({ postings, trades }: Recorded): boolean =>
  trades.length > 0 || postings.some(({ lines }) => lines.some(({ account }) => account === "capital"))

/** The record after a step. `publication` is that of the strategy at this time. */
export const recordAfter = (
  record: TrackRecord,
  { bot, trades }: Recorded,
  publication: Publication | undefined
): TrackRecord => {
  const { state, tally } = bot
  const { period = 1 } = state
  const started = TrackRecords.started(record, { mode: modeOf(state), period, since: tally.createdAt })
  return TrackRecords.add(started, { tally, trades }, publication?.first)
}

const modeOf = ({ live }: Pick<BotState, "live">): Mode => (live === undefined ? "paper" : "real")

/** The period of a step's trades after them; undefined where none ended. */
export const periodAfter = ({ bot, trades }: Recorded): PeriodRecord | undefined => {
  const last = trades.at(-1)
  if (last === undefined) return undefined
  const { state, tally } = bot
  return {
    period: state.period ?? 1,
    mode: modeOf(state),
    currency: state.quote,
    tally,
    until: last.closedAt
  }
}

/** The text in which words are searched, in lower case. */
export const searchText = (texts: ReadonlyArray<string | undefined>): string =>
  texts
    .filter((text) => text !== undefined)
    .join(" ")
    .toLowerCase()
