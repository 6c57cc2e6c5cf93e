// The port of strategies' settings, with its in-memory layer. Every change of who follows a signal has its place in the
// sequence of alerts, so that a restart judges each alert by the followers of its time.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import type { Copy } from "../domain/directory/Copy.ts"
import { type Partition, partitionOf } from "../domain/Partition.ts"
import type { SignalId } from "../domain/Signal.ts"
import {
  AlertsUnjudged,
  type PastSettings,
  type Settings,
  type Strategy,
  StrategyChanged,
  StrategyNotFound,
  TooManyStrategies
} from "../domain/Strategy.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import * as MemoryListing from "./directory/MemoryListing.ts"
import { Limits } from "./health/Limits.ts"
import { type Following, followed } from "./records/Following.ts"
import * as MemoryPast from "./records/MemoryPast.ts"
import {
  changed,
  follow,
  followingsOf,
  MemoryState,
  note,
  nowSeconds,
  reachable
} from "./records/MemoryState.ts"
import { type Page, pageOf } from "./records/Page.ts"

export { type Following, followed } from "./records/Following.ts"

/** A strategy with the name of the signal that it follows. */
export interface Followed {
  readonly strategy: Strategy
  readonly signalName: string | undefined
}

/** A strategy's revision: each change raises it. */
export type Version = Pick<Strategy, "id" | "revision">
/** A strategy's revision, with its owner. */
export type OwnedVersion = Pick<Strategy, "id" | "revision" | "account">

/**
 * One of several changes that are stored together: new settings of a strategy as it was read, or, without `before`, a
 * new strategy under a name that no other strategy of the account has.
 */
export interface StrategyChange {
  readonly before?: Version
  readonly settings: Settings
  readonly notes: ReadonlyArray<TimelineNote>
}

/**
 * The strategies' settings. A port; what a bot did with them is in the Portfolio. A signal that the account cannot
 * reach when the row is written is left out: it may have been deleted since the request was checked.
 *
 * **An implementation keeps**
 *
 * - Scope: `get`, `list`, `update` and `remove` see the account's own; `visible` also public ones. Another account's
 *   private strategy is `StrategyNotFound`, like a missing one.
 * - Order: lists are sorted by creation. Ids are never reused.
 * - Time: `updatedAt` is the second of the last change on the clock, never in the future. `revision` starts at 0 and
 *   grows by one with every change, also where a signal detaches the strategy.
 * - Atomicity: an update replaces the settings whole, and its notes are stored with it. `apply` makes all of its
 *   changes or none.
 * - Freshness: `followers`, `recall` and `following` include the last change that ended; `changed` never misses a
 *   change that came after `following` was read.
 * - History: a change of who follows a signal has its place among the alerts. The transaction of the change reads the
 *   last id of the journal: alerts up to that id were stored before the change, later ones after it. `followings`
 *   includes the change for as long as an alert of it is not judged, also where the signal is gone. Journal, signals
 *   and strategies therefore have to be stored in one place.
 * - Past: settings that others replaced are kept, each until the time of its change, where a bot can act otherwise with
 *   the new ones; at most `MAX_PAST_SETTINGS` of a strategy, the newest, and none of a deleted one.
 * - Exactness: settings come back to the last digit.
 * - Errors: `TooManyStrategies` at the account's limit (`Limits`), counted where the row is written.
 *
 * **Proved by** `StrategyStoreContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class StrategyStore extends Context.Tag("signalbox/services/StrategyStore")<
  StrategyStore,
  {
    /** Stores a new strategy; `copy` is what it was made of, where it is a copy. */
    readonly create: (
      account: AccountId,
      settings: Settings,
      copy?: Copy
    ) => Effect.Effect<Strategy, TooManyStrategies>
    /** Returns the caller's own strategy. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<Strategy, StrategyNotFound>
    /** Lists the settings that others replaced, oldest first. */
    readonly past: (
      account: AccountId,
      id: number
    ) => Effect.Effect<ReadonlyArray<PastSettings>, StrategyNotFound>
    /** Returns the caller's own strategy, or anybody's public one. */
    readonly visible: (account: AccountId, id: number) => Effect.Effect<Strategy, StrategyNotFound>
    /** Lists the caller's own, by creation. */
    readonly list: (account: AccountId, page: Page) => Effect.Effect<ReadonlyArray<Strategy>>
    /** Lists all of the caller's own with their signals' names, by creation: cheap enough to call often. */
    readonly followed: (account: AccountId) => Effect.Effect<ReadonlyArray<Followed>>
    /** Replaces the settings; the notes go to the strategy's timeline in the same transaction. */
    readonly update: (
      account: AccountId,
      id: number,
      settings: Settings,
      notes?: ReadonlyArray<TimelineNote>
    ) => Effect.Effect<Strategy, StrategyNotFound>
    /**
     * Makes several changes in one transaction, or none of them: `StrategyChanged` where a strategy has changed since it
     * was read or is gone, or where the name of a new one is taken.
     */
    readonly apply: (
      account: AccountId,
      changes: ReadonlyArray<StrategyChange>
    ) => Effect.Effect<ReadonlyArray<Strategy>, StrategyChanged | TooManyStrategies>
    /**
     * Deletes a strategy. `judged` is the alert up to which the strategy has judged all: `AlertsUnjudged` where a later
     * one concerns it. Without `judged`, nothing is checked.
     */
    readonly remove: (
      account: AccountId,
      id: number,
      judged?: number
    ) => Effect.Effect<Strategy, StrategyNotFound | AlertsUnjudged>
    /** The account's own strategies that follow a signal, by creation. */
    readonly followers: (signal: SignalId, account: AccountId) => Effect.Effect<ReadonlyArray<Strategy>>
    /**
     * The followings, by every account of these partitions, under which an unjudged alert of each of these signals may fall,
     * by creation: for the engine only, which asks `followed` for each alert. Signals without followers may be missing. What is
     * read may be kept for this very set of partitions, which must not change afterwards.
     */
    readonly followings: (
      signals: Iterable<SignalId>,
      some: ReadonlySet<Partition>
    ) => Effect.Effect<ReadonlyMap<SignalId, ReadonlyArray<Following>>>
    /** `followers` from the cache, without waiting; undefined where `followers` has to be asked. */
    readonly recall: (signal: SignalId, account: AccountId) => ReadonlyArray<Strategy> | undefined
    /** Every strategy of every account, by creation. */
    readonly all: Effect.Effect<ReadonlyArray<Strategy>>
    /** The same of the accounts of these partitions: for the engine that runs their bots from now on. */
    readonly within: (some: ReadonlySet<Partition>) => Effect.Effect<ReadonlyArray<Strategy>>
    /**
     * Ids and revisions of all strategies, of every account of these partitions, that follow a signal, by creation: cheap
     * enough to read at each change. For the engine only, like the next two.
     */
    readonly following: (some: ReadonlySet<Partition>) => Effect.Effect<ReadonlyArray<OwnedVersion>>
    /** Waits until a strategy may have changed since `following` was read. There is one listener. */
    readonly changed: Effect.Effect<void>
    /** Reads those of these strategies that exist, by creation. */
    readonly among: (ids: ReadonlySet<StrategyId>) => Effect.Effect<ReadonlyArray<Strategy>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    StrategyStore,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const limit = (yield* Limits).strategies
      const all = () => [...state.strategies.values()]
      const within = (some: ReadonlySet<Partition>) =>
        all().filter(({ account }) => some.has(partitionOf(account)))
      const ownBy = (account: AccountId) => all().filter((strategy) => strategy.account === account)
      const find = (id: number, matches: (strategy: Strategy) => boolean) =>
        Effect.suspend(() => {
          const strategy = state.strategies.get(id)
          return strategy !== undefined && matches(strategy)
            ? Effect.succeed(strategy)
            : new StrategyNotFound()
        })
      const replaced = MemoryPast.make()
      const followersOf = (signal: SignalId, account: AccountId) =>
        ownBy(account).filter((it) => it.settings.signalId === signal)
      const own = (account: AccountId, id: number) => find(id, (strategy) => strategy.account === account)
      const create = (account: AccountId, settings: Settings, now: number, copy?: Copy): Strategy => {
        const id = StrategyId.make(state.nextId("strategies"))
        const kept = reachable(state, account, settings)
        const from = copy === undefined ? {} : { copiedFrom: copy.origin }
        const strategy = { id, account, settings: kept, ...from, createdAt: now, updatedAt: now, revision: 0 }
        state.strategies.set(id, strategy)
        MemoryListing.strategyWritten(state, undefined, strategy, now)
        if (copy !== undefined) {
          const reported = state.listings.get(copy.origin)?.changes ?? 0
          state.copies.set(id, { ...copy, reported, reports: 0 })
        }
        follow(state, id, undefined, kept.signalId)
        state.strategyChanges.changed()
        return strategy
      }
      const replace = (before: Strategy, change: Omit<StrategyChange, "before">, now: number): Strategy => {
        const { account, id } = before
        const strategy = changed(before, reachable(state, account, change.settings), Math.floor(now / 1000))
        replaced.keep(before, strategy, now)
        state.strategies.set(id, strategy)
        MemoryListing.strategyWritten(state, before, strategy, strategy.updatedAt)
        follow(state, id, before.settings.signalId, strategy.settings.signalId)
        for (const it of change.notes) note(state, account, id, it)
        state.strategyChanges.changed()
        return strategy
      }
      /** Whether none of the strategies has changed, and no name is taken. */
      const holds = (account: AccountId, changes: ReadonlyArray<StrategyChange>): boolean => {
        const names = ownBy(account).map(({ settings }) => settings.name)
        const ids = new Set<number>()
        for (const { before, settings } of changes) {
          const isTaken = before !== undefined && ids.has(before.id)
          if (before === undefined ? names.includes(settings.name) : isTaken || !isAsRead(account, before))
            return false
          if (before === undefined) names.push(settings.name)
          else ids.add(before.id)
        }
        return true
      }
      const isAsRead = (account: AccountId, { id, revision }: Version): boolean => {
        const strategy = state.strategies.get(id)
        return strategy?.account === account && strategy.revision === revision
      }

      return {
        create: Effect.fn("StrategyStore.create")(function* (account, settings, copy) {
          const now = yield* nowSeconds
          if (ownBy(account).length >= limit) return yield* new TooManyStrategies({ limit })
          return create(account, settings, now, copy)
        }),
        get: Effect.fn("StrategyStore.get")(own),
        past: Effect.fn("StrategyStore.past")((account, id) => Effect.map(own(account, id), replaced.of)),
        visible: Effect.fn("StrategyStore.visible")((account, id) =>
          find(id, (strategy) => strategy.account === account || strategy.settings.public)
        ),
        list: Effect.fn("StrategyStore.list")((account, page) =>
          Effect.sync(() => pageOf(ownBy(account), page))
        ),
        followed: Effect.fn("StrategyStore.followed")((account) =>
          Effect.sync(() =>
            ownBy(account).map((strategy) => {
              const { signalId } = strategy.settings
              const signal = signalId === undefined ? undefined : state.signals.get(signalId)
              return { strategy, signalName: signal?.name }
            })
          )
        ),
        update: Effect.fn("StrategyStore.update")(function* (account, id, settings, notes = []) {
          const now = yield* Clock.currentTimeMillis
          return replace(yield* own(account, id), { settings, notes }, now)
        }),
        apply: Effect.fn("StrategyStore.apply")(function* (account, changes) {
          const now = yield* Clock.currentTimeMillis
          const seconds = Math.floor(now / 1000)
          if (!holds(account, changes)) return yield* new StrategyChanged()
          const added = changes.filter(({ before }) => before === undefined).length
          if (added > 0 && ownBy(account).length + added > limit)
            return yield* new TooManyStrategies({ limit })
          return changes.map((change) => {
            const before = change.before === undefined ? undefined : state.strategies.get(change.before.id)
            return before === undefined
              ? create(account, change.settings, seconds)
              : replace(before, change, now)
          })
        }),
        remove: Effect.fn("StrategyStore.remove")(function* (account, id, judged) {
          const strategy = yield* own(account, id)
          const unjudged = judged === undefined ? [] : state.alerts.slice(judged)
          const its = new Set([partitionOf(account)])
          const isBehind = unjudged.some((alert) =>
            followingsOf(state, alert.signalId, its).some(
              (it) => it.strategy.id === strategy.id && followed(it, alert.id)
            )
          )
          if (isBehind) return yield* new AlertsUnjudged()
          state.strategies.delete(strategy.id)
          replaced.forget(strategy.id)
          MemoryListing.strategyRemoved(state, strategy.id)
          follow(state, strategy.id, strategy.settings.signalId, undefined)
          state.strategyChanges.changed()
          return strategy
        }),
        followers: (signal, account) => Effect.sync(() => followersOf(signal, account)),
        followings: (signals, some) =>
          Effect.sync(() => new Map(Array.from(signals, (it) => [it, followingsOf(state, it, some)]))),
        recall: followersOf,
        all: Effect.sync(all),
        within: (some) => Effect.sync(() => within(some)),
        following: (some) =>
          Effect.sync(() => {
            state.strategyChanges.reading()
            return within(some).filter(({ settings }) => settings.signalId !== undefined)
          }),
        changed: state.strategyChanges.rings,
        among: (ids) => Effect.sync(() => all().filter(({ id }) => ids.has(id)))
      }
    })
  )
}
