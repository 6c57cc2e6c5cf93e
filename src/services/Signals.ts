// The port of signals, with its in-memory layer. A change that takes a signal away from strategies detaches them in the
// same transaction.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import { type Signal, type SignalDraft, SignalId, SignalNotFound, TooManySignals } from "../domain/Signal.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import * as StoredRule from "../domain/signalRule/StoredRule.ts"
import * as MemoryListing from "./directory/MemoryListing.ts"
import { Limits } from "./health/Limits.ts"
import { detach, MemoryState, nowSeconds, type State } from "./records/MemoryState.ts"
import { type Page, pageOf } from "./records/Page.ts"

/** How many signals an account has, and how many of them are active. */
export interface SignalCount {
  readonly total: number
  readonly active: number
}

/** A signal after a change, and the strategies that the change detached from it. */
export interface Changed {
  readonly signal: Signal
  readonly detached: ReadonlyArray<StrategyId>
}

/**
 * The signals. A port; every method is scoped to the caller's account. Deleting a signal detaches all strategies that
 * follow it, and making it private those of other accounts: in the same transaction, with an entry in each strategy's
 * timeline.
 *
 * **An implementation keeps**
 *
 * - Scope: `get`, `list`, `update` and `remove` see the account's own; `visible` also public ones. Another account's
 *   private signal is `SignalNotFound`, like a missing one.
 * - Order: lists are sorted by creation. Ids are never reused.
 * - Time: `updatedAt` is the second of the last change on the clock, never in the future.
 * - Atomicity: a change, the detached strategies and their timeline entries are stored together.
 * - Exactness: texts come back to the letter, those of a rule too.
 * - Rules: a change of a rule's meaning is a new version, stored with the time of the change in the same transaction. No
 *   version of a signal is used twice. No method but `rule` gives the rule.
 * - Errors: `TooManySignals` at the account's limit (`Limits`), counted where the row is written, so that two
 *   concurrent requests do not exceed it.
 *
 * **Proved by** `SignalsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Signals extends Context.Tag("signalbox/services/Signals")<
  Signals,
  {
    readonly create: (account: AccountId, draft: SignalDraft) => Effect.Effect<Signal, TooManySignals>
    /** Returns the caller's own signal. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<Signal, SignalNotFound>
    /** `get` from the cache, without waiting; undefined where `get` has to be asked. */
    readonly recall: (account: AccountId, id: number) => Signal | undefined
    /** Returns the caller's own signal, or anybody's public one. */
    readonly visible: (account: AccountId, id: number) => Effect.Effect<Signal, SignalNotFound>
    /** Returns the rule of the caller's own signal, if it has one. */
    readonly rule: (
      account: AccountId,
      id: number
    ) => Effect.Effect<Option.Option<StoredRule.StoredRule>, SignalNotFound>
    /** Lists the caller's own, by creation. */
    readonly list: (account: AccountId, page: Page) => Effect.Effect<ReadonlyArray<Signal>>
    /** Counts the caller's own. */
    readonly count: (account: AccountId) => Effect.Effect<SignalCount>
    readonly update: (
      account: AccountId,
      id: number,
      patch: Partial<SignalDraft>
    ) => Effect.Effect<Changed, SignalNotFound>
    readonly remove: (account: AccountId, id: number) => Effect.Effect<Changed, SignalNotFound>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Signals,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const limit = (yield* Limits).signals
      const ownBy = (account: AccountId) =>
        [...state.signals.values()].filter((signal) => signal.account === account)
      const find = (id: number, matches: (signal: Signal) => boolean) =>
        Effect.suspend(() => {
          const signal = state.signals.get(id)
          return signal !== undefined && matches(signal) ? Effect.succeed(signal) : new SignalNotFound()
        })
      const own = (account: AccountId, id: number) => find(id, (signal) => signal.account === account)

      return {
        create: Effect.fn("Signals.create")(function* (account, draft) {
          const now = yield* nowSeconds
          if (ownBy(account).length >= limit) return yield* new TooManySignals({ limit })
          const id = SignalId.make(state.nextId("signals"))
          return written(state, { id, account, createdAt: now, updatedAt: now }, draft)
        }),
        get: Effect.fn("Signals.get")(own),
        recall: (account, id) => {
          const signal = state.signals.get(id)
          return signal?.account === account ? signal : undefined
        },
        visible: Effect.fn("Signals.visible")((account, id) =>
          find(id, (signal) => signal.account === account || signal.public)
        ),
        rule: Effect.fn("Signals.rule")((account, id) =>
          Effect.map(own(account, id), () => Option.fromNullable(state.rules.get(id)?.rule))
        ),
        list: Effect.fn("Signals.list")((account, page) => Effect.sync(() => pageOf(ownBy(account), page))),
        count: Effect.fn("Signals.count")((account) =>
          Effect.sync(() => {
            const own = ownBy(account)
            return { total: own.length, active: own.filter(({ active }) => active).length }
          })
        ),
        update: Effect.fn("Signals.update")(function* (account, id, patch) {
          const now = yield* Clock.currentTimeMillis
          const before = yield* own(account, id)
          const { rule: _, ...draft } = before
          const signal = written(
            state,
            { ...before, updatedAt: Math.floor(now / 1000) },
            { ...draft, ...patch }
          )
          return { signal, detached: signal.public ? [] : detach(state, signal, "private", now) }
        }),
        remove: Effect.fn("Signals.remove")(function* (account, id) {
          const now = yield* Clock.currentTimeMillis
          const signal = yield* own(account, id)
          state.signals.delete(signal.id)
          state.rules.delete(signal.id)
          state.signalListings.delete(signal.id)
          state.ruleChanges.changed()
          return { signal, detached: detach(state, signal, "deleted", now) }
        })
      }
    })
  )
}

/** Stores a signal that is new or changed, with its rule and its listing. */
const written = (
  state: State,
  { account, createdAt, id, updatedAt }: Pick<Signal, "account" | "createdAt" | "id" | "updatedAt">,
  { rule: change, ...draft }: SignalDraft
): Signal => {
  const history = StoredRule.after(state.rules.get(id) ?? { version: 0 }, change, updatedAt)
  if (history.version > 0) state.rules.set(id, history)
  const rule = StoredRule.stampOf(history)
  const signal = named({
    ...{ id, account, ...draft, createdAt, updatedAt },
    ...(rule === undefined ? {} : { rule })
  })
  MemoryListing.signalWritten(state, state.signals.get(id), signal, updatedAt)
  state.signals.set(id, signal)
  state.ruleChanges.changed()
  return signal
}

/** The signal as it is stored: without an empty display name. */
const named = ({
  displayName = "",
  ...signal
}: Omit<Signal, "displayName"> & Pick<SignalDraft, "displayName">): Signal =>
  displayName === "" ? signal : { ...signal, displayName }
