import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import type { SignalId } from "../domain/Signal.ts"
import { type Settings, type Strategy, StrategyNotFound, TooManyStrategies } from "../domain/Strategy.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import { Limits } from "./Limits.ts"
import { changed, MemoryState, note, nowSeconds, reachable } from "./MemoryState.ts"
import { type Page, pageOf } from "./Page.ts"

/** A strategy with the name of the signal that it follows. */
export interface Followed {
  readonly strategy: Strategy
  readonly signalName: string | undefined
}

/** One state of a strategy: each change gives it another revision. */
export type Version = Pick<Strategy, "id" | "revision">

/**
 * The strategies' settings. A port; what a bot did with them is in the Portfolio. A signal that the account cannot
 * reach (any more) when the row is written is left out: it may have been deleted since the request was checked.
 *
 * **Whoever implements it keeps**
 *
 * - Scope: `get`, `list`, `update` and `remove` see the account's own; `visible` also public ones. Another's private
 *   strategy is `StrategyNotFound`, as one that never was.
 * - Order: lists go by the order of creation. Ids are never used again.
 * - Time: `updatedAt` is the second of the last change, as the clock tells it: never one that is yet to come. `revision`
 *   begins at 0 and goes up by one with every change, also where a signal cuts the strategy off.
 * - Atomicity: an update replaces the settings whole, and its notes are stored with it.
 * - Freshness: `followers`, `recall` and `following` tell of the last change that ended; `changed` never sleeps
 *   through one that came after `following` was asked.
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
    readonly create: (account: AccountId, settings: Settings) => Effect.Effect<Strategy, TooManyStrategies>
    /** The caller's own. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<Strategy, StrategyNotFound>
    /** The caller's own, or anybody's public one. */
    readonly visible: (account: AccountId, id: number) => Effect.Effect<Strategy, StrategyNotFound>
    /** The caller's own, in order of creation. */
    readonly list: (account: AccountId, page: Page) => Effect.Effect<ReadonlyArray<Strategy>>
    /** All of the caller's own with what they follow, in order of creation: cheap enough to be asked often. */
    readonly followed: (account: AccountId) => Effect.Effect<ReadonlyArray<Followed>>
    /** The notes go to the strategy's timeline together with the change. */
    readonly update: (
      account: AccountId,
      id: number,
      settings: Settings,
      notes?: ReadonlyArray<TimelineNote>
    ) => Effect.Effect<Strategy, StrategyNotFound>
    /** Ids are never used again. */
    readonly remove: (account: AccountId, id: number) => Effect.Effect<Strategy, StrategyNotFound>
    /** All strategies, of every account, that follow a signal: for the engine only. */
    readonly followers: (signal: SignalId) => Effect.Effect<ReadonlyArray<Strategy>>
    /** The same at once: nothing where `followers` has to be asked. */
    readonly recall: (signal: SignalId) => ReadonlyArray<Strategy> | undefined
    /** Every strategy of every account: what the engine loads at its start. */
    readonly all: Effect.Effect<ReadonlyArray<Strategy>>
    /**
     * Which strategies of every account follow a signal, and as of when, in order of creation: cheap enough to be asked
     * at each change. For the engine only, as the next two.
     */
    readonly following: Effect.Effect<ReadonlyArray<Version>>
    /** Waits until a strategy may have changed since `following` was asked. There is one listener. */
    readonly changed: Effect.Effect<void>
    /** Those of these that are there, in order of creation. */
    readonly among: (ids: ReadonlySet<StrategyId>) => Effect.Effect<ReadonlyArray<Strategy>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    StrategyStore,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const limit = (yield* Limits).strategies
      const all = () => [...state.strategies.values()]
      const ownBy = (account: AccountId) => all().filter((strategy) => strategy.account === account)
      const find = (id: number, matches: (strategy: Strategy) => boolean) =>
        Effect.suspend(() => {
          const strategy = state.strategies.get(id)
          return strategy !== undefined && matches(strategy)
            ? Effect.succeed(strategy)
            : new StrategyNotFound()
        })
      const following = (signal: SignalId) => all().filter((it) => it.settings.signalId === signal)
      const own = (account: AccountId, id: number) => find(id, (strategy) => strategy.account === account)

      return {
        create: Effect.fn("StrategyStore.create")(function* (account, settings) {
          const now = yield* nowSeconds
          if (ownBy(account).length >= limit) return yield* new TooManyStrategies({ limit })
          const id = StrategyId.make(state.nextId("strategies"))
          const kept = reachable(state, account, settings)
          const strategy = { id, account, settings: kept, createdAt: now, updatedAt: now, revision: 0 }
          state.strategies.set(id, strategy)
          state.strategyChanges.changed()
          return strategy
        }),
        get: Effect.fn("StrategyStore.get")(own),
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
          const now = yield* nowSeconds
          const before = yield* own(account, id)
          const strategy = changed(before, reachable(state, account, settings), now)
          state.strategies.set(strategy.id, strategy)
          for (const it of notes) note(state, account, strategy.id, it)
          state.strategyChanges.changed()
          return strategy
        }),
        remove: Effect.fn("StrategyStore.remove")(function* (account, id) {
          const strategy = yield* own(account, id)
          state.strategies.delete(strategy.id)
          state.strategyChanges.changed()
          return strategy
        }),
        followers: (signal) => Effect.sync(() => following(signal)),
        recall: following,
        all: Effect.sync(all),
        following: Effect.sync(() => {
          state.strategyChanges.reading()
          return all().filter(({ settings }) => settings.signalId !== undefined)
        }),
        changed: state.strategyChanges.rings,
        among: (ids) => Effect.sync(() => all().filter(({ id }) => ids.has(id)))
      }
    })
  )
}
