// The tables of the directory in memory, and how writes of strategies, signals and commits change them.
import type { AccountId } from "../../domain/Account.ts"
import type { Copy } from "../../domain/directory/Copy.ts"
import { begin, type Publication, type TrackRecord } from "../../domain/directory/TrackRecord.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type * as ChangeSignal from "../records/ChangeSignal.ts"
import * as Recording from "./Recording.ts"

/** What is kept of a strategy besides its settings. `changes` counts changes of how it trades. */
export interface StrategyListing {
  readonly record: TrackRecord
  readonly periods: ReadonlyMap<number, Recording.PeriodRecord>
  readonly publication: Publication | undefined
  readonly settingsSince: number
  readonly changes: number
}

/** A copy, the change of its original that its owner was told of last, and how many since it was synced. */
export interface CopyRow extends Copy {
  readonly reported: number
  readonly reports: number
}

/** The tables, by strategy, signal and account. */
export interface ListingTables {
  readonly listings: Map<number, StrategyListing>
  readonly signalListings: Map<number, Publication>
  readonly publishers: Map<AccountId, { readonly number: number; readonly published: number }>
  readonly copies: Map<number, CopyRow>
  readonly originalChanges: ChangeSignal.Changes
}

/** Notes that a strategy was made or changed, at a time in seconds. */
export const strategyWritten = (
  tables: ListingTables,
  before: Strategy | undefined,
  after: Strategy,
  now: number
): void => {
  const known = tables.listings.get(after.id)
  const publication = Recording.publicationAfter(known?.publication, [before?.settings, after.settings], now)
  if (publication?.times === 1 && known?.publication === undefined) publish(tables, after.account)
  const isNew = known === undefined || before === undefined
  const isOther = isNew || Recording.isOfTrading(before.settings, after.settings)
  tables.listings.set(after.id, {
    record: known?.record ?? begin(after.createdAt * 1000),
    periods: known?.periods ?? new Map(),
    publication,
    settingsSince: isOther ? now : known.settingsSince,
    changes: (known?.changes ?? 0) + (isOther ? 1 : 0)
  })
  if (isOther && !isNew) tables.originalChanges.changed()
}

/** Notes that a signal was made or changed, at a time in seconds. */
export const signalWritten = (
  tables: ListingTables,
  before: Signal | undefined,
  after: Signal,
  now: number
): void => {
  const known = tables.signalListings.get(after.id)
  const publication = Recording.publicationAfter(known, [before, after], now)
  if (publication === undefined) return
  if (known === undefined) publish(tables, after.account)
  tables.signalListings.set(after.id, publication)
}

/** Counts one more published by an account, which has a number from the first one on. */
const publish = ({ publishers }: ListingTables, account: AccountId): void => {
  const { number, published } = publishers.get(account) ?? { number: publishers.size + 1, published: 0 }
  publishers.set(account, { number, published: published + 1 })
}

/** Forgets a deleted strategy. That its owner published it stays counted. */
export const strategyRemoved = ({ copies, listings }: ListingTables, id: number): void => {
  listings.delete(id)
  copies.delete(id)
}

/** Takes the trades of a step into its strategy's record. */
export const committed = ({ listings }: ListingTables, step: Recording.Recorded): void => {
  const known = listings.get(step.bot.strategy)
  if (known === undefined || !Recording.concerns(step)) return
  const period = Recording.periodAfter(step)
  listings.set(step.bot.strategy, {
    ...known,
    record: Recording.recordAfter(known.record, step, known.publication),
    periods: period === undefined ? known.periods : new Map([...known.periods, [period.period, period]])
  })
}
