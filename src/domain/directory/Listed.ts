// What the directory lists: public and active strategies and signals under a display name of their owner's, and how
// they are searched for.
import type { ExchangeName, Pair } from "../Market.ts"
import type { Signal } from "../Signal.ts"
import type { Strategy } from "../Strategy.ts"
import type { Mode, Publication, TrackRecord } from "./TrackRecord.ts"

/**
 * Who publishes. `number` tells two owners of one display name apart: it is given at the first publication, never
 * changes, and is not the account's id. `published` counts all that the owner ever published, so that one survivor of a
 * hundred can be told.
 */
export interface Publisher {
  readonly number: number
  readonly name: string
  readonly published: number
}

/** A listed strategy. `copies` counts the other accounts that hold a copy; `settingsSince` is in seconds. */
export interface ListedStrategy {
  readonly strategy: Strategy
  readonly publisher: Publisher
  readonly publication: Publication
  readonly copies: number
  readonly settingsSince: number
  readonly record: TrackRecord
}

/** A listed signal. `followers` counts the other accounts with a strategy that follows it. */
export interface ListedSignal {
  readonly signal: Signal
  readonly publisher: Publisher
  readonly publication: Publication
  readonly followers: number
}

/** How strategies are sorted: the best record, the newest or the oldest publication, or the most copies first. */
export const STRATEGY_SORTS = ["record", "newest", "oldest", "copies"] as const
/** One of them. */
export type StrategySort = (typeof STRATEGY_SORTS)[number]
/** How signals are sorted. */
export const SIGNAL_SORTS = ["followers", "newest", "oldest"] as const
/** One of them. */
export type SignalSort = (typeof SIGNAL_SORTS)[number]

/** A place in a sorted list: the row's value of what is sorted by, and its id. */
export interface Place {
  readonly value: number
  readonly id: number
}

/** A page of a sorted list: at most `limit` rows after a place. `words` are in lower case, and all have to be found. */
export interface Listing<Sort> {
  readonly sort: Sort
  readonly limit: number
  readonly after?: Place
  readonly words: ReadonlyArray<string>
}

/** Which strategies are listed. `publishedBefore` is the latest first publication, in seconds. */
export interface StrategyQuery extends Listing<StrategySort> {
  readonly exchange?: ExchangeName
  readonly pair?: Pair
  readonly mode?: Mode
  readonly publishedBefore?: number
}

/** Which signals are listed. */
export type SignalQuery = Listing<SignalSort>

/** A page, and the place after which more may follow; absent at the end. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next?: Place
}
