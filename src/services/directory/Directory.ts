// The port of the public directory, with its in-memory layer: what owners published, with the record that the ledger
// gives it.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type {
  Listed,
  ListedSignal,
  ListedStrategy,
  Listing,
  Place,
  SignalQuery,
  StrategyQuery
} from "../../domain/directory/Listed.ts"
import { type Signal, SignalNotFound } from "../../domain/Signal.ts"
import { type Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { rankOf } from "../../trading/TrackRecord.ts"
import { MemoryState, type State } from "../records/MemoryState.ts"
import { listedName, type PeriodRecord, searchText } from "./Recording.ts"

/**
 * What is public, of all accounts. A port. The stores of strategies and signals and the Portfolio keep it up with each
 * of their commits, so that reading costs the same however many trades there were.
 *
 * **An implementation keeps**
 *
 * - Visibility: only what is public, active and has a display name is listed, from the commit that makes it so until
 *   the commit that ends it. All else answers like what does not exist.
 * - Records: only a completed trade changes what a record made. Changed settings, periods, names, publications and a
 *   change between paper and real money leave it as it is, and none of them lifts its rank above what its trades give.
 *   Who publishes again is not published since before; who is deleted begins with nothing.
 * - Publishers: an account has one number, from its first publication on, which no other account ever has. What was
 *   published stays counted after it is gone.
 * - Order: a list is sorted as asked for, equal rows by id, and read in pages it has each row once as long as nothing
 *   changes.
 * - Counts: copies and followers count other accounts, each once.
 * - Bounds: at most `limit` rows. A page may have fewer although more follow: `next` says so.
 *
 * **Proved by** `DirectoryContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Directory extends Context.Tag("signalbox/services/directory/Directory")<
  Directory,
  {
    readonly strategies: (query: StrategyQuery) => Effect.Effect<Listed<ListedStrategy>>
    /** Returns a listed strategy. */
    readonly strategy: (id: number) => Effect.Effect<ListedStrategy, StrategyNotFound>
    /** The periods of a strategy that have trades, newest first: at most `limit`. */
    readonly periods: (strategy: StrategyId, limit: number) => Effect.Effect<ReadonlyArray<PeriodRecord>>
    readonly signals: (query: SignalQuery) => Effect.Effect<Listed<ListedSignal>>
    /** Returns a listed signal. */
    readonly signal: (id: number) => Effect.Effect<ListedSignal, SignalNotFound>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Directory,
    Effect.map(MemoryState, (state) =>
      Directory.of({
        strategies: Effect.fn("Directory.strategies")((query) =>
          Effect.sync(() => {
            const all = [...state.strategies.values()].flatMap((it) => listedStrategy(state, it) ?? [])
            return paged(
              all.filter((row) => isMeant(row, query)),
              query,
              (row) => ({ value: strategyValue[query.sort](row), id: row.strategy.id })
            )
          })
        ),
        strategy: Effect.fn("Directory.strategy")((id) =>
          Effect.suspend(() => {
            const strategy = state.strategies.get(id)
            const listed = strategy === undefined ? undefined : listedStrategy(state, strategy)
            return listed === undefined ? new StrategyNotFound() : Effect.succeed(listed)
          })
        ),
        periods: Effect.fn("Directory.periods")((strategy, limit) =>
          Effect.sync(() => {
            const all = [...(state.listings.get(strategy)?.periods.values() ?? [])]
            return all.sort((one, other) => other.period - one.period).slice(0, limit)
          })
        ),
        signals: Effect.fn("Directory.signals")((query) =>
          Effect.sync(() => {
            const all = [...state.signals.values()].flatMap((it) => listedSignal(state, it) ?? [])
            return paged(
              all.filter(({ publisher, signal }) =>
                hasWords([signal.name, signal.description, publisher.name], query)
              ),
              query,
              (row) => ({ value: signalValue[query.sort](row), id: row.signal.id })
            )
          })
        ),
        signal: Effect.fn("Directory.signal")((id) =>
          Effect.suspend(() => {
            const signal = state.signals.get(id)
            const listed = signal === undefined ? undefined : listedSignal(state, signal)
            return listed === undefined ? new SignalNotFound() : Effect.succeed(listed)
          })
        )
      })
    )
  )
}

const listedStrategy = (state: State, strategy: Strategy): ListedStrategy | undefined => {
  const name = listedName(strategy.settings)
  const publisher = state.publishers.get(strategy.account)
  const { publication, record, settingsSince } = state.listings.get(strategy.id) ?? {}
  if (name === undefined || publisher === undefined || publication === undefined) return undefined
  if (record === undefined || settingsSince === undefined) return undefined
  const holders = new Set<number>()
  for (const [id, { origin }] of state.copies) {
    const owner = origin === strategy.id ? state.strategies.get(id)?.account : undefined
    if (owner !== undefined && owner !== strategy.account) holders.add(owner)
  }
  return {
    strategy,
    publisher: { ...publisher, name },
    publication,
    copies: holders.size,
    settingsSince,
    record
  }
}

const listedSignal = (state: State, signal: Signal): ListedSignal | undefined => {
  const name = listedName(signal)
  const publisher = state.publishers.get(signal.account)
  const publication = state.signalListings.get(signal.id)
  if (name === undefined || publisher === undefined || publication === undefined) return undefined
  const followers = new Set<number>()
  for (const { account, settings } of state.strategies.values())
    if (settings.signalId === signal.id && account !== signal.account) followers.add(account)
  return { signal, publisher: { ...publisher, name }, publication, followers: followers.size }
}

const isMeant = (row: ListedStrategy, query: StrategyQuery): boolean => {
  const { exchange, mode, pair, publishedBefore = Number.POSITIVE_INFINITY } = query
  const { description, exchanges, name } = row.strategy.settings
  const isTraded = exchanges.some(
    (listing) =>
      (exchange === undefined || listing.exchange === exchange) &&
      (pair === undefined || listing.pairs.includes(pair))
  )
  return (
    isTraded &&
    (mode === undefined || row.record.mode === mode) &&
    row.publication.first <= publishedBefore &&
    hasWords([name, description, row.publisher.name, ...exchanges.flatMap(({ pairs }) => pairs)], query)
  )
}

const hasWords = (texts: ReadonlyArray<string>, { words }: Pick<StrategyQuery, "words">): boolean => {
  const text = searchText(texts)
  return words.every((word) => text.includes(word))
}

const strategyValue: Readonly<Record<StrategyQuery["sort"], (row: ListedStrategy) => number>> = {
  record: ({ publication, record }) => rankOf(record, publication.first),
  newest: ({ publication }) => publication.since,
  oldest: ({ publication }) => publication.first,
  copies: ({ copies }) => copies
}

const signalValue: Readonly<Record<SignalQuery["sort"], (row: ListedSignal) => number>> = {
  followers: ({ followers }) => followers,
  newest: ({ publication }) => publication.since,
  oldest: ({ publication }) => publication.first
}

/** Everything but `oldest` is sorted from the largest value down. */
const paged = <Row>(
  rows: ReadonlyArray<Row>,
  { after, limit, sort }: Listing<string>,
  placeOf: (row: Row) => Place
): Listed<Row> => {
  const sign = sort === "oldest" ? 1 : -1
  const compare = (one: Place, other: Place) => sign * (one.value - other.value || one.id - other.id)
  const sorted = rows
    .map((row) => ({ row, place: placeOf(row) }))
    .filter(({ place }) => after === undefined || compare(place, after) > 0)
    .sort((one, other) => compare(one.place, other.place))
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  const found = page.map(({ row }) => row)
  return sorted.length > limit && last !== undefined ? { rows: found, next: last.place } : { rows: found }
}
